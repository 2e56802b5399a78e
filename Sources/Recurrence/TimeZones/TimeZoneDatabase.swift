public import CalendarModel
import Synchronization

/// The zones that the system knows, read from its compiled time zone data, and those that came with files.
///
/// One place for all zone rules: an upgrade of the system's tzdata is an upgrade of these. Zones are read
/// when they are first asked for and kept; asking again is a dictionary look-up under a lock.
public final class TimeZoneDatabase: Sendable {
  /// Where the system's data are kept.
  public static let systemDirectory = "/usr/share/zoneinfo"

  /// The system's data, with the zone that TZ and /etc/localtime name.
  public static let system = TimeZoneDatabase(environmentZone: SystemFiles.environment("TZ"))

  /// What the system's zone is called where its file does not say its name.
  public static let unnamedZone = TimeZoneID(rawValue: "localtime")

  /// The directory that zones are read from.
  public let directory: String
  /// Which release of the time zone data the directory holds, such as `2025b`; `nil` where it does not say.
  public let version: String?
  /// The zone of the system: what floating times are read in.
  public let systemZone: ZoneRules

  private struct State {
    /// What was asked for, with the answer; `nil` for names that are no zone's.
    var known: [TimeZoneID: ZoneRules?] = [:]
    /// What files said of zones that the system does not know.
    var definitions: [TimeZoneID: ZoneRules] = [:]
  }

  /// Guards the zones that were read so far. Files are read outside of it.
  private let state = Mutex(State())

  /// How many names are remembered; names come from files, so their number is bounded.
  private static let knownLimit = 4_096

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
    self.directory = directory
    version = Self.version(in: directory)
    systemZone = Self.systemZone(directory: directory, localTime: localTime, environment: environmentZone)
  }

  /// The rules of the zone called `id`; `nil` where nobody knows it.
  ///
  /// Known are the system's names and aliases; the names of Windows zones; offsets such as `UTC+02:00`; names
  /// that end in one of the system's, as `/mozilla.org/20050126_1/Europe/Berlin` and `Europe/Berlin 1` do; and,
  /// last, what was registered.
  public func zone(_ id: TimeZoneID) -> ZoneRules? {
    // Nearly always a name of the system's: one look-up.
    let known: ZoneRules?? = state.withLock { state in
      guard let known = state.known[id] else { return nil }
      return .some(known ?? state.definitions[id])
    }
    if let known { return known }
    let found = Self.find(id, in: directory)
    return state.withLock { state in
      if state.known.count >= Self.knownLimit { state.known.removeAll(keepingCapacity: true) }
      state.known[id] = .some(found)
      return found ?? state.definitions[id]
    }
  }

  /// Makes a zone that came with a file known by its name, for names that the system does not know.
  ///
  /// A later registration replaces an earlier one.
  /// - Returns: False where the system knows the name, so that the definition will not be used.
  @discardableResult
  public func register(_ definition: TimeZoneDefinition) -> Bool {
    state.withLock { $0.definitions[definition.id] = nil }
    guard zone(definition.id) == nil else { return false }
    let rules = ZoneRules(definition)
    state.withLock { $0.definitions[definition.id] = rules }
    return true
  }

  private static func find(_ id: TimeZoneID, in directory: String) -> ZoneRules? {
    for name in TimeZoneName.candidates(for: id.rawValue) {
      if let rules = read(name, in: directory) { return rules }
    }
    if TimeZoneName.isUTC(id.rawValue) { return .utc }
    return TimeZoneName.fixedOffset(id.rawValue).map { ZoneRules(id: id, fixedOffset: $0) }
  }

  private static func read(_ name: String, in directory: String) -> ZoneRules? {
    guard TimeZoneName.isSafe(name), let bytes = SystemFiles.contents("\(directory)/\(name)") else {
      return nil
    }
    return TZifFile(bytes)?.rules(id: TimeZoneID(rawValue: name))
  }

  private static func version(in directory: String) -> String? {
    func word(_ text: some StringProtocol) -> String? {
      let word = text.prefix { $0.isASCII && ($0.isLetter || $0.isNumber) }
      return word.isEmpty || word.count > 16 ? nil : String(word)
    }
    if let start = SystemFiles.contents("\(directory)/tzdata.zi", limit: 64) {
      let text = String(decoding: start, as: UTF8.self)
      let mark = "# version "
      if text.hasPrefix(mark), let version = word(text.dropFirst(mark.count)) { return version }
    }
    return SystemFiles.contents("\(directory)/+VERSION", limit: 64).flatMap {
      word(String(decoding: $0, as: UTF8.self))
    }
  }

  private static func systemZone(directory: String, localTime: String, environment: String?) -> ZoneRules {
    if let environment {
      let text = environment.hasPrefix(":") ? String(environment.dropFirst()) : environment
      if text.isEmpty { return .utc }
      if let zone = find(TimeZoneID(rawValue: text), in: directory) { return zone }
      if let rule = POSIXTimeZone(text: text) {
        return ZoneRules(id: TimeZoneID(rawValue: text), types: [], transitions: [], footer: rule)
      }
      // A name that nobody knows means UTC to the C library too.
      if text != localTime { return .utc }
    }
    if let target = SystemFiles.target(ofLink: localTime),
      let zone = find(TimeZoneID(rawValue: target), in: directory)
    {
      return zone
    }
    guard let bytes = SystemFiles.contents(localTime), let file = TZifFile(bytes) else { return .utc }
    return file.rules(id: unnamedZone)
  }
}
