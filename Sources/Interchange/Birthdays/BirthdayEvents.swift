public import CalendarModel
public import CalendarStore
public import ICalendar

/// Converts contacts' days to events: whole days, every year.
///
/// As in EventKit, an event has the contact's identifier, and the calendar's kind is birthday. The series begins on the
/// day itself, so the age is the occurrence's year minus the first year. An unknown year becomes 1604, like Apple's. A
/// 29 February becomes the last day of the month.
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

extension StoreWriter {
  /// The birthday calendar called `title`. Creates it if needed. Only the import of contacts can change it.
  ///
  /// - Throws: ``CalendarStore/StoreError``; ``InterchangeError`` if a calendar of another kind has that name.
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
