public import FencepostSpatiotemporal

/// The fields of reminders only (`EKReminder`; VTODO).
public struct ReminderDetails: Hashable, Sendable {
  /// DTSTART.
  public var start: CalendarTime?
  /// DUE.
  public var due: CalendarTime?
  /// Whether it is done. Another program may complete a reminder without a date.
  public var isCompleted: Bool
  /// When it was done; COMPLETED.
  public var completed: Instant?
  /// The percentage done, 0 to 100; PERCENT-COMPLETE.
  public var percentComplete: Int?
  /// Whether it is cancelled (STATUS:CANCELLED).
  public var isCancelled: Bool
  /// Whether it has been started (STATUS:IN-PROCESS).
  public var isInProcess: Bool

  /// A reminder.
  public init(start: CalendarTime? = nil, due: CalendarTime? = nil) {
    self.start = start
    self.due = due
    isCompleted = false
    isCancelled = false
    isInProcess = false
  }

  /// Marks it as completed at a moment.
  public mutating func complete(at moment: Instant) {
    isCompleted = true
    completed = moment
    percentComplete = 100
  }

  /// Marks it as not done, from the beginning.
  public mutating func reopen() {
    isCompleted = false
    completed = nil
    percentComplete = nil
  }
}
