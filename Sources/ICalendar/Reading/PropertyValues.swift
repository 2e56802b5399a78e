import CalendarModel
import Recurrence

/// Reading the values of a component's lines, and keeping what the model has no field for.
struct PropertyValues {
  /// What the component said that found no field.
  var preserved = PreservedContent()

  /// Keeps `line` as it stands.
  mutating func keep(_ line: ContentLine) { preserved.properties.append(line.text) }

  /// Keeps the parameters of `line` that `understood` does not name, as a line without a value. The writer
  /// puts them back on the property that they came from.
  mutating func keepParameters(of line: ContentLine, except understood: Set<String> = []) {
    guard !line.parameterRange.isEmpty else { return }
    let rest = line.parameters.filter { !understood.contains($0.name) }
    if !rest.isEmpty {
      preserved.properties.append("\(line.name);\(rest.map(\.text).joined(separator: ";")):")
    }
  }

  /// The TEXT value; `nil`, and the line kept, where it is empty.
  mutating func text(_ line: ContentLine) -> String? {
    guard !line.valueRange.isEmpty else {
      keep(line)
      return nil
    }
    keepParameters(of: line)
    return TextValue.decode(line.bytes[line.valueRange])
  }

  /// The value as it stands; `nil`, and the line kept, where it is empty.
  mutating func raw(_ line: ContentLine) -> String? {
    guard !line.valueRange.isEmpty else {
      keep(line)
      return nil
    }
    keepParameters(of: line)
    return line.value
  }

  /// The number, which must be in `range`. Where it is the `default`, which says what is so without it, the
  /// line is kept.
  mutating func integer(
    _ line: ContentLine, in range: ClosedRange<Int>, default: Int? = nil
  ) throws(BrokenValue) -> Int {
    let text = line.value
    guard let number = Int(text), range.contains(number) else {
      throw BrokenValue(
        message: "'\(text.prefix(40))' is no number from \(range.lowerBound) to \(range.upperBound)")
    }
    if number == `default` { keep(line) } else { keepParameters(of: line) }
    return number
  }

  /// The DATE or DATE-TIME.
  mutating func time(_ line: ContentLine) throws(BrokenValue) -> CalendarTime {
    let time = try TimeValue.read(line.bytes, line.valueRange, zone: zone(of: line))
    keepParameters(of: line, except: ["TZID", "VALUE", "RANGE"])
    return time
  }

  /// The DATE-TIMEs, DATEs or PERIODs of a list.
  mutating func times(_ line: ContentLine) throws(BrokenValue) -> [Recurrence.AdditionalOccurrence] {
    let zone = zone(of: line)
    var times: [Recurrence.AdditionalOccurrence] = []
    for part in ContentLine.split(line.bytes, line.valueRange, at: UInt8(ascii: ",")) where !part.isEmpty {
      times.append(try TimeValue.readPeriod(line.bytes, part, zone: zone))
    }
    keepParameters(of: line, except: ["TZID", "VALUE"])
    return times
  }

  /// The moment of a DATE-TIME that must be in UTC. One that is not is taken for UTC, as what writes these
  /// stamps without a Z means it.
  mutating func instant(_ line: ContentLine) throws(BrokenValue) -> Instant {
    let time = try TimeValue.read(line.bytes, line.valueRange, zone: nil)
    keepParameters(of: line, except: ["TZID", "VALUE"])
    return Instant(seconds: time.civil.secondsSinceEpoch)
  }

  /// The recurrence rule.
  mutating func rule(_ line: ContentLine) throws(BrokenValue) -> RecurrenceRule {
    let rule = try PropertyValues.rule(line)
    keepParameters(of: line)
    return rule
  }

  /// The recurrence rule of a line whose parameters say nothing.
  static func rule(_ line: ContentLine) throws(BrokenValue) -> RecurrenceRule {
    do {
      return try RecurrenceRule(text: line.value)
    } catch {
      throw BrokenValue(message: error.description)
    }
  }

  /// The DURATION.
  static func duration(_ line: ContentLine) throws(BrokenValue) -> CalendarDuration {
    let text = line.value
    guard let duration = CalendarDuration(text: text) else {
      throw BrokenValue(message: "'\(text.prefix(40))' is no duration")
    }
    return duration
  }

  private func zone(of line: ContentLine) -> TimeZoneID? {
    guard !line.parameterRange.isEmpty else { return nil }
    guard let zone = line.parameters.first(where: { $0.name == "TZID" })?.value, !zone.isEmpty else {
      return nil
    }
    return TimeZoneID(rawValue: zone)
  }
}
