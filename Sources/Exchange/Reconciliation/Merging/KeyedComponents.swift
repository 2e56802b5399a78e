import FencepostCalendarModel
import FencepostICalendar

/// The child components in their order, with keys that match them between two versions.
struct KeyedComponents {
  /// The components for items or occurrences.
  static let items: Set<String> = ["VEVENT", "VTODO", "VJOURNAL"]

  private(set) var entries: [(key: String, component: ComponentTree)] = []
  private var byKey: [String: ComponentTree] = [:]

  /// - Parameter pattern: The same components in another spelling, if keys depend on it: each component takes
  ///   the key of   the one at its position.
  init(_ components: [ComponentTree], like pattern: [ComponentTree]? = nil) {
    let sources = pattern.map { Self.aligned(components, with: $0) } ?? components
    for (component, source) in zip(components, sources) {
      var key = Self.key(of: source)
      // Equal components get keys by their order.
      while byKey[key] != nil { key += "+" }
      byKey[key] = component
      entries.append((key, component))
    }
  }

  subscript(key: String) -> ComponentTree? { byKey[key] }

  /// For each component, the one of `pattern` that provides its key.
  private static func aligned(_ components: [ComponentTree], with pattern: [ComponentTree]) -> [ComponentTree]
  {
    var places: [String: Int] = [:]
    let counts = Dictionary(grouping: components, by: \.name).mapValues(\.count)
    let patterns = Dictionary(grouping: pattern, by: \.name)
    return components.map { component in
      let place = places[component.name, default: 0]
      places[component.name] = place + 1
      guard !items.contains(component.name), let others = patterns[component.name],
        others.count == counts[component.name]
      else { return component }
      return others[place]
    }
  }

  /// The same for an occurrence in UTC and in its zone: servers write one for the other.
  private static func occurrence(_ property: PreservedProperty) -> String {
    guard let instant = property.zonedInstant else { return property.canonical }
    return "\(instant.microseconds) \(property.parameter("RANGE") ?? "")"
  }

  private static func key(of component: ComponentTree) -> String {
    let name = component.name
    func property(_ wanted: String) -> PreservedProperty? {
      component.lines.lazy.compactMap(PreservedProperty.init).first { $0.name == wanted && !$0.value.isEmpty }
    }
    if items.contains(name) {
      return "\(name) \(property("UID")?.value ?? "") \(property("RECURRENCE-ID").map(occurrence) ?? "")"
    }
    if let uid = property("UID") ?? (name == "VALARM" ? property("X-WR-ALARMUID") : nil) {
      return "\(name) \(uid.value)"
    }
    return "\(name)\n" + component.meaning.joined(separator: "\n")
  }
}
