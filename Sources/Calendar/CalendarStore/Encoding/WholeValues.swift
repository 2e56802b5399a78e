package import FencepostCalendarModel
package import FencepostDatabase

/// Whole values as bytes, for other processes. ``RowReader`` reads each one in the same form. The bytes may
/// come from anybody: what can't be read is damage of the reader, never a crash.
extension Binder {
  /// All of an item, in the form of its image.
  package mutating func add(whole item: CalendarItem) {
    add(item.calendar)
    add(TimedEvents.bytes(of: item, row: 0, calendar: 0))
  }

  /// All of a source.
  package mutating func add(whole source: Source) {
    add(source.id)
    add(source.kind.rawValue)
    add(source.title)
    add(source.isDelegate)
  }

  /// All of a calendar.
  package mutating func add(whole calendar: ItemCalendar) {
    add(calendar.id)
    add(calendar.source)
    addColumns(of: calendar)
  }

  /// All of a place.
  package mutating func add(whole place: StructuredLocation) { add(place) }

  /// All of a zone from a file.
  package mutating func add(whole zone: TimeZoneDefinition) {
    add(zone.id)
    add(zone.text)
    add(zone.observances.count)
    for observance in zone.observances { add(observance) }
  }
}

extension RowReader {
  /// All of an item.
  package mutating func wholeItem() -> CalendarItem {
    var item = CalendarItem.blank
    item.calendar = identifier()
    let context = context
    let damage = withBytes { bytes -> String? in
      var image = RowReader(image: bytes, context: context)
      if image.readImage(into: &item) != nil { return nil }
      return image.damage ?? "another form of items"
    }
    if let damage { fail("no item: \(damage)") }
    return item
  }

  /// All of a source.
  package mutating func wholeSource() -> Source { source() }

  /// All of a calendar.
  package mutating func wholeCalendar() -> ItemCalendar { calendar() }

  /// All of a place.
  package mutating func wholePlace() -> StructuredLocation { place() }

  /// All of a zone from a file.
  package mutating func wholeZone() -> TimeZoneDefinition {
    let id = TimeZoneID(rawValue: text())
    let text = text()
    var observances: [TimeZoneDefinition.Observance] = []
    var left = int()
    while left > 0 && damage == nil {
      observances.append(observance())
      left -= 1
    }
    return TimeZoneDefinition(id: id, observances: observances, text: text)
  }
}
