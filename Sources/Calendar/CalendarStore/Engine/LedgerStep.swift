public import FencepostCalendarModel

/// The results of one step of the engine, committed in one transaction, so that a restart neither repeats nor
/// loses a part of them.
public struct LedgerStep: Sendable {
  /// The firings, in order.
  public var firings: [Firing] = []
  /// The changed fence states, by device.
  public var fenceStates: [String: [UInt8]] = [:]
  /// When the positions came that these states rest on, by device.
  public var arrivals: [String: ArrivalTimes] = [:]
  /// What has changed of the silences of these devices.
  public var silences: [String: SilenceChanges] = [:]
  /// The last positions of devices, by device.
  public var lastFixes: [String: Fix] = [:]
  /// Positions for the history, by device; empty if it is off.
  public var history: [String: [Fix]] = [:]
  /// Alarms whose due time has passed or no longer applies.
  public var disarmed: [Disarmed] = []
  /// The next due times; added after ``disarmed`` is removed.
  public var armed: [DueTime] = []
  /// New and changed records of what was decided.
  public var decisions: [AlarmDecision] = []
  /// New and changed records of what was observed.
  public var observations: [EngineObservation] = []

  /// An alarm, or a stay of one device, that the engine no longer waits for.
  public struct Disarmed: Hashable, Sendable {
    /// The item.
    public var item: Identifier<CalendarItem>
    /// Its alarm.
    public var alarm: Identifier<Alarm>
    /// The device, for a stay.
    public var device: String?

    /// An alarm that the engine no longer waits for.
    public init(item: Identifier<CalendarItem>, alarm: Identifier<Alarm>, device: String? = nil) {
      self.item = item
      self.alarm = alarm
      self.device = device
    }
  }

  /// A step without results.
  public init() {}

  /// Whether there are no results.
  public var isEmpty: Bool {
    firings.isEmpty && fenceStates.isEmpty && lastFixes.isEmpty && disarmed.isEmpty
      && armed.isEmpty && history.isEmpty && decisions.isEmpty && observations.isEmpty
  }
}
