import FencepostCalendarModel
import FencepostCalendarStore

/// How far the due times in a store have followed its changes.
struct ArmingMark {
  /// The last change that is included.
  var sequence: Int64
  /// When that was checked.
  var time: Instant

  private static let key = "armed-through"

  init(sequence: Int64, time: Instant) {
    self.sequence = sequence
    self.time = time
  }

  init?(in reader: borrowing StoreReader) throws {
    guard let parts = try reader.setting(Self.key)?.split(separator: " "), parts.count == 2,
      let sequence = Int64(parts[0]), let microseconds = Int64(parts[1])
    else { return nil }
    self.init(sequence: sequence, time: Instant(microseconds: microseconds))
  }

  func save(in writer: borrowing StoreWriter) throws {
    try writer.setQuietly("\(sequence) \(time.microseconds)", for: Self.key)
  }
}
