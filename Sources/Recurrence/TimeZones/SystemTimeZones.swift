import CalendarModel
import Synchronization

/// The zones of the system's compiled data, read when they are first asked for and kept.
final class SystemTimeZones: Sendable {
  /// The directory that zones are read from.
  let directory: String

  /// What was asked for, with the answer; `nil` for names that are no zone's. Files are read outside of the lock.
  private let known = Mutex<[TimeZoneID: ZoneRules?]>([:])

  /// How many names are remembered; names come from files, so their number is bounded.
  private static let knownLimit = 4_096

  init(directory: String) { self.directory = directory }

  /// The rules of the zone called `id`; `nil` where the system has no such zone.
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

  /// The rules of the zone called `id`, read now.
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

  /// Which release of the time zone data this is, such as `2025b`; `nil` where the directory does not say.
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
