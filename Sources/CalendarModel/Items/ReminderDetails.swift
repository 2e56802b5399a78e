public import Spatiotemporal

/// What only a reminder has (`EKReminder`; VTODO).
public struct ReminderDetails: Hashable, Sendable {
  /// DTSTART.
  public var start: CalendarTime?
  /// DUE.
  public var due: CalendarTime?
  /// True once it is done. A reminder may be completed with no date, where another program said so.
  public var isCompleted: Bool
  /// When it was done; COMPLETED.
  public var completed: Instant?
  /// How much of it is done, 0 to 100; PERCENT-COMPLETE.
  public var percentComplete: Int?
  /// True where it was called off (STATUS:CANCELLED).
  public var isCancelled: Bool
  /// True where it was begun (STATUS:IN-PROCESS).
  public var isInProcess: Bool

  /// A reminder.
  public init(start: CalendarTime? = nil, due: CalendarTime? = nil) {
    self.start = start
    self.due = due
    isCompleted = false
    isCancelled = false
    isInProcess = false
  }

  /// Notes that it was done at a moment.
  public mutating func complete(at moment: Instant) {
    isCompleted = true
    completed = moment
    percentComplete = 100
  }

  /// Notes that it is to be done again, from the beginning.
  public mutating func reopen() {
    isCompleted = false
    completed = nil
    percentComplete = nil
  }
}
