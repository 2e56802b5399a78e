import FencepostAlarmEngine
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostCryptography
import FencepostGeodesy
import FencepostJSON

/// OwnTracks' message for an arrival or a departure, as its apps publish it. Home Assistant and others read
/// it. (https://owntracks.org/booklet/tech/json/)
struct OwnTracksTransition {
  private let entry: LedgerEntry
  private let crossing: Firing.Crossing

  /// The message of a firing; `nil` if it is neither an arrival nor a departure.
  init?(_ entry: LedgerEntry) {
    guard let crossing = entry.firing.crossing, entry.firing.kind == .enter || entry.firing.kind == .leave
    else { return nil }
    self.entry = entry
    self.crossing = crossing
  }

  /// `BASE/user/device/event`. The user is `fencepost` if the device name has none.
  func topic(base: String) -> String {
    // By scalar: a combining mark after a wildcard forms one character with it, but the wildcard's byte
    // stays.
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
    line.add("desc", entry.firing.place?.title ?? "")
    line.add("tst", seconds(entry.firing.time))
    // The time when the waypoint was made, which identifies waypoints in OwnTracks. We use `rid` instead. The
    // 0 shows our own feeds that this is not a position.
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
