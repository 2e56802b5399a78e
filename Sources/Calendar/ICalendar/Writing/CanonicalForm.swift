import FencepostCalendarModel
import FencepostRecurrence

/// The writer's spelling of lines that the reader kept because of their own spelling: `-PT60M` for an hour,
/// one EXDATE a line, needless quotes around a name.
///
/// The reader keeps such lines completely. The writer writes them unchanged as long as the model means the
/// same.
enum CanonicalForm {
  /// The meaning of a property, in the writer's spelling. The order of parameters does not matter.
  struct Meaning: Hashable {
    var parameters: Set<String>
    var value: String

    init(_ value: String, _ parameters: [String] = []) {
      self.value = value
      self.parameters = Set(parameters)
    }
  }

  /// The properties that can be spread over several lines in more than one way.
  static let lists: Set<PropertyName> = [.categories, .exdate, .rdate]
  /// The properties whose parameters do not affect their value.
  static let texts: Set<PropertyName> = [.uid, .summary, .description, .location, .birthdayContact]
  private static let times: Set<PropertyName> = [.dtstart, .dtend, .due, .recurrenceID]
  private static let instants: Set<PropertyName> = [.created, .lastModified, .completed, .acknowledged]
  private static let numbers: Set<PropertyName> = [.sequence, .priority, .percentComplete, .repeat]
  private static let words: Set<PropertyName> = [.status, .classification, .action, .transparency]

  /// True for properties whose other parameters stay when the value changes.
  static func keepsParameters(_ name: PropertyName) -> Bool { texts.contains(name) || times.contains(name) }

  /// The meaning of `line`; `nil` if it is unreadable or has only one spelling.
  static func canonical(_ line: ContentLine, _ name: PropertyName) -> Meaning? {
    switch name {
    case _ where texts.contains(name):
      return Meaning(TextValue.encode(TextValue.decode(line.bytes[line.valueRange])))
    case _ where times.contains(name):
      guard let time = try? TimeValue.read(line.bytes, line.valueRange, zone: line.timeZone) else {
        return nil
      }
      let isFuture = line.parameters.contains {
        $0.name == "RANGE" && $0.value.uppercased() == "THISANDFUTURE"
      }
      return Meaning(
        TimeValue.text(time), PropertyList.parameters(of: time) + (isFuture ? ["RANGE=THISANDFUTURE"] : []))
    case _ where instants.contains(name):
      return (try? TimeValue.instant(line)).map { Meaning(TimeValue.text($0.time)) }
    case _ where numbers.contains(name): return Int(line.word).map { Meaning(String($0)) }
    case _ where words.contains(name): return Meaning(line.word.uppercased())
    case .rrule, .exrule: return (try? PropertyValues.rule(line)).map { Meaning($0.rule.text) }
    case .duration: return CalendarDuration(repairing: line.word).map { Meaning($0.text) }
    case .trigger: return trigger(line)
    case .organizer, .attendee:
      let participant = ParticipantText.read(line)
      return Meaning(
        participant.url, ParticipantText.parameters(participant) + participant.preservedParameters)
    case .appleLocation:
      return ContentLine(AppleLocation.line(AppleLocation.read(line))).map {
        Meaning($0.value, $0.parameters.map(\.text))
      }
    default: return nil
    }
  }

  private static func trigger(_ line: ContentLine) -> Meaning? {
    if let duration = CalendarDuration(repairing: line.word) {
      let related = line.parameters.first { $0.name == "RELATED" }?.value.uppercased()
      return Meaning(duration.text, related == "END" ? ["RELATED=END"] : [])
    }
    return (try? TimeValue.instant(line)).map { Meaning(TimeValue.text($0.time), ["VALUE=DATE-TIME"]) }
  }

  /// The values of a list line, each in the writer's spelling with the meaning of its parameters; `nil` for
  /// an unreadable line.
  static func elements(_ line: ContentLine, _ name: PropertyName) -> [Meaning]? {
    if name == .categories {
      return TextValue.decodeList(line.bytes, line.valueRange).map { Meaning(TextValue.encode($0)) }
    }
    let zone = line.timeZone
    var elements: [Meaning] = []
    for part in line.timeRanges {
      guard let time = (try? TimeValue.readPeriod(line.bytes, part, zone: zone))?.time else { return nil }
      let end = name == .rdate ? time.end.map { "/" + TimeValue.text($0) } : nil
      elements.append(
        Meaning(TimeValue.text(time.start) + (end ?? ""), PropertyList.parameters(of: time.start)))
    }
    return elements
  }
}

extension ContentLine {
  /// The zone of TZID; `nil` if it is missing.
  var timeZone: TimeZoneID? {
    guard !parameterRange.isEmpty,
      let zone = parameters.first(where: { $0.name == "TZID" })?.value, !zone.isEmpty
    else { return nil }
    return TimeZoneID(rawValue: zone)
  }
}
