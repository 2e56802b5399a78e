public import FencepostCalendarModel
public import FencepostDatabase

extension StoreReader {
  /// The named places, by name. The name is the title.
  public func namedPlaces() throws(StoreError) -> [StructuredLocation] {
    try connection.all(Queries.all) { $0.place() }
  }

  /// The place called `name`, in any case.
  public func namedPlace(_ name: String) throws(StoreError) -> StructuredLocation? {
    // There are only a few dozen, and SQLite ignores the case of ASCII letters only.
    let wanted = name.lowercased()
    let places = try namedPlaces()
    return places.first { $0.title == name } ?? places.first { $0.title.lowercased() == wanted }
  }
}

extension StoreWriter {
  /// Saves a place under its title; replaces one with that name.
  public func saveNamedPlace(_ place: StructuredLocation) throws(StoreError) {
    let isNew = try connection.first(Queries.exists, { $0.add(place.title) }, read: { $0.int() }) == nil
    try connection.run(Queries.save) { $0.add(place) }
    try log(isNew ? .inserted : .updated, .place, place.title)
  }

  /// Removes the place with exactly this name. Alarms keep their own copies of the place.
  ///
  /// - Returns: Whether it existed.
  @discardableResult
  public func removeNamedPlace(_ name: String) throws(StoreError) -> Bool {
    try connection.run(Queries.remove) { $0.add(name) }
    guard connection.changedRows > 0 else { return false }
    try log(.removed, .place, name)
    return true
  }
}

private enum Queries {
  static let all = SQL(
    "SELECT \(PlaceColumns.names.joined(separator: ", ")) FROM named_places ORDER BY title COLLATE NOCASE")
  static let exists = SQL("SELECT 1 FROM named_places WHERE title = ?")
  static let save = SQL(
    """
    INSERT INTO named_places (\(PlaceColumns.names.joined(separator: ", ")))
    VALUES (\(PlaceColumns.names.map { _ in "?" }.joined(separator: ", ")))
    ON CONFLICT (title) DO UPDATE SET
      \(PlaceColumns.names.dropFirst().map { "\($0) = excluded.\($0)" }.joined(separator: ", "))
    """)
  static let remove = SQL("DELETE FROM named_places WHERE title = ?")
}
