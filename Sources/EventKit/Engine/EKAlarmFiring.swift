import CalendarModel
public import CoreLocation
import Foundation
import Geodesy
import Recurrence

/// An alarm went off. Fencepost's own.
public struct EKAlarmFiring: Sendable, Identifiable {
  /// Why.
  public enum Kind: String, Sendable, CaseIterable {
    /// A device came to the alarm's place.
    case enter
    /// A device left it.
    case leave
    /// A device stayed there for as long as the alarm wants.
    case dwell
    /// A date came.
    case absolute
    /// An item's start or due date came near, or was so long ago.
    case relative
  }

  /// What tells it from all other firings; the same if it is told twice.
  public let id: String
  /// Why.
  public let kind: Kind
  /// When the boundary was crossed, or when the alarm was due.
  public let date: Date
  /// When that was sure, and the alarm went off; ``date`` for alarms of time.
  public let confirmationDate: Date
  /// The item: ``EKEventStore/calendarItem(withIdentifier:)`` finds it.
  public let calendarItemIdentifier: String
  /// For an alarm of time of an item that repeats, when the occurrence starts.
  public let occurrenceDate: Date?
  /// For an alarm of place, where the device was when it was sure.
  public let location: CLLocation?
  /// For an alarm of place, the name of the place.
  public let placeTitle: String?
  /// For an alarm of place, the device that was named when its position was told.
  public let device: String?
  /// True where it goes off after its time, because nothing ran then.
  public let isLate: Bool

  init(_ firing: Firing, resolver: TimeResolver) {
    id = firing.key
    kind =
      switch firing.kind {
      case .enter: .enter
      case .leave: .leave
      case .dwell: .dwell
      case .absolute: .absolute
      case .relative: .relative
      }
    date = Date(firing.time)
    confirmationDate = Date(firing.wentOffAt)
    calendarItemIdentifier = firing.item.rawValue
    occurrenceDate = firing.occurrence.map { resolver.date(of: $0) }
    location = firing.crossing.map { crossing in
      CLLocation(
        coordinate: CLLocationCoordinate2D(
          latitude: crossing.position.latitude, longitude: crossing.position.longitude), altitude: 0,
        horizontalAccuracy: crossing.accuracy ?? 0, verticalAccuracy: -1, timestamp: Date(firing.wentOffAt))
    }
    placeTitle = firing.crossing?.place.title
    device = firing.crossing?.device
    isLate = firing.isLate
  }
}
