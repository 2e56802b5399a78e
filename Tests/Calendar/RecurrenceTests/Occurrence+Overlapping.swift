import FencepostCalendarModel
import FencepostRecurrence

extension Occurrence {
  /// Whether it takes place in `range`: it starts there, or is still running when the range begins.
  func overlaps(_ range: Range<Instant>) -> Bool {
    startInstant < range.upperBound && (startInstant >= range.lowerBound || endInstant > range.lowerBound)
  }
}
