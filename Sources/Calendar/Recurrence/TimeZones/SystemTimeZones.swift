import FencepostCalendarModel
import Synchronization

/// The zones of the system's compiled data. It reads them on first use and keeps them.
final class SystemTimeZones: Sendable {
  /// The directory of the zone files.
  let directory: String

  /// The results by name; `nil` for unknown names. Files are read without the lock.
  private let known = Mutex<[TimeZoneID: ZoneRules?]>([:])

  /// The maximum number of names to keep. Names come from files, so their number needs a limit.
  private static let knownLimit = 4_096

  init(directory: String) { self.directory = directory }

  /// The rules of the zone called `id`; `nil` if the system does not have it.
  func zone(_ id: TimeZoneID) -> ZoneRules? {
    let kept: ZoneRules?? = known.withLock { $0[id] }
    if let kept { return kept }
    let found = find(id)
    known.withLock { known in
      if known.count >= Self.knownLimit { known.removeAll(keepingCapacity: true) }
      known[id] = .some(found)
    }
    return found
  }

  /// Reads the rules of the zone called `id` from its file.
  func find(_ id: TimeZoneID) -> ZoneRules? {
    for name in TimeZoneName.candidates(for: id.rawValue) {
      if let rules = read(name) { return rules }
    }
    if TimeZoneName.isUTC(id.rawValue) { return .utc }
    return TimeZoneName.fixedOffset(id.rawValue).map { ZoneRules(id: id, fixedOffset: $0) }
  }

  private func read(_ name: String) -> ZoneRules? {
    guard TimeZoneName.isSafe(name), let bytes = SystemFiles.contents("\(directory)/\(name)") else {
      return nil
    }
    return TZifFile(bytes)?.rules(id: TimeZoneID(rawValue: name))
  }

  /// The release of the time zone data, for example `2025b`; `nil` if unknown.
  var version: String? {
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
}
