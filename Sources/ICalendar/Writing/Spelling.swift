import CalendarModel
import Recurrence

/// How the writer would spell a line that was kept because it is spelled otherwise: `-PT60M` for an hour, an EXDATE a
/// line, quotes round a name that needs none.
///
/// The reader keeps such lines whole. The writer writes them as they stood for as long as the model says the same.
enum Spelling {
  /// What a property says, in the writer's own spelling. The order of parameters means nothing.
  struct Canonical: Hashable {
    var parameters: Set<String>
    var value: String

    init(_ value: String, _ parameters: [String] = []) {
      self.value = value
      self.parameters = Set(parameters)
    }
  }

  /// The properties that may be spelled over several lines in more than one way.
  static let lists: Set<PropertyName> = [.categories, .exdate, .rdate]
  /// The properties whose parameters say nothing of their value.
  static let texts: Set<PropertyName> = [.uid, .summary, .description, .location, .birthdayContact]
  private static let times: Set<PropertyName> = [.dtstart, .dtend, .due, .recurrenceID]
  private static let instants: Set<PropertyName> = [.created, .lastModified, .completed, .acknowledged]
  private static let numbers: Set<PropertyName> = [.sequence, .priority, .percentComplete, .repeat]
  private static let words: Set<PropertyName> = [.status, .classification, .action, .transparency]

  /// True for the properties whose other parameters belong to whatever value comes next.
  static func lendsParameters(_ name: PropertyName) -> Bool { texts.contains(name) || times.contains(name) }

  /// What `line` says; `nil` where it can't be read, or is nothing that is spelled in several ways.
  static func canonical(_ line: ContentLine, _ name: PropertyName) -> Canonical? {
    switch name {
    case _ where texts.contains(name):
      return Canonical(TextValue.encode(TextValue.decode(line.bytes[line.valueRange])))
    case _ where times.contains(name):
      guard let time = try? TimeValue.read(line.bytes, line.valueRange, zone: line.timeZone) else {
        return nil
      }
      let isFuture = line.parameters.contains {
        $0.name == "RANGE" && $0.value.uppercased() == "THISANDFUTURE"
      }
      return Canonical(
        TimeValue.text(time), PropertyList.parameters(of: time) + (isFuture ? ["RANGE=THISANDFUTURE"] : []))
    case _ where instants.contains(name):
      guard let time = try? TimeValue.read(line.bytes, line.valueRange, zone: nil) else { return nil }
      return Canonical(TimeValue.text(Instant(seconds: time.civil.secondsSinceEpoch)))
    case _ where numbers.contains(name): return Int(line.word).map { Canonical(String($0)) }
    case _ where words.contains(name): return Canonical(line.word.uppercased())
    case .rrule, .exrule: return (try? PropertyValues.rule(line)).map { Canonical($0.text) }
    case .duration: return CalendarDuration(text: line.word).map { Canonical($0.text) }
    case .trigger: return trigger(line)
    case .organizer, .attendee:
      let participant = ParticipantText.read(line)
      return Canonical(
        participant.url, ParticipantText.parameters(participant) + participant.preservedParameters)
    case .appleLocation:
      return ContentLine(AppleLocation.line(AppleLocation.read(line))).map {
        Canonical($0.value, $0.parameters.map(\.text))
      }
    default: return nil
    }
  }

  private static func trigger(_ line: ContentLine) -> Canonical? {
    if let duration = CalendarDuration(text: line.word) {
      let related = line.parameters.first { $0.name == "RELATED" }?.value.uppercased()
      return Canonical(duration.text, related == "END" ? ["RELATED=END"] : [])
    }
    guard let time = try? TimeValue.read(line.bytes, line.valueRange, zone: nil) else { return nil }
    return Canonical(
      TimeValue.text(Instant(seconds: time.civil.secondsSinceEpoch)), ["VALUE=DATE-TIME"])
  }

  /// The values of a list over several lines, each in the writer's spelling with what its parameters say; `nil` for
  /// a line that can't be read.
  static func elements(_ line: ContentLine, _ name: PropertyName) -> [Canonical]? {
    if name == .categories {
      return TextValue.decodeList(line.bytes, line.valueRange).map { Canonical(TextValue.encode($0)) }
    }
    let zone = line.timeZone
    var elements: [Canonical] = []
    for part in line.listRanges {
      guard let time = try? TimeValue.readPeriod(line.bytes, part, zone: zone) else { return nil }
      let end = name == .rdate ? time.end.map { "/" + TimeValue.text($0) } : nil
      elements.append(
        Canonical(TimeValue.text(time.start) + (end ?? ""), PropertyList.parameters(of: time.start)))
    }
    return elements
  }
}

extension ContentLine {
  /// The zone that TZID names; `nil` where it names none.
  var timeZone: TimeZoneID? {
    guard !parameterRange.isEmpty,
      let zone = parameters.first(where: { $0.name == "TZID" })?.value, !zone.isEmpty
    else { return nil }
    return TimeZoneID(rawValue: zone)
  }
}
