import CalendarModel

/// Takes the lines and components of VCALENDAR as they come, and hands out the items.
struct CalendarDecoder {
  private(set) var document = ICalendarDocument()
  private let calendar: Identifier<ItemCalendar>
  private let diagnostics: Diagnostics
  private var room: Int
  private var zones: Set<TimeZoneID> = []

  init(calendar: Identifier<ItemCalendar>, limits: ICalendarReader.Limits, diagnostics: Diagnostics) {
    self.calendar = calendar
    self.diagnostics = diagnostics
    room = limits.preservedBytes
  }

  /// Takes a property of VCALENDAR. Of several VCALENDARs the first to say something counts.
  mutating func property(_ line: ContentLine) {
    let text = TextValue.decode(line.bytes[line.valueRange])
    switch line.name {
    case "VERSION":
      if text != "2.0" {
        diagnostics.warn(line.number, "VERSION is '\(text.prefix(20))', not 2.0: some of it may be misread")
      }
    case "PRODID": break
    case "CALSCALE":
      if text.uppercased() != "GREGORIAN" {
        diagnostics.warn(line.number, "CALSCALE is '\(text.prefix(20))': it is read as GREGORIAN")
      }
      keep(line.text, line.number, \.properties)
    case "METHOD":
      document.method = document.method ?? text.uppercased()
    case "X-WR-CALNAME" where isName(line, text), "NAME" where isName(line, text): document.name = text
    case "X-APPLE-CALENDAR-COLOR" where document.color == nil && Color(hexadecimal: text) != nil:
      document.color = Color(hexadecimal: text)
      if document.color?.hexadecimal != text { keep(line.text, line.number, \.properties) }
    default: keep(line.text, line.number, \.properties)
    }
  }

  /// Takes a component of VCALENDAR; an item if it is one.
  mutating func component(_ component: RawComponent, in text: ComponentText) -> CalendarItem? {
    switch component.name {
    case "VEVENT", "VTODO":
      var decoder = ItemDecoder(component, in: text, calendar: calendar, diagnostics: diagnostics)
      return decoder.decode()
    case "VTIMEZONE":
      guard let zone = TimeZoneDecoder.decode(component, in: text, diagnostics: diagnostics) else {
        return nil
      }
      // Files that were put together by hand define a zone again for each part.
      if zones.contains(zone.id) { return nil }
      if take(zone.text.utf8.count, text.lines[component.lines.lowerBound].number) {
        zones.insert(zone.id)
        document.timeZones.append(zone)
      }
      return nil
    default:
      keep(text.joined(component.lines), text.lines[component.lines.lowerBound].number, \.components)
      return nil
    }
  }

  /// The document with what was wrong.
  mutating func finish() -> ICalendarDocument {
    document.warnings = diagnostics.warnings
    document.omittedWarnings = diagnostics.omitted
    return document
  }

  /// True where a line tells the calendar's name, for the first time or again.
  private func isName(_ line: ContentLine, _ text: String) -> Bool {
    line.parameterRange.isEmpty && !text.isEmpty && (document.name == nil || document.name == text)
  }

  private mutating func keep(
    _ text: String, _ number: Int, _ path: WritableKeyPath<PreservedContent, [String]>
  ) {
    if take(text.utf8.count, number) { document.preserved[keyPath: path].append(text) }
  }

  private mutating func take(_ bytes: Int, _ number: Int) -> Bool {
    guard bytes <= room else {
      diagnostics.warn(number, "the file holds more beside its items than is kept: this was left out")
      return false
    }
    room -= bytes
    return true
  }
}
