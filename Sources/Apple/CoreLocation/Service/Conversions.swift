import FencepostCalendarModel
import Foundation

extension Date {
  /// The same moment for the rooms below.
  var instant: Instant { Instant(microseconds: Int64((timeIntervalSince1970 * 1_000_000).rounded())) }

  /// The same moment for apps.
  init(_ instant: Instant) { self.init(timeIntervalSince1970: Double(instant.microseconds) / 1_000_000) }
}
