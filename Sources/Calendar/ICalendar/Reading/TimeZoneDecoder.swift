public import FencepostCalendarModel
import FencepostRecurrence

/// Decodes a VTIMEZONE into a zone's rules.
enum TimeZoneDecoder {
  /// The rules; `nil` with a warning if the component contains none.
  static func decode(
    _ component: RawComponent, in text: ComponentText, maxObservances: Int, diagnostics: Diagnostics
  ) -> TimeZoneDefinition? {
    let number = text.lines[component.lines.lowerBound].number
    let name = component.properties.lazy.compactMap { ContentLine(text.lines[$0], in: text) }
      .first { $0.name == "TZID" }.map { TextValue.decode($0.bytes[$0.valueRange]) }
    guard let name, !name.isEmpty else {
      diagnostics.warn(number, "VTIMEZONE without a TZID: skipped")
      return nil
    }
    let parts = component.children.filter { $0.name == "STANDARD" || $0.name == "DAYLIGHT" }
    guard parts.count <= maxObservances else {
      diagnostics.warn(
        number, "VTIMEZONE \(name.prefix(80)) has \(parts.count) parts, too many: skipped")
      return nil
    }
    var observances: [TimeZoneDefinition.Observance] = []
    for child in parts {
      let line = text.lines[child.lines.lowerBound].number
      do {
        observances.append(try observance(child, in: text))
      } catch {
        diagnostics.warn(line, "\(child.name) of zone \(name): \(error.message); skipped")
      }
    }
    guard !observances.isEmpty else {
      diagnostics.warn(number, "VTIMEZONE \(name) has no offset: skipped")
      return nil
    }
    return TimeZoneDefinition(
      id: TimeZoneID(rawValue: name), observances: observances, text: text.joined(component.lines))
  }

  /// The most dates and rules of one part: more dates than there are years. The rest only stays in the text.
  private static let (maxDates, maxRules) = (2_000, 16)

  private static func observance(
    _ component: RawComponent, in text: ComponentText
  ) throws(InvalidValue) -> TimeZoneDefinition.Observance {
    var start: CivilDateTime?
    var from: Int?
    var to: Int?
    var result = TimeZoneDefinition.Observance(
      isDaylight: component.name == "DAYLIGHT", start: CivilDateTime(secondsSinceEpoch: 0), offsetFrom: 0,
      offsetTo: 0)
    for index in component.properties {
      guard let line = ContentLine(text.lines[index], in: text) else { continue }
      switch line.name {
      case "DTSTART": start = try TimeValue.read(line.bytes, line.valueRange, zone: nil).civil
      case "TZOFFSETFROM": from = try TimeValue.offset(line.word)
      case "TZOFFSETTO": to = try TimeValue.offset(line.word)
      case "TZNAME": result.name = TextValue.decode(line.bytes[line.valueRange])
      case "RRULE" where result.rules.count < maxRules:
        result.rules.append(try PropertyValues.rule(line).rule)
      case "RDATE":
        for part in line.timeRanges where result.dates.count < maxDates {
          result.dates.append(try TimeValue.readPeriod(line.bytes, part, zone: nil).time.start.civil)
        }
      default: break
      }
    }
    guard let start, let from, let to else {
      throw InvalidValue(message: "DTSTART, TZOFFSETFROM or TZOFFSETTO is missing")
    }
    result.start = start
    result.offsetFrom = from
    result.offsetTo = to
    return result
  }
}

extension TimeZoneDefinition {
  /// The zone under another name, in its text too.
  public func named(_ name: TimeZoneID) -> TimeZoneDefinition {
    guard name != id else { return self }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let word = line.prefix { $0 != ":" && $0 != ";" }.uppercased()
      return word == "TZID" ? "TZID:\(TextValue.encode(name.rawValue))" : String(line)
    }
    return TimeZoneDefinition(id: name, observances: observances, text: lines.joined(separator: "\n"))
  }
}
