import FencepostCalendarModel
import FencepostCalendarStore
import FencepostICalendar
import FencepostRecurrence

/// The names in the store for the zones that a file defines.
///
/// In a file, a TZID belongs to its calendar (RFC 5545, section 3.8.3.1), but the store knows a zone by its
/// name alone. So if the items of others use a zone of the same name with other rules, the file's zone gets
/// another name.
struct ZoneNames {
  /// The names that differ from those in the file.
  private var names: [TimeZoneID: TimeZoneID] = [:]
  /// The names in the store of zones that share one name in files.
  private var families: [TimeZoneID: [TimeZoneID]] = [:]

  /// The zones that the store does not have. Unchanged ones are not among them, because a change of a zone
  /// reschedules every alarm.
  private(set) var new: [TimeZoneDefinition] = []

  /// Finds the name of a zone.
  ///
  /// - Parameters:
  ///   - zone: The zone.
  ///   - calendar: The calendar whose items are all replaced by those of the file; `nil` if there is no such
  ///     calendar.
  ///   - reader: The store.
  /// - Returns: The zone to save; `nil` if the store has it.
  mutating func add(
    _ zone: TimeZoneDefinition, replacing calendar: Identifier<ItemCalendar>?,
    in reader: borrowing StoreReader
  ) throws -> TimeZoneDefinition? {
    let name = try name(of: zone, replacing: calendar, in: reader)
    names[zone.id] = name == zone.id ? nil : name
    let named = zone.named(name)
    if try reader.timeZoneDefinition(name) == named { return nil }
    new.append(named)
    return named
  }

  private mutating func name(
    of zone: TimeZoneDefinition, replacing calendar: Identifier<ItemCalendar>?,
    in reader: borrowing StoreReader
  ) throws -> TimeZoneID {
    // The system's rules win, so a definition has no effect.
    if TimeZoneDatabase.system.zone(zone.id) != nil { return zone.id }
    var known: [TimeZoneDefinition] = []
    var name = zone.id
    while let next = try new.first(where: { $0.id == name }) ?? reader.timeZoneDefinition(name) {
      known.append(next)
      name = TimeZoneID(rawValue: "\(zone.id.rawValue) (\(known.count + 1))")
    }
    families[zone.id] = known.map(\.id)
    if let same = known.first(where: { $0.observances == zone.observances }) { return same.id }
    for other in known where !new.contains(where: { $0.id == other.id }) {
      if try !reader.isUsed(other.id, outside: calendar) { return other.id }
    }
    return name
  }

  /// An occurrence of a series, with the names that its zone may have had in the store.
  func names(of occurrence: CalendarTime) -> [CalendarTime] {
    guard case .zoned(let civil, let zone) = occurrence else { return [] }
    return (families[zone] ?? []).map { .zoned(civil, $0) }
  }

  /// The item with the store's names of its zones.
  func renaming(_ item: CalendarItem) -> CalendarItem {
    guard !names.isEmpty else { return item }
    var item = item
    item.timeZone = item.timeZone.map { names[$0] ?? $0 }
    if let event = item.event {
      item.event?.start = renaming(event.start)
      item.event?.end = renaming(event.end)
    }
    if let reminder = item.reminder {
      item.reminder?.start = reminder.start.map(renaming)
      item.reminder?.due = reminder.due.map(renaming)
    }
    if let detachment = item.detachment { item.detachment?.occurrence = renaming(detachment.occurrence) }
    if var recurrence = item.recurrence {
      for index in recurrence.dates.indices {
        recurrence.dates[index].start = renaming(recurrence.dates[index].start)
        recurrence.dates[index].end = recurrence.dates[index].end.map(renaming)
      }
      recurrence.exceptionDates = recurrence.exceptionDates.map(renaming)
      item.recurrence = recurrence
    }
    return item
  }

  /// The time with the store's name of its zone.
  func renaming(_ time: CalendarTime) -> CalendarTime {
    guard case .zoned(let civil, let zone) = time, let name = names[zone] else { return time }
    return .zoned(civil, name)
  }
}
