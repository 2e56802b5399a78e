public import FencepostCalendarModel
import FencepostRecurrence

/// A parsed property (RFC 5545, section 3.1): a line that an item preserves, or a line of a
/// ``ComponentTree``.
public struct PreservedProperty: Sendable {
  /// Its name, in upper case.
  public let name: String
  /// Its raw value.
  public let value: String

  private let parameters: [ContentLine.Parameter]
  private let line: ContentLine

  /// Parses a content line; `nil` if it is not one.
  public init?(_ text: String) {
    guard let line = ContentLine(text) else { return nil }
    self.line = line
    name = line.name
    value = line.value
    parameters = line.parameters
  }

  /// Parses a content line with one of these names, which are in upper case; `nil` for any other line. Cheap
  /// for lines with other names.
  public init?(_ text: String, named names: Set<String>) {
    guard names.contains(where: { text.prefix($0.count).uppercased() == $0 }) else { return nil }
    self.init(text)
    guard names.contains(name) else { return nil }
  }

  /// The value of a parameter, by its name in upper case.
  public func parameter(_ name: String) -> String? { parameters.first { $0.name == name }?.value }

  /// The line in a normal form: lines with the same meaning have the same form. Programs that rewrite a file
  /// change the order of parameters, quotes, escapes and the form of numbers.
  public var canonical: String {
    guard let property = line.property, let meaning = CanonicalForm.canonical(line, property) else {
      return spelled(TextValue.encode(TextValue.decode(Array(value.utf8)[...])), parameters.map(spelled))
    }
    // The model ignores other parameters of a text, but they belong to the line.
    let kept =
      CanonicalForm.keepsParameters(property) ? parameters.filter { $0.name != "VALUE" }.map(spelled) : []
    return spelled(meaning.value, Array(meaning.parameters.union(kept)))
  }

  private func spelled(_ parameter: ContentLine.Parameter) -> String {
    "\(parameter.name)=\(ParameterText.encode(parameter.value))"
  }

  private func spelled(_ value: String, _ parameters: [String]) -> String {
    ([name] + parameters.sorted()).joined(separator: ";") + ":" + value
  }

  /// The elements of a list of texts or dates (CATEGORIES, EXDATE, RDATE), each as a separate line in normal
  /// form; `nil` if the property is not such a list, or is unreadable.
  public var elements: [String]? {
    guard let property = line.property, CanonicalForm.lists.contains(property) else { return nil }
    return CanonicalForm.elements(line, property)?.map { spelled($0.value, Array($0.parameters)) }
  }

  /// The value as an instant, for a DATE-TIME in UTC (LAST-MODIFIED, DTSTAMP, COMPLETED); `nil` if it is
  /// unreadable.
  public var instant: Instant? {
    var values = PropertyValues()
    return try? values.instant(line)
  }

  /// The instant of a DATE-TIME in UTC or in a zone that the system knows; `nil` for other values.
  public var zonedInstant: Instant? {
    let resolver = TimeResolver()
    guard let time = try? TimeValue.read(line.bytes, line.valueRange, zone: line.timeZone),
      time.zone != nil, resolver.isKnown(time)
    else { return nil }
    return resolver.instant(of: time)
  }
}

extension PreservedComponent {
  /// A component from the lines of a file.
  init(_ component: RawComponent, in text: ComponentText) {
    let lines = text.joined(component.lines)
    var uid: String?
    var occurrence: String?
    for index in component.properties {
      guard let line = ContentLine(text.lines[index], in: text) else { continue }
      switch line.property {
      case .uid: uid = uid ?? TextValue.decode(line.bytes[line.valueRange])
      case .recurrenceID: occurrence = occurrence ?? line.word
      default: break
      }
    }
    let id = uid.flatMap { $0.isEmpty ? nil : $0 } ?? Identity.uid(of: Array(lines.utf8))
    self.init(name: component.name, id: occurrence.map { "\(id)/\($0)" } ?? id, text: lines)
  }

  /// True if `other` is a later revision of the same component. Compares SEQUENCE, then LAST-MODIFIED or
  /// DTSTAMP (RFC 5546, section 2.1.5).
  public func isOlder(than other: PreservedComponent) -> Bool {
    let (mine, theirs) = (revision, other.revision)
    if mine.sequence != theirs.sequence { return mine.sequence < theirs.sequence }
    guard let theirTime = theirs.time else { return false }
    return mine.time ?? .epoch < theirTime
  }

  /// The zones of its times.
  public var timeZones: Set<TimeZoneID> {
    var zones: Set<TimeZoneID> = []
    for part in text.split(separator: "\n") where part.utf8.contains(UInt8(ascii: ";")) {
      if let zone = ContentLine(String(part))?.timeZone { zones.insert(zone) }
    }
    return zones
  }

  private var revision: (sequence: Int, time: Instant?) {
    var (depth, sequence) = (0, 0)
    var stamp: Instant?
    var modified: Instant?
    for part in text.split(separator: "\n") {
      guard let line = ContentLine(String(part)) else { continue }
      switch line.keyword {
      case .begin: depth += 1
      case .end: depth -= 1
      case .property where depth == 1:
        var values = PropertyValues()
        switch line.property {
        case .sequence: sequence = Int(line.word) ?? sequence
        case .dtstamp: stamp = try? values.instant(line)
        case .lastModified: modified = try? values.instant(line)
        default: break
        }
      case .property: break
      }
    }
    return (sequence, modified ?? stamp)
  }
}
