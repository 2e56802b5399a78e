internal import FencepostCalendarModel
internal import FencepostDatabase
internal import FencepostGeodesy

/// The columns of `structured_locations` for a ``CalendarModel/StructuredLocation``, in the order of binding
/// and reading. The ledger has the same columns for the place at that time.
enum PlaceColumns {
  static let names = [
    "title", "latitude", "longitude", "radius", "address", "preserved_parameters", "shape",
  ]

  /// The item's own place. `+` keeps SQLite from using the index of alarms, where all places without an alarm
  /// are adjacent: it would read all of them for each item.
  static let ofItem = SQL(
    """
    SELECT \(names.joined(separator: ", ")) FROM structured_locations WHERE item = ? AND +alarm IS NULL
    """)
}

extension Binder {
  /// The columns of ``PlaceColumns``.
  mutating func add(_ place: StructuredLocation) {
    add(place.title)
    add(place.coordinate?.latitude)
    add(place.coordinate?.longitude)
    add(place.radius)
    add(place.address)
    add(place.preservedParameters)
    if !place.outline.isEmpty {
      add(GeometryBlob.outline(place.outline))
    } else if let coordinate = place.coordinate, coordinate.isValid {
      add(GeometryBlob.point(coordinate))
    } else {
      null()
    }
  }
}

extension RowReader {
  /// The columns of ``PlaceColumns``.
  mutating func place() -> StructuredLocation {
    // One initializer: a value that is changed step by step is copied on the way.
    let title = text()
    let latitude = optionalDouble()
    let longitude = optionalDouble()
    let radius = double()
    let address = optionalText()
    let parameters = list()
    let outline = withBytes(GeometryBlob.outline(from:))
    if outline == nil { fail("bytes that are no geometry") }
    var coordinate: Coordinate?
    if let latitude, let longitude { coordinate = Coordinate(latitude: latitude, longitude: longitude) }
    return StructuredLocation(
      title: title, coordinate: coordinate, radius: radius, outline: outline ?? [], address: address,
      preservedParameters: parameters)
  }
}
