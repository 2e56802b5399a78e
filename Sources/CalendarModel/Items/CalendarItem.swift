public import Spatiotemporal

/// An event or a reminder (`EKCalendarItem`; VEVENT and VTODO of RFC 5545).
public struct CalendarItem: Hashable, Sendable, Identifiable {
  /// What only events, or only reminders, have.
  public enum Details: Hashable, Sendable {
    case event(EventDetails)
    case reminder(ReminderDetails)
  }

  /// The item's identifier in this store (`calendarItemIdentifier`).
  public var id: Identifier<CalendarItem>
  /// The calendar or list that it is in.
  public var calendar: Identifier<ItemCalendar>
  /// The UID of RFC 5545, which an item keeps wherever it goes (`calendarItemExternalIdentifier`). All
  /// occurrences of a series share it.
  public var uid: String
  /// What it is about; SUMMARY.
  public var title: String
  /// Where, in words; LOCATION.
  public var location: String?
  /// Where, as a place (`EKEvent.structuredLocation`). The places of alarms are the alarms' own.
  public var structuredLocation: StructuredLocation?
  /// DESCRIPTION.
  public var notes: String?
  /// URL.
  public var url: String?
  /// The zone in which the item was written (`timeZone`); `nil` where it floats.
  public var timeZone: TimeZoneID?
  /// When it was made; CREATED.
  public var created: Instant?
  /// When it was last changed; LAST-MODIFIED.
  public var lastModified: Instant?
  /// When it, or the due time that it has now, came into this store from elsewhere; `nil` where it was made here. What
  /// was due before that does not ring by the setting of its list. Not a part of what is told of the item elsewhere.
  public var arrived: Instant?
  /// How often it was revised; SEQUENCE.
  public var sequence: Int
  /// PRIORITY: 0 none, 1 to 4 high, 5 medium, 6 to 9 low.
  public var priority: Int
  /// CATEGORIES.
  public var categories: [String]
  /// CLASS.
  public var classification: Classification
  /// Its alarms, in the order in which they were added.
  public var alarms: [Alarm]
  /// How it repeats; `nil` where it does not.
  public var recurrence: Recurrence?
  /// For a detached occurrence, which occurrence of the series with the same ``uid`` it stands for.
  public var detachment: Detachment?
  /// ORGANIZER.
  public var organizer: Participant?
  /// ATTENDEE.
  public var attendees: [Participant]
  /// The item that this is a part of; RELATED-TO with RELTYPE=PARENT: a UID.
  public var parentUID: String?
  /// What only events, or only reminders, have.
  public var details: Details
  /// What a file said of it that this model has no field for, kept to be written again.
  public var preserved: PreservedContent

  /// An item with a title and nothing else said of it.
  public init(
    id: Identifier<CalendarItem> = .random(), calendar: Identifier<ItemCalendar>, uid: String? = nil,
    title: String, details: Details
  ) {
    self.id = id
    self.calendar = calendar
    self.uid = uid ?? id.rawValue
    self.title = title
    self.details = details
    sequence = 0
    priority = 0
    categories = []
    classification = .public
    alarms = []
    attendees = []
    preserved = PreservedContent()
  }
}

extension CalendarItem {
  /// CLASS of RFC 5545 (section 3.8.1.3).
  public enum Classification: String, Hashable, Sendable, CaseIterable {
    case `public` = "PUBLIC"
    case `private` = "PRIVATE"
    case confidential = "CONFIDENTIAL"
  }

  /// Which occurrence of a series a detached one stands for; RECURRENCE-ID.
  public struct Detachment: Hashable, Sendable {
    /// The start (or due time, where there is no start) that the rule gave it.
    public var occurrence: CalendarTime
    /// True where it stands for every later occurrence too (RANGE=THISANDFUTURE).
    public var andFuture: Bool

    /// The detachment of `occurrence`.
    public init(occurrence: CalendarTime, andFuture: Bool = false) {
      self.occurrence = occurrence
      self.andFuture = andFuture
    }
  }

  /// True for an event.
  public var isEvent: Bool { event != nil }

  /// What only events have; `nil` for a reminder.
  public var event: EventDetails? {
    get { if case .event(let details) = details { details } else { nil } }
    set { if let newValue { details = .event(newValue) } }
  }

  /// What only reminders have; `nil` for an event.
  public var reminder: ReminderDetails? {
    get { if case .reminder(let details) = details { details } else { nil } }
    set { if let newValue { details = .reminder(newValue) } }
  }

  /// When it starts: an event's start, a reminder's start date.
  public var start: CalendarTime? {
    switch details {
    case .event(let event): event.start
    case .reminder(let reminder): reminder.start
    }
  }

  /// What the recurrence rule counts from and relative alarms are told from by default: the start, or for
  /// a reminder that has none its due time.
  public var anchor: CalendarTime? { start ?? reminder?.due }

  /// True for a completed reminder or a cancelled event, whose alarms don't go off.
  public var isSilenced: Bool {
    switch details {
    case .event(let event): event.status == .cancelled
    case .reminder(let reminder): reminder.isCompleted || reminder.isCancelled
    }
  }
}
