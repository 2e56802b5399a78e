import CalendarModel

/// X-GEOFENCE-RADIUS of jtx Board: an item that wants to be told of within so many metres of its own place, on
/// arriving or being there.
enum GeofenceRadius {
  /// The alarm that says the same; `nil` where the item has no place.
  static func alarm(_ radius: Double, of item: CalendarItem) -> Alarm? {
    guard var place = item.structuredLocation, place.coordinate != nil else { return nil }
    place.radius = radius
    let id = Identity.item(uid: item.uid, occurrence: item.detachment?.occurrence)
    return Alarm(
      id: Identifier(rawValue: "\(id)#geofence"),
      proximity: ProximityTrigger(.enter, at: place, firesIfInside: true))
  }

  /// The alarm that a kept line of the item says; `nil` where there is none.
  static func alarm(keptIn item: CalendarItem) -> Alarm? {
    let name = PropertyName.geofenceRadius.rawValue
    let line = item.preserved.properties.lazy.filter { $0.hasPrefix(name) }
      .compactMap { ContentLine($0) }.first { $0.name == name }
    return line.flatMap { GeoValue.readRadius($0.value) }.flatMap { alarm($0, of: item) }
  }
}
