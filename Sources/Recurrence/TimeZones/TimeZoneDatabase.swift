public import CalendarModel
import Synchronization

/// The zones that the system knows, read from its compiled time zone data, and those that came with files.
///
/// One place for all zone rules: an upgrade of the system's tzdata is an upgrade of these. Zones are read
/// when they are first asked for and kept; asking again is a dictionary look-up under a lock.
///
/// A store's files say what a zone means in that store alone, so each store has a database of its own
/// (``init(systemOf:)``). ``system`` is for what no store says; nothing registers there.
public final class TimeZoneDatabase: Sendable {
  /// Where the system's data are kept.
  public static let systemDirectory = "/usr/share/zoneinfo"

  /// The system's data, with the zone that TZ and /etc/localtime name.
  public static let system = TimeZoneDatabase(environmentZone: SystemFiles.environment("TZ"))

  /// What the system's zone is called where its file does not say its name.
  public static let unnamedZone = TimeZoneID(rawValue: "localtime")

  /// The zones of the system.
  private let system: SystemTimeZones
  /// What files said of zones that the system does not know.
  private let definitions = Mutex<[TimeZoneID: ZoneRules]>([:])
  /// Which release of the time zone data the directory holds, such as `2025b`; `nil` where it does not say.
  public let version: String?
  /// The zone of the system: what floating times are read in.
  public let systemZone: ZoneRules

  /// The directory that zones are read from.
  public var directory: String { system.directory }

  /// A database over a directory of TZif files.
  ///
  /// - Parameters:
  ///   - directory: The directory, such as `/usr/share/zoneinfo`.
  ///   - localTime: The file or link that says which zone the system keeps.
  ///   - environmentZone: What TZ says, before which `localTime` gives way; `nil` where it is not set.
  public init(
    directory: String = TimeZoneDatabase.systemDirectory, localTime: String = "/etc/localtime",
    environmentZone: String? = nil
  ) {
    system = SystemTimeZones(directory: directory)
    version = system.version
    systemZone = Self.systemZone(in: system, localTime: localTime, environment: environmentZone)
  }

  /// A database with the system's zones of another one, and no definitions yet. Cheap: what was read is shared.
  public init(systemOf other: TimeZoneDatabase) {
    system = other.system
    version = other.version
    systemZone = other.systemZone
  }

  /// The rules of the zone called `id`; `nil` where nobody knows it.
  ///
  /// Known are the system's names and aliases; the names of Windows zones; offsets such as `UTC+02:00`; names
  /// that end in one of the system's, as `/mozilla.org/20050126_1/Europe/Berlin` and `Europe/Berlin 1` do; and,
  /// last, what was registered.
  public func zone(_ id: TimeZoneID) -> ZoneRules? {
    system.zone(id) ?? definitions.withLock { $0[id] }
  }

  /// Makes a zone that came with a file known by its name, for names that the system does not know.
  ///
  /// A later registration replaces an earlier one; who asks meanwhile gets either of them.
  /// - Returns: False where the system knows the name, so that the definition will not be used.
  @discardableResult
  public func register(_ definition: TimeZoneDefinition) -> Bool {
    guard system.zone(definition.id) == nil else { return false }
    let rules = ZoneRules(definition)
    definitions.withLock { $0[definition.id] = rules }
    return true
  }

  /// Makes these the zones that came with files, in place of all that were registered, in one step.
  public func replaceDefinitions(with all: [TimeZoneDefinition]) {
    let rules = all.filter { system.zone($0.id) == nil }.map { ($0.id, ZoneRules($0)) }
    definitions.withLock { $0 = Dictionary(rules) { $1 } }
  }

  private static func systemZone(
    in system: SystemTimeZones, localTime: String, environment: String?
  ) -> ZoneRules {
    if let environment {
      let text = environment.hasPrefix(":") ? String(environment.dropFirst()) : environment
      if text.isEmpty { return .utc }
      if let zone = system.find(TimeZoneID(rawValue: text)) { return zone }
      if let rule = POSIXTimeZone(text: text) {
        return ZoneRules(id: TimeZoneID(rawValue: text), types: [], transitions: [], footer: rule)
      }
      // A name that nobody knows means UTC to the C library too.
      if text != localTime { return .utc }
    }
    if let target = SystemFiles.target(ofLink: localTime),
      let zone = system.find(TimeZoneID(rawValue: target))
    {
      return zone
    }
    guard let bytes = SystemFiles.contents(localTime), let file = TZifFile(bytes) else { return .utc }
    return file.rules(id: unnamedZone)
  }
}
