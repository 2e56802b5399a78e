public import FencepostCalendarModel
public import FencepostCalendarStore

extension StoreReader {
  /// The alarms that were made for a named place: they have its name and its point.
  ///
  /// Cost: one search in the spatial index.
  public borrowing func alarms(at place: StructuredLocation) throws(StoreError) -> [NearbyPlace] {
    guard let coordinate = place.coordinate else { return [] }
    return try places(near: coordinate, within: 1, includesSilenced: true, limit: 1_000_000).filter {
      $0.alarm != nil && $0.location.isSame(as: place)
    }
  }
}

extension StoreWriter {
  /// Keeps a place under its name; refuses a name that is in use.
  ///
  /// - Throws: ``ActionError``, or `StoreError`.
  public borrowing func addPlace(_ place: StructuredLocation) throws {
    try Names.check(place.title, of: "a place")
    if let other = try reader.namedPlace(place.title) {
      throw ActionError.nameTaken(kind: "place", title: other.title)
    }
    try saveNamedPlace(place)
  }

  /// Moves, reshapes or renames a place. The alarms that were made for it change in the same way: an alarm
  /// for arriving at the office waits at the office after it has moved.
  ///
  /// An alarm keeps a radius, an outline or an address that differs from the old place's.
  ///
  /// - Parameters:
  ///   - old: The place as the store has it.
  ///   - new: The place as it shall be.
  ///   - now: The time of the change, for the items of the alarms.
  /// - Returns: The number of alarms that changed with it.
  /// - Throws: ``ActionError``, or `StoreError`.
  public borrowing func changePlace(
    _ old: StructuredLocation, to new: StructuredLocation, at now: Instant
  ) throws -> Int {
    try Names.check(new.title, of: "a place")
    if new.title.lowercased() != old.title.lowercased(), let other = try reader.namedPlace(new.title) {
      throw ActionError.nameTaken(kind: "place", title: other.title)
    }
    guard new != old else { return 0 }
    let alarms = try reader.alarms(at: old)
    if new.title != old.title { try removeNamedPlace(old.title) }
    try saveNamedPlace(new)
    for id in Set(alarms.map(\.item.id)) {
      guard var item = try reader.item(id) else { continue }
      for index in item.alarms.indices {
        guard let place = item.alarms[index].proximity?.location, place.isSame(as: old) else { continue }
        item.alarms[index].proximity?.location = place.following(old, to: new)
      }
      item.lastModified = now
      try save(item)
    }
    return alarms.count
  }
}

extension StructuredLocation {
  /// Whether name and point are equal: then an alarm was made for this named place.
  fileprivate func isSame(as other: StructuredLocation) -> Bool {
    title == other.title && coordinate == other.coordinate
  }

  /// This copy of a named place after the place has changed.
  fileprivate func following(_ old: StructuredLocation, to new: StructuredLocation) -> StructuredLocation {
    var place = self
    place.title = new.title
    place.coordinate = new.coordinate
    if radius == old.radius { place.radius = new.radius }
    if outline == old.outline { place.outline = new.outline }
    if address == old.address { place.address = new.address }
    return place
  }
}
