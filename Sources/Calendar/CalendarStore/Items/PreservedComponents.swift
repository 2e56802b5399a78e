public import FencepostCalendarModel
public import FencepostDatabase

extension StoreReader {
  /// The components of a calendar other than events and reminders; of all calendars for `nil`. Sorted by
  /// name, then by identifier.
  public func preservedComponents(
    in calendar: Identifier<ItemCalendar>? = nil
  ) throws(StoreError) -> [PreservedComponent] {
    try connection.all(Queries.all, { $0.add(calendar) }, read: { $0.preservedComponent() })
  }

  /// The component of a calendar with a name and an identifier.
  public func preservedComponent(
    named name: String, _ id: String, in calendar: Identifier<ItemCalendar>
  ) throws(StoreError) -> PreservedComponent? {
    try connection.first(
      Queries.one,
      {
        $0.add(calendar)
        $0.add(name)
        $0.add(id)
      }, read: { $0.preservedComponent() })
  }
}

extension StoreWriter {
  /// Adds a component to a calendar, or changes the one with its name and identifier. Logged as a change of
  /// the calendar.
  public func save(
    _ component: PreservedComponent, in calendar: Identifier<ItemCalendar>
  ) throws(StoreError) {
    connection.recorder?.checkMemory()
    try connection.run(Queries.save) {
      $0.add(component.name)
      $0.add(component.id)
      $0.add(component.text)
      $0.add(calendar)
    }
    try log(.updated, .calendar, calendar.rawValue)
  }

  /// Removes a component from a calendar, if it is there.
  public func remove(
    _ component: PreservedComponent, from calendar: Identifier<ItemCalendar>
  ) throws(StoreError) {
    try connection.run(Queries.remove) {
      $0.add(calendar)
      $0.add(component.name)
      $0.add(component.id)
    }
    if connection.changedRows > 0 { try log(.updated, .calendar, calendar.rawValue) }
  }
}

extension RowReader {
  fileprivate mutating func preservedComponent() -> PreservedComponent {
    PreservedComponent(name: text(), id: text(), text: text())
  }
}

private enum Queries {
  private static let selection = """
    SELECT p.name, p.id, p.text FROM preserved_components p JOIN calendars c ON c.row = p.calendar\u{20}
    """
  static let all = SQL(selection + "WHERE c.id = ?1 OR ?1 IS NULL ORDER BY p.calendar, p.name, p.id")
  static let one = SQL(selection + "WHERE c.id = ? AND p.name = ? AND p.id = ?")
  static let save = SQL(
    """
    INSERT OR REPLACE INTO preserved_components (name, id, text, calendar)
    SELECT ?1, ?2, ?3, row FROM calendars WHERE id = ?4
    """)
  static let remove = SQL(
    """
    DELETE FROM preserved_components
    WHERE calendar = (SELECT row FROM calendars WHERE id = ?) AND name = ? AND id = ?
    """)
}
