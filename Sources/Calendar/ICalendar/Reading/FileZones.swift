import FencepostCalendarModel
import FencepostRecurrence

/// The zones of a file while it is read: those of the system, those that the file defines, and the zone of
/// the file itself, in which times without a zone are meant.
///
/// A class, because the decoders of a file share it. Confined to one thread.
final class FileZones {
  /// Rules for the zones of the system and of the file.
  private let database = TimeZoneDatabase(systemOf: .system)
  private var definitions: [TimeZoneID: TimeZoneDefinition] = [:]
  private let systemZone: ZoneRules
  private var isNamed = false
  /// The zones of times, with the first line of each.
  private var used: [TimeZoneID: Int] = [:]
  private var lastUsed: TimeZoneID?

  /// The zone of the file: X-WR-TIMEZONE, else the first VTIMEZONE, else the zone of this system.
  private(set) var own: ZoneRules

  /// The most zones that the reader checks.
  private static let maximumUsed = 1_000

  /// - Parameter systemZone: The zone of this system.
  init(systemZone: ZoneRules) {
    self.systemZone = systemZone
    own = systemZone
  }

  /// Takes the zone of the file from X-WR-TIMEZONE.
  func setOwn(_ name: String) {
    guard let rules = database.zone(TimeZoneID(rawValue: name)) else { return }
    own = rules
    isNamed = true
  }

  /// Adds a VTIMEZONE.
  func add(_ zone: TimeZoneDefinition) {
    definitions[zone.id] = zone
    guard !isNamed else { return }
    own = rules(of: zone.id) ?? own
    isNamed = true
  }

  /// The rules of a zone; `nil` if neither the system nor the file so far knows it.
  private func rules(of zone: TimeZoneID) -> ZoneRules? {
    // Only zones that are needed are computed.
    if let definition = definitions.removeValue(forKey: zone) {
      database.register(definition)
    }
    return database.zone(zone)
  }

  /// A resolver for `time` and times in its zone. Times without a zone are in the zone of this system.
  func resolver(for time: CalendarTime?) -> TimeResolver {
    if let zone = time?.zone { _ = rules(of: zone) }
    return TimeResolver(zones: database, floating: systemZone)
  }

  /// The instant of a time. Without a zone, it is in `zone`, else in the zone of this system.
  func instant(of time: CalendarTime, in zone: TimeZoneID?) -> Instant {
    guard let zone, time.zone == nil else { return resolver(for: time).instant(of: time) }
    return instant(of: .zoned(time.civil, zone), in: nil)
  }

  /// Remembers the zone of a time, for ``unknown()``.
  func use(_ zone: TimeZoneID, line: Int) {
    if zone == lastUsed { return }
    lastUsed = zone
    if used[zone] == nil && used.count < Self.maximumUsed { used[zone] = line }
  }

  /// The zones of times that neither the system nor the file knows, with the first line of each.
  func unknown() -> [(zone: TimeZoneID, line: Int)] {
    used.filter { definitions[$0.key] == nil && database.zone($0.key) == nil }
      .map { (zone: $0.key, line: $0.value) }.sorted { $0.line < $1.line }
  }
}
