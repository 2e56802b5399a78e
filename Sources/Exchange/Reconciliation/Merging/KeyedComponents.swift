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

extension ComponentTree {
  /// A series without the EXDATE of a changed occurrence; any other component as it is. A program that
  /// removes a changed occurrence adds that EXDATE, and if the change wins, the occurrence takes place.
  func reinstating(_ occurrence: ComponentTree) -> ComponentTree {
    guard name == occurrence.name, text(of: "UID") == occurrence.text(of: "UID"),
      text(of: "RECURRENCE-ID") == nil, let excluded = Self.exception(for: occurrence)
    else { return self }
    var series = self
    series.lines = lines.flatMap { line -> [String] in
      guard line.hasPrefix("EXDATE"), let elements = PreservedProperty(line)?.elements,
        elements.contains(excluded)
      else { return [line] }
      return elements.filter { $0 != excluded }
    }
    return series
  }

  /// The EXDATE that excludes a changed occurrence, in the normal form.
  private static func exception(for occurrence: ComponentTree) -> String? {
    let name = "RECURRENCE-ID"
    guard let line = occurrence.lines.first(where: { $0.hasPrefix(name) }) else { return nil }
    let plain = line.dropFirst(name.count).replacing(";RANGE=THISANDFUTURE", with: "")
    return PreservedProperty("EXDATE" + plain)?.elements?.first
  }
}

extension ComponentTree {
  /// Equal for components with the same meaning: its lines in one spelling and order, without the stamps that
  /// programs update even if nothing changed.
  var meaning: [String] {
    let own = lines.flatMap { line -> [String] in
      guard let property = PreservedProperty(line) else { return [] }
      if PropertyUnit.idleStamps.contains(property.name) { return [] }
      return property.elements ?? [property.canonical]
    }
    let inner = components.map { ([$0.name] + $0.meaning).joined(separator: "\n") }
    return own.sorted() + inner.sorted()
  }

  /// The time of its last change: LAST-MODIFIED, otherwise DTSTAMP.
  var revision: Instant {
    var found: [String: Instant] = [:]
    for line in lines where line.hasPrefix("LAST-MODIFIED") || line.hasPrefix("DTSTAMP") {
      guard let property = PreservedProperty(line), let time = property.instant else { continue }
      found[property.name] = time
    }
    return found["LAST-MODIFIED"] ?? found["DTSTAMP"] ?? .distantPast
  }

  /// Its lines for display, without stamps.
  var summary: [String] { lines.filter { !$0.hasPrefix("DTSTAMP") && !$0.hasPrefix("UID") } }

  /// Adds the names of its zones.
  func addZones(to zones: inout Set<String>) {
    for line in lines where line.utf8.contains(UInt8(ascii: ";")) {
      if let zone = PreservedProperty(line)?.parameter("TZID") { zones.insert(zone) }
    }
    for component in components { component.addZones(to: &zones) }
  }
}
