import CalendarModel

/// The properties of a component that is being written: first the model's, then those that were kept.
///
/// A kept line that has no value lends its parameters to the property of its name. A kept line with one is
/// written as it stands, unless the model now says what it said.
struct PropertyList {
  private struct Property {
    var name: PropertyName
    var parameters: [String]
    var value: String
  }

  /// The properties of which a component may have several.
  private static let plural: Set<PropertyName> = [
    .attendee, .categories, .rrule, .exrule, .rdate, .exdate, .relatedTo, .attach,
  ]

  private var properties: [Property] = []
  private let kept: [(line: ContentLine?, text: String)]

  /// A list that ends with the kept lines.
  init(keeping lines: [String]) { kept = lines.map { (ContentLine($0), $0) } }

  /// Adds a property whose value is as it is to be written.
  mutating func add(_ name: PropertyName, _ value: String, parameters: [String] = []) {
    properties.append(Property(name: name, parameters: parameters, value: value))
  }

  /// Adds a TEXT property, unless there is no text.
  mutating func add(_ name: PropertyName, text: String?) {
    if let text, !text.isEmpty { add(name, TextValue.encode(text)) }
  }

  /// Adds a DATE or DATE-TIME property, unless there is no time.
  mutating func add(_ name: PropertyName, time: CalendarTime?, parameters: [String] = []) {
    guard let time else { return }
    add(name, TimeValue.text(time), parameters: PropertyList.parameters(of: time) + parameters)
  }

  /// Adds a property of the model's that was spelled elsewhere.
  mutating func add(line: String) {
    guard let line = ContentLine(line), let name = PropertyName(name: line.name) else { return }
    add(name, line.value, parameters: line.parameters.map(\.text))
  }

  /// Adds a DATE-TIME in UTC, unless there is no moment.
  mutating func add(_ name: PropertyName, instant: Instant?) {
    if let instant { add(name, TimeValue.text(instant)) }
  }

  /// The kept lines of that name that have a value.
  func kept(_ name: PropertyName) -> [ContentLine] {
    kept.compactMap(\.line).filter { !$0.valueRange.isEmpty && $0.name == name.rawValue }
  }

  /// Writes all of it, but for the kept lines that `isCurrent` refuses.
  func write(to writer: inout LineWriter, keepingIf isCurrent: (ContentLine) -> Bool = { _ in true }) {
    var lent: [PropertyName: [ContentLine.Parameter]] = [:]
    var rest: [String] = []
    let names = Set(properties.map(\.name))
    for (line, text) in kept {
      guard let line, let name = PropertyName(name: line.name), names.contains(name) else {
        if line.map(isCurrent) ?? true { rest.append(text) }
        continue
      }
      if line.valueRange.isEmpty {
        lent[name, default: []] += line.parameters
      } else if PropertyList.plural.contains(name) {
        rest.append(text)
      }
    }
    for property in properties {
      var parameters = property.parameters
      var taken = Set(parameters.map { $0.prefix { $0 != "=" } })
      // What is told from the start says nothing for a moment.
      if property.name == .trigger && !parameters.isEmpty { taken.insert("RELATED") }
      parameters += (lent.removeValue(forKey: property.name) ?? []).lazy
        .filter { !taken.contains($0.name[...]) }.map(\.text)
      writer.line(([property.name.rawValue] + parameters).joined(separator: ";") + ":" + property.value)
    }
    rest.forEach { writer.line($0) }
  }

  /// VALUE and TZID, as `time` asks for them.
  static func parameters(of time: CalendarTime) -> [String] {
    switch time {
    case .date: ["VALUE=DATE"]
    case .floating, .utc: []
    case .zoned(_, let zone): ["TZID=\(ParameterText.encode(zone.rawValue))"]
    }
  }
}
