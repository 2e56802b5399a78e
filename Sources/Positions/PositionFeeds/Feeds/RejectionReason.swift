/// The reason why a record of a trace is not a fix.
///
/// The raw values appear in JSON output: cases are added, never renamed.
public enum RejectionReason: String, Sendable, Hashable, CaseIterable {
  /// There is no position, or it is not a number, or it is out of range.
  case badCoordinate = "bad_coordinate"
  /// No time.
  case noTime = "no_time"
  /// A time that cannot be read, or a day that does not exist.
  case badTime = "bad_time"
  /// A time of day, and no other record has its date.
  case noDate = "no_date"
  /// A sentence whose checksum is wrong.
  case badChecksum = "bad_checksum"
  /// A sentence without a checksum in a log whose sentences have one.
  case noChecksum = "no_checksum"
  /// A record with an invalid structure.
  case malformed
  /// The receiver had no position.
  case noFix = "no_fix"
  /// The trace ended within a record.
  case truncated
  /// A device beyond the maximum per trace.
  case tooManyDevices = "too_many_devices"
}
