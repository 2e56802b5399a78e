internal import CalendarModel
internal import Geodesy

/// The columns that hold a position, in the order in which they are bound and read: its time, latitude, longitude,
/// accuracy, altitude, speed and course. Which device it is of stands elsewhere.
extension Binder {
  mutating func add(_ fix: Fix) {
    add(fix.time)
    add(fix.coordinate.latitude)
    add(fix.coordinate.longitude)
    add(fix.horizontalAccuracy)
    add(fix.altitude)
    add(fix.speed)
    add(fix.course)
  }
}

extension RowReader {
  /// `nil` where no position is kept, or none any more.
  mutating func optionalFix() -> Fix? {
    let time = optionalInstant()
    let latitude = optionalDouble()
    let longitude = optionalDouble()
    guard let time, let latitude, let longitude else {
      skip(4)
      return nil
    }
    return Fix(
      time: time, coordinate: Coordinate(latitude: latitude, longitude: longitude),
      horizontalAccuracy: optionalDouble(), altitude: optionalDouble(), speed: optionalDouble(),
      course: optionalDouble())
  }
}
