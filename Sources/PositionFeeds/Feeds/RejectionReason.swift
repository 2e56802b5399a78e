/// Why a record of a trace gave no fix.
///
/// The raw values stand in JSON output: they are never renamed, only added to.
public enum RejectionReason: String, Sendable, Hashable, CaseIterable {
  /// No position, one that is no number, or one out of range.
  case badCoordinate = "bad_coordinate"
  /// No time.
  case noTime = "no_time"
  /// A time that cannot be read, or a day that does not exist.
  case badTime = "bad_time"
  /// A time of day whose date no other record told.
  case noDate = "no_date"
  /// A sentence whose checksum is wrong.
  case badChecksum = "bad_checksum"
  /// A sentence without checksum in a log whose sentences have one.
  case noChecksum = "no_checksum"
  /// A record that does not have the shape of its format.
  case malformed
  /// A receiver that said it had no position.
  case noFix = "no_fix"
  /// The trace ended within a record.
  case truncated
  /// A device beyond the number that one trace may name.
  case tooManyDevices = "too_many_devices"
}
