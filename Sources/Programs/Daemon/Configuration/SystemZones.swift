import FencepostCalendarModel
import FencepostCalendarStore
public import FencepostRecurrence
import FencepostSystem

/// The locations of the system's time zone and of all zones' rules. Both may change while a daemon runs: the
/// user travels, or the rules are updated.
public struct SystemZones: Hashable, Sendable {
  /// The directory of the rules.
  public var directory: String
  /// The file or link that sets the system's zone.
  public var localTime: String
  /// The value of TZ, which has priority over ``localTime``.
  public var environmentZone: String?

  /// The default locations on Linux.
  public init(
    directory: String = TimeZoneDatabase.systemDirectory, localTime: String = "/etc/localtime",
    environmentZone: String? = nil
  ) {
    self.directory = directory
    self.localTime = localTime
    self.environmentZone = environmentZone
  }

  /// The current zones, including those in `store` from imported files. Floating times use `floating`, or the
  /// system's zone.
  func resolver(floating: TimeZoneID?, store: CalendarStore) throws -> TimeResolver {
    let zones = TimeZoneDatabase(
      directory: directory, localTime: localTime, environmentZone: environmentZone)
    for zone in try store.read({ try $0.timeZoneDefinitions() }) { _ = zones.register(zone) }
    return TimeResolver(zones: zones, floating: floating)
  }

  /// Watches for changes. A path that can't be watched is skipped: the daemon still reads the zones at its
  /// start.
  func watches() -> [FileWatch] {
    [localTime, directory + "/tzdata.zi"].compactMap { try? FileWatch(path: $0) }
  }
}
