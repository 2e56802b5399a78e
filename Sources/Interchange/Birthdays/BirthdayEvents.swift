public import CalendarModel
public import CalendarStore
public import ICalendar

/// The days of contacts as events: whole days, every year.
///
/// As in EventKit, an event has the contact's identifier, and the calendar is of the kind birthday. The series
/// begins on the day itself, so that an occurrence's year less the first one's is the age; where the year is not
/// known it begins in 1604, as Apple has it. What was born on 29 February is kept on the last day of the month.
public enum BirthdayEvents {
  /// The year that stands for none: a leap year, for those of 29 February.
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
      // The first needs no number, so that another one does not rename it.
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
    // A leap year where the 29th needs one: the day was validated against its own year.
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

extension StoreWriter {
  /// The birthday calendar called `title`, made if need be: read-only to everybody but the import of contacts.
  ///
  /// - Throws: ``CalendarStore/StoreError``; ``InterchangeError`` where a calendar of another kind has the name.
  public borrowing func birthdayCalendar(titled title: String) throws -> ItemCalendar {
    let wanted = title.lowercased()
    let named = try reader.calendars(for: .events).filter { $0.title.lowercased() == wanted }
    if let found = named.first(where: { $0.kind == .birthday }) { return found }
    guard named.isEmpty else {
      throw InterchangeError("'\(title)' is no birthday calendar; say another name with --list")
    }
    var source = try reader.sources().first { $0.kind == .birthdays }
    if source == nil {
      let made = Source(kind: .birthdays, title: "Other")
      try save(made)
      source = made
    }
    let calendar = ItemCalendar(
      source: source?.id ?? Identifier(rawValue: ""), kind: .birthday, title: title, entities: .events,
      allowsContentModifications: false, isImmutable: true, availabilities: [])
    try save(calendar)
    return calendar
  }
}
