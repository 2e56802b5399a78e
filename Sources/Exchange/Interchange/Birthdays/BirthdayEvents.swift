public import FencepostCalendarModel
public import FencepostCalendarStore
public import FencepostICalendar

/// Converts contacts' days to events: whole days, every year.
///
/// As in EventKit, an event has the contact's identifier, and the calendar's kind is birthday. The series
/// begins on the day itself, so the age is the occurrence's year minus the first year. An unknown year
/// becomes 1604, like Apple's. A 29 February becomes the last day of the month.
public enum BirthdayEvents {
  /// The year for "unknown": a leap year, so that it has a 29 February.
  public static let unknownYear = 1604

  /// The events of a contact: its birthday, then its anniversaries.
  public static func events(
    of contact: Contact, in calendar: Identifier<ItemCalendar>
  ) -> [CalendarItem] {
    var events: [CalendarItem] = []
    if let birthday = contact.birthday {
      events.append(
        event(
          uid: "birthday-\(contact.uid)", title: "\(contact.name)’s Birthday", on: birthday, of: contact,
          in: calendar))
    }
    for (index, anniversary) in contact.anniversaries.enumerated() {
      let title =
        anniversary.label.map { "\(contact.name): \($0)" } ?? "\(contact.name)’s Anniversary"
      // The first one has no number, so that a second one does not rename it.
      let number = index == 0 ? "" : "-\(index + 1)"
      var event = event(
        uid: "anniversary\(number)-\(contact.uid)", title: title, on: anniversary.day, of: contact,
        in: calendar)
      event.event?.birthdayContact = nil
      events.append(event)
    }
    return events
  }

  private static func event(
    uid: String, title: String, on day: Contact.YearlyDay, of contact: Contact,
    in calendar: Identifier<ItemCalendar>
  ) -> CalendarItem {
    // `unknownYear` is a leap year. Any other day was validated with its own year.
    let start = CivilDay(year: day.year ?? unknownYear, month: day.month, day: day.day)
    var item = CalendarItem(
      id: Identifier(rawValue: uid), calendar: calendar, uid: uid, title: title,
      details: .event(
        EventDetails(
          start: .date(start), end: .date(start.adding(days: 1)), availability: .free,
          birthdayContact: contact.uid)))
    var rule = RecurrenceRule(.yearly)
    if day.month == 2 && day.day == 29 {
      rule.byMonth = [2]
      rule.byMonthDay = [-1]
    }
    item.recurrence = Recurrence(rules: [rule])
    return item
  }
}

/// A calendar for birthdays that may not be in the store yet. Only the import of contacts can change it.
public struct BirthdayCalendar: Sendable {
  /// Its identifier.
  public var id: Identifier<ItemCalendar> { calendar.id }
  fileprivate var calendar: ItemCalendar
  fileprivate var source: Source?
  fileprivate var isNew: Bool
}

extension StoreReader {
  /// The birthday calendar with this title, or a new one to save.
  ///
  /// - Throws: ``CalendarStore/StoreError``; ``InterchangeError`` if a calendar of another kind has that
  ///   name.
  public borrowing func birthdayCalendar(titled title: String) throws -> BirthdayCalendar {
    let wanted = title.lowercased()
    let named = try calendars(for: .events).filter { $0.title.lowercased() == wanted }
    if let found = named.first(where: { $0.kind == .birthday }) {
      return BirthdayCalendar(calendar: found, isNew: false)
    }
    guard named.isEmpty else {
      throw InterchangeError("'\(title)' is not a birthday calendar; use another name with --list")
    }
    let known = try sources().first { $0.kind == .birthdays }
    let source = known ?? Source(kind: .birthdays, title: "Other")
    let calendar = ItemCalendar(
      source: source.id, kind: .birthday, title: title, entities: .events,
      allowsContentModifications: false, isImmutable: true, availabilities: [])
    return BirthdayCalendar(calendar: calendar, source: known == nil ? source : nil, isNew: true)
  }
}

extension StoreWriter {
  /// Saves a calendar for birthdays, if the store does not have it.
  public borrowing func save(_ birthdays: BirthdayCalendar) throws {
    if let source = birthdays.source { try save(source) }
    if birthdays.isNew { try save(birthdays.calendar) }
  }
}
