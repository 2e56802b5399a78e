import Cryptography
import AlarmEngine
import CalendarModel
import CalendarStore
import Geodesy
import JSON

/// OwnTracks' message of somebody who entered or left a place, as its apps publish it and Home Assistant and others
/// understand it. (https://owntracks.org/booklet/tech/json/)
struct OwnTracksTransition {
  private let entry: LedgerEntry
  private let crossing: Firing.Crossing

  /// The message of a firing; `nil` where it is another one than of entering or leaving.
  init?(_ entry: LedgerEntry) {
    guard let crossing = entry.firing.crossing, entry.firing.kind == .enter || entry.firing.kind == .leave
    else { return nil }
    self.entry = entry
    self.crossing = crossing
  }

  /// `BASE/user/device/event`. A device without a user is one of `fencepost`.
  func topic(base: String) -> String {
    // Scalar by scalar: a mark after a wildcard makes another character of it, and no other byte.
    let scalars = crossing.device.unicodeScalars.map { MQTTAddress.canBePublished($0) ? $0 : "_" }
    let name = String(String.UnicodeScalarView(scalars))
    let levels = name.split(separator: "/")
    let device = levels.count > 1 ? levels.joined(separator: "/") : "fencepost/\(levels.first ?? "device")"
    return "\(base)/\(device)/event"
  }

  /// The message.
  var payload: String {
    var line = JSONLine()
    line.add("_type", "transition")
    line.add("event", entry.firing.kind.rawValue)
    line.add("desc", crossing.place.title)
    line.add("tst", seconds(entry.firing.time))
    // When the waypoint was made, by which OwnTracks tells waypoints apart. Ours are told apart by `rid`, and a feed knows
    // them by the 0: they are not positions.
    line.add("wtst", 0)
    line.add("lat", crossing.position.latitude)
    line.add("lon", crossing.position.longitude)
    line.add("acc", crossing.accuracy ?? 0)
    line.add("tid", String(crossing.device.suffix(2)))
    line.add("t", "l")
    line.add("rid", digest(entry.firing.alarm.rawValue, 12))
    line.add("_id", digest(entry.firing.key, 16))
    return line.line
  }

  private func digest(_ text: String, _ length: Int) -> String {
    String(MessageDigest.hexadecimal(MessageDigest.sha256(Array(text.utf8))).prefix(length))
  }

  private func seconds(_ instant: Instant) -> Int {
    Int((Double(instant.microseconds) / 1e6).rounded(.down))
  }
}
