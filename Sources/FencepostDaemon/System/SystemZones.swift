import CalendarModel
import CalendarStore
public import Recurrence
import System

/// Where the system's zone and the rules of all zones stand, which both may change while a daemon runs: somebody
/// travels, or the system is given new rules.
public struct SystemZones: Hashable, Sendable {
  /// The directory of the rules.
  public var directory: String
  /// The file or link that says which zone the system keeps.
  public var localTime: String
  /// What TZ says, before which ``localTime`` gives way.
  public var environmentZone: String?

  /// Where they stand on Linux, where nothing else is said.
  public init(
    directory: String = TimeZoneDatabase.systemDirectory, localTime: String = "/etc/localtime",
    environmentZone: String? = nil
  ) {
    self.directory = directory
    self.localTime = localTime
    self.environmentZone = environmentZone
  }

  /// The zones as they are now, with those that files brought into `store`. Floating times are read in `floating`, or in
  /// the system's zone.
  func resolver(floating: TimeZoneID?, store: CalendarStore) throws -> TimeResolver {
    let zones = TimeZoneDatabase(
      directory: directory, localTime: localTime, environmentZone: environmentZone)
    for zone in try store.read({ try $0.timeZoneDefinitions() }) { _ = zones.register(zone) }
    return TimeResolver(zones: zones, floating: floating)
  }

  /// What tells of changes. A place that can't be watched is passed over: the zones count when the daemon starts anyway.
  func watches() -> [FileWatch] {
    [localTime, directory + "/tzdata.zi"].compactMap { try? FileWatch(path: $0) }
  }
}
