import FencepostCalendarModel

/// The properties of a component to write: first the model's, then the kept ones.
///
/// A kept line without a value passes its parameters to the property of its name. A kept line with the
/// model's meaning in another spelling replaces the model's line. Other kept lines are written unchanged,
/// unless the model now states the same.
struct PropertyList {
  private struct Property {
    var name: PropertyName
    var parameters: [String]
    var value: String

    var canonical: CanonicalForm.Meaning { CanonicalForm.Meaning(value, parameters) }
    var line: String { ([name.rawValue] + parameters).joined(separator: ";") + ":" + value }
  }

  private typealias KeptLine = (line: ContentLine?, text: String)

  /// The properties that a component may contain several times.
  private static let plural: Set<PropertyName> = [
    .attendee, .categories, .rrule, .exrule, .rdate, .exdate, .relatedTo, .attach,
  ]

  /// Their parameters belong to the model, so a kept line without a value is one without an address.
  private static let participants: Set<PropertyName> = [.attendee, .organizer]

  private var properties: [Property] = []
  private let kept: [KeptLine]

  /// A list followed by the kept lines.
  init(keeping lines: [String]) { kept = lines.map { (ContentLine($0), $0) } }

  /// Adds a property with an encoded value.
  mutating func add(_ name: PropertyName, _ value: String, parameters: [String] = []) {
    properties.append(Property(name: name, parameters: parameters, value: value))
  }

  /// Adds a TEXT property, if there is text.
  mutating func add(_ name: PropertyName, text: String?) {
    if let text, !text.isEmpty { add(name, TextValue.encode(text)) }
  }

  /// Adds a DATE or DATE-TIME property, if there is a time.
  mutating func add(_ name: PropertyName, time: CalendarTime?, parameters: [String] = []) {
    guard let time else { return }
    add(name, TimeValue.text(time), parameters: PropertyList.parameters(of: time) + parameters)
  }

  /// Adds a property from an encoded line.
  mutating func add(line: String) {
    guard let line = ContentLine(line), let name = line.property else { return }
    add(name, line.value, parameters: line.parameters.map(\.text))
  }

  /// Adds a DATE-TIME in UTC, if there is an instant.
  mutating func add(_ name: PropertyName, instant: Instant?) {
    if let instant { add(name, TimeValue.text(instant)) }
  }

  /// The kept lines with this name and a value.
  func kept(_ name: PropertyName) -> [ContentLine] {
    kept.compactMap(\.line).filter { !$0.valueRange.isEmpty && $0.name == name.rawValue }
  }

  /// True if there is a kept line with this name, without a value and without parameters.
  func keepsEmpty(_ name: PropertyName) -> Bool { kept.contains { $0.text == name.rawValue + ":" } }

  /// Writes everything except kept lines for which `isCurrent` is false.
  func write(to writer: inout LineWriter, keepingIf isCurrent: (ContentLine) -> Bool = { _ in true }) {
    guard !kept.isEmpty else {
      for property in properties { writer.line(property.line) }
      return
    }
    var inherited: [PropertyName: [ContentLine.Parameter]] = [:]
    var spelled: [PropertyName: ArraySlice<KeptLine>] = [:]
    var rest: [String] = []
    let names = Set(properties.map(\.name))
    for (line, text) in kept {
      guard let line, let name = line.property, names.contains(name) else {
        if line.map(isCurrent) ?? true { rest.append(text) }
        continue
      }
      if line.valueRange.isEmpty && !PropertyList.participants.contains(name) {
        inherited[name, default: []] += line.parameters
      } else {
        spelled[name, default: []].append((line, text))
      }
    }
    var isDone: Set<PropertyName> = []
    for property in properties where !isDone.contains(property.name) {
      let name = property.name
      if var lines = spelled[name] {
        if CanonicalForm.lists.contains(name) {
          let mine = properties.filter { $0.name == name }
          let (readable, unreadable) = split(Array(lines), name)
          rest += unreadable.map(\.text)
          spelled[name] = nil
          if hasMeaning(readable, mine, name) {
            for line in readable { writer.line(line.text) }
            isDone.insert(name)
            continue
          }
        } else if let index = lines.firstIndex(where: { hasMeaning($0, property) }) {
          // Usually they are in the model's order: the first line goes, and no other moves.
          let line = index == lines.startIndex ? lines.removeFirst() : lines.remove(at: index)
          writer.line(line.text)
          spelled[name] = lines
          continue
        } else if CanonicalForm.keepsParameters(name), let line = lines.first?.line {
          // The value has changed, but its other parameters stay.
          inherited[name, default: []] += line.parameters.filter {
            !["TZID", "VALUE", "RANGE"].contains($0.name)
          }
        }
      }
      writer.line(with(inherited.removeValue(forKey: name) ?? [], property).line)
    }
    for (name, lines) in spelled where PropertyList.plural.contains(name) {
      // A readable line was in the model before and is now outdated.
      rest += lines.filter { line in line.line.flatMap { CanonicalForm.canonical($0, name) } == nil }.map(
        \.text)
    }
    rest.forEach { writer.line($0) }
  }

