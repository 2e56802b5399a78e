public import FencepostCalendarModel
import FencepostCalendarStore
import FencepostRecurrence

/// Hours of each day in which channels tell of places and bookings without a sound.
///
/// Nothing is held back. An alarm at a time is never quiet, because its user chose the time; nor is the alarm of
/// an item of high priority.
public struct QuietHours: Hashable, Sendable {
  /// The hours, on the wall clock of the user's zone. They may span midnight.
  public var hours: TimeWindow.Hours

  /// Quiet hours.
  public init(_ hours: TimeWindow.Hours) { self.hours = hours }

  /// Whether they are on at an instant.
  func contains(_ instant: Instant, _ resolver: TimeResolver) -> Bool {
    TimeWindow(hours: hours).contains(resolver.floating.civil(at: instant))
  }

  /// The priorities that are never quiet: those that RFC 5545 §3.8.1.9 calls high.
  private static let loudPriorities = 1...4

  /// Whether they apply to a notice. A snoozed alarm is one at a time.
  ///
  /// Cost: a query for an alarm at a place.
  func apply(to notice: Notice, _ reader: borrowing StoreReader) throws(StoreError) -> Bool {
    guard let firing = notice.firing?.firing else { return true }
    guard notice.kind.isAtPlace else { return false }
    return !Self.loudPriorities.contains(try reader.item(firing.item)?.priority ?? 0)
  }
}

extension Notice.Kind {
  /// Whether the boundary of a place was crossed.
  fileprivate var isAtPlace: Bool {
    switch self {
    case .enter, .leave, .dwell: true
    case .absolute, .relative, .suggestion: false
    }
  }
}
