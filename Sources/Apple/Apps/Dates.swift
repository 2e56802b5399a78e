package import FencepostSpatiotemporal
package import Foundation

extension Date {
  /// The date of an instant.
  package init(_ instant: Instant) { self.init(timeIntervalSince1970: instant.secondsSince1970) }

  /// The instant, to the microsecond. Dates out of range become the first or last instant.
  package var instant: Instant {
    Instant(secondsSince1970: timeIntervalSince1970)
      ?? (timeIntervalSince1970 < 0 ? .distantPast : .distantFuture)
  }
}
