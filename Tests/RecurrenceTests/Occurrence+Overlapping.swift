import CalendarModel
import Recurrence

extension Occurrence {
  /// True where it takes place in `range`: it starts there, or it has not ended when the range begins.
  func overlaps(_ range: Range<Instant>) -> Bool {
    startInstant < range.upperBound && (startInstant >= range.lowerBound || endInstant > range.lowerBound)
  }
}
