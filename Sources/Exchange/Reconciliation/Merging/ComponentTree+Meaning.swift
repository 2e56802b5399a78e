import FencepostCalendarModel
import FencepostICalendar

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
