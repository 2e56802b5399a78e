public import FencepostSpatiotemporal

/// An event or a reminder (`EKCalendarItem`; VEVENT and VTODO of RFC 5545).
public struct CalendarItem: Hashable, Sendable, Identifiable {
  /// The fields of events only, or of reminders only.
  public enum Details: Hashable, Sendable {
    case event(EventDetails)
    case reminder(ReminderDetails)
  }

  /// The item's identifier in this store (`calendarItemIdentifier`).
  public var id: Identifier<CalendarItem>
  /// Its calendar or list.
  public var calendar: Identifier<ItemCalendar>
  /// The UID of RFC 5545, which stays the same in all programs (`calendarItemExternalIdentifier`). All occurrences of
  /// a series share it.
  public var uid: String
  /// The title; SUMMARY.
  public var title: String
  /// The location as text; LOCATION.
  public var location: String?
  /// The location as a place (`EKEvent.structuredLocation`). Alarms have their own places.
  public var structuredLocation: StructuredLocation?
  /// DESCRIPTION.
  public var notes: String?
  /// URL.
  public var url: String?
  /// The zone in which the item was written (`timeZone`); `nil` for a floating item.
  public var timeZone: TimeZoneID?
  /// When it was created; CREATED.
  public var created: Instant?
  /// When it was last changed; LAST-MODIFIED.
  public var lastModified: Instant?
  /// When the item, or its current due time, came into this store from elsewhere; `nil` if it was created here. The
  /// setting of the list does not apply to due times before that. Not exported.
  public var arrived: Instant?
  /// The number of revisions; SEQUENCE.
  public var sequence: Int
  /// PRIORITY: 0 none, 1 to 4 high, 5 medium, 6 to 9 low.
  public var priority: Int
  /// CATEGORIES.
  public var categories: [String]
  /// CLASS.
  public var classification: Classification
  /// Its alarms, in the order of addition.
  public var alarms: [Alarm]
  /// The recurrence; `nil` if it does not repeat.
  public var recurrence: Recurrence?
  /// For a detached occurrence: the occurrence of the series with the same ``uid`` that it replaces.
  public var detachment: Detachment?
  /// ORGANIZER.
  public var organizer: Participant?
  /// ATTENDEE.
  public var attendees: [Participant]
  /// The UID of the parent item; RELATED-TO with RELTYPE=PARENT.
  public var parentUID: String?
  /// The fields of events only, or of reminders only.
  public var details: Details
  /// Content of a file that this model has no field for. It is exported again.
  public var preserved: PreservedContent

  /// An item with a title; the other fields are empty by default.
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

  /// The occurrence of a series that a detached item replaces; RECURRENCE-ID.
  public struct Detachment: Hashable, Sendable {
    /// The start (or due time, if there is no start) by the rule.
    public var occurrence: CalendarTime
    /// Whether it also replaces every later occurrence (RANGE=THISANDFUTURE).
    public var andFuture: Bool

    /// The detachment of `occurrence`.
    public init(occurrence: CalendarTime, andFuture: Bool = false) {
      self.occurrence = occurrence
      self.andFuture = andFuture
    }
  }

  /// Whether it is an event.
  public var isEvent: Bool { event != nil }

  /// The fields of events only; `nil` for a reminder.
  public var event: EventDetails? {
    get { if case .event(let details) = details { details } else { nil } }
    set { if let newValue { details = .event(newValue) } }
  }

  /// The fields of reminders only; `nil` for an event.
  public var reminder: ReminderDetails? {
    get { if case .reminder(let details) = details { details } else { nil } }
    set { if let newValue { details = .reminder(newValue) } }
  }

  /// The start: an event's start, or a reminder's start date.
  public var start: CalendarTime? {
    switch details {
    case .event(let event): event.start
    case .reminder(let reminder): reminder.start
    }
  }

  /// The time from which the recurrence rule counts, and relative alarms by default: the start, or the due time of a
  /// reminder without a start.
  public var anchor: CalendarTime? { start ?? reminder?.due }

  /// Whether it is a completed reminder or a cancelled event. Their alarms don't go off.
  public var isSilenced: Bool {
    switch details {
    case .event(let event): event.status == .cancelled
    case .reminder(let reminder): reminder.isCompleted || reminder.isCancelled
    }
  }
}
