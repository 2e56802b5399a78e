import CalendarModel

/// Takes the lines and components of VCALENDAR as they come, and hands out the parts.
struct CalendarDecoder {
  private(set) var document = ICalendarDocument()
  private var header = ICalendarHeader()
  private var isHeaderTold = false
  /// True once the document's colour is of X-APPLE-CALENDAR-COLOR.
  private var isColorExact = false
  /// X-APPLE-CALENDAR-COLOR of the current calendar, which says it more exactly than COLOR does.
  private var hasAppleColor = false
  private let calendar: Identifier<ItemCalendar>
  private let diagnostics: Diagnostics
  private var room: Int
  private var zones: Set<TimeZoneID> = []
  private let limits: ICalendarReader.Limits
  /// How many parts the zones to come may have.
  private var observancesLeft: Int

  init(calendar: Identifier<ItemCalendar>, limits: ICalendarReader.Limits, diagnostics: Diagnostics) {
    self.calendar = calendar
    self.diagnostics = diagnostics
    room = limits.preservedBytes
    self.limits = limits
    observancesLeft = limits.allZoneParts
  }

  /// Begins another VCALENDAR.
  mutating func begin() {
    header = ICalendarHeader()
    hasAppleColor = false
    isHeaderTold = false
  }

  /// What the calendar said before its first component, once.
  mutating func headerToTell() -> ICalendarHeader? {
    if isHeaderTold { return nil }
    isHeaderTold = true
    return header
  }

  /// Takes a property of VCALENDAR. Of several VCALENDARs the first to say something counts.
  mutating func property(_ line: ContentLine) {
    let text = TextValue.decode(line.bytes[line.valueRange])
    readHeader(line, text)
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
      document.method = document.method ?? line.word.uppercased()
    case "X-WR-CALNAME" where isName(line, text), "NAME" where isName(line, text): document.name = text
    case "X-APPLE-CALENDAR-COLOR" where !isColorExact && Color(hexadecimal: text) != nil:
      document.color = Color(hexadecimal: text)
      isColorExact = true
      if document.color?.hexadecimal != text { keep(line.text, line.number, \.properties) }
    case "COLOR":
      if document.color == nil { document.color = Color(cssName: line.word) }
      keep(line.text, line.number, \.properties)
    default: keep(line.text, line.number, \.properties)
    }
  }

  /// What the current calendar says of itself. What says it first counts.
  private mutating func readHeader(_ line: ContentLine, _ text: String) {
    switch line.name {
    case "X-WR-CALNAME", "NAME": if header.name == nil && !text.isEmpty { header.name = text }
    case "X-APPLE-CALENDAR-COLOR":
      guard !hasAppleColor, let color = Color(hexadecimal: line.word) else { return }
      header.color = color
      hasAppleColor = true
    case "COLOR": header.color = header.color ?? Color(cssName: line.word)
    case "METHOD":
      header.method = header.method ?? SchedulingMessage.Method(rawValue: line.word.uppercased())
    default: break
    }
  }

  /// Takes a component of VCALENDAR; what it is a part of the file as, if it is one.
  mutating func component(_ component: RawComponent, in text: ComponentText) -> ICalendarPart? {
    switch component.name {
    case "VEVENT" where header.method == nil, "VTODO" where header.method == nil:
      var decoder = ItemDecoder(component, in: text, calendar: calendar, diagnostics: diagnostics)
      guard let item = decoder.decode() else { return nil }
      let dates = (item.recurrence?.dates.count ?? 0) + (item.recurrence?.exceptionDates.count ?? 0)
      guard item.alarms.count <= limits.itemAlarms, dates + item.attendees.count <= limits.itemParts else {
        diagnostics.warn(
          text.lines[component.lines.lowerBound].number,
          "\(component.name) has \(item.alarms.count) alarms, \(dates) dates and \(item.attendees.count) attendees, "
            + "which is more than are taken: it was left out")
        return nil
      }
      return .item(item)
    case "VTIMEZONE":
      guard
        let zone = TimeZoneDecoder.decode(
          component, in: text, mostObservances: min(limits.zoneParts, observancesLeft),
          diagnostics: diagnostics)
      else { return nil }
      // Files that were put together by hand define a zone again for each part.
      if zones.contains(zone.id) { return nil }
      if take(zone.text.utf8.count, text.lines[component.lines.lowerBound].number) {
        zones.insert(zone.id)
        observancesLeft -= zone.observances.count
        document.timeZones.append(zone)
      }
      return nil
    default:
      let other = PreservedComponent(component, in: text)
      let isKept = keep(other.text, text.lines[component.lines.lowerBound].number, \.components)
      if let method = header.method {
        return MessageDecoder.decode(component, in: text, method: method, diagnostics: diagnostics)
          .map { .message($0) }
      }
      return isKept ? .other(other) : nil
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

  /// - Returns: False, and a warning, where there is no room.
  @discardableResult
  private mutating func keep(
    _ text: String, _ number: Int, _ path: WritableKeyPath<PreservedContent, [String]>
  ) -> Bool {
    guard take(text.utf8.count, number) else { return false }
    document.preserved[keyPath: path].append(text)
    return true
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