  /// `property` with kept parameters.
  private func with(_ inherited: [ContentLine.Parameter], _ property: Property) -> Property {
    if inherited.isEmpty { return property }
    var property = property
    var taken = Set(property.parameters.map { $0.prefix { $0 != "=" } })
    // The parameter for the base of an offset is meaningless for an instant.
    if property.name == .trigger && !property.parameters.isEmpty { taken.insert("RELATED") }
    property.parameters += inherited.lazy.filter { !taken.contains($0.name[...]) }.map(\.text)
    return property
  }

  /// True if a kept line means the same as the property.
  private func hasMeaning(_ kept: KeptLine, _ property: Property) -> Bool {
    guard let canonical = kept.line.flatMap({ CanonicalForm.canonical($0, property.name) }) else {
      return false
    }
    // For the recipients of an alarm, the model only has the address.
    if property.name == .attendee && property.parameters.isEmpty { return canonical.value == property.value }
    return canonical == property.canonical
  }

  private func split(
    _ lines: [KeptLine], _ name: PropertyName
  ) -> (readable: [KeptLine], unreadable: [KeptLine]) {
    var lines = lines
    let end = lines.partition { line in line.line.flatMap { CanonicalForm.elements($0, name) } == nil }
    return (Array(lines[..<end]), Array(lines[end...]))
  }

  /// True if the kept lines of a list together mean the same as the properties with this name.
  private func hasMeaning(_ lines: [KeptLine], _ properties: [Property], _ name: PropertyName) -> Bool {
    if lines.isEmpty { return false }
    let canonical = lines.compactMap(\.line).flatMap { CanonicalForm.elements($0, name) ?? [] }
    let mine = properties.compactMap { ContentLine($0.line) }.flatMap {
      CanonicalForm.elements($0, name) ?? []
    }
    return canonical == mine
  }

  /// VALUE and TZID for `time`.
  static func parameters(of time: CalendarTime) -> [String] {
    switch time {
    case .date: ["VALUE=DATE"]
    case .floating, .utc: []
    case .zoned(_, let zone): ["TZID=\(ParameterText.encode(zone.rawValue))"]
    }
  }

  /// One line for each run of times with the same form and zone.
  static func lines(
    of times: [Recurrence.AdditionalOccurrence]
  ) -> [(value: String, parameters: [String])] {
    var lines: [(String, [String])] = []
    var rest = times[...]
    while let first = rest.first {
      var parameters = parameters(of: first.start)
      if first.end != nil { parameters.append("VALUE=PERIOD") }
      let run = rest.prefix {
        PropertyList.parameters(of: $0.start) == PropertyList.parameters(of: first.start)
          && ($0.end == nil) == (first.end == nil)
      }
      let values = run.map { time in
        TimeValue.text(time.start) + (time.end.map { "/" + TimeValue.text($0) } ?? "")
      }
      lines.append((values.joined(separator: ","), parameters))
      rest = rest.dropFirst(run.count)
    }
    return lines
  }
}
