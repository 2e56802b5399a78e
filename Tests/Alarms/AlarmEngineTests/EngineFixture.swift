import FencepostAlarmEngine
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostGeodesy
import FencepostGeofencing
import FencepostRecurrence

/// A store in memory, a place on a straight street, and an engine over both.
struct EngineFixture {
  /// Saturday, 2 May 2026, 08:00 in Berlin.
  static let start = Instant(seconds: 1_777_701_600)
  static let berlin = TimeZoneID(rawValue: "Europe/Berlin")
  static let home = Coordinate(latitude: 52.5, longitude: 13.4)

  let store: CalendarStore
  let list: ItemCalendar
  let calendar: ItemCalendar
  let devices = DeviceRegistry()
  let resolver: TimeResolver

  init(path: String? = nil) throws {
    store = try path.map { try CalendarStore(path: $0) } ?? CalendarStore()
    list = try store.write { try $0.defaultCalendar(for: .reminders) }
    calendar = try store.write { try $0.defaultCalendar(for: .events) }
    resolver = TimeResolver(floating: EngineFixture.berlin)
  }

  /// A reminder with alarms, in the store.
  @discardableResult
  func reminder(
    _ title: String, due: CalendarTime? = nil, rule: RecurrenceRule? = nil, _ alarms: Alarm...
  ) throws -> CalendarItem {
    var item = CalendarItem(
      id: .init(rawValue: title), calendar: list.id, title: title,
      details: .reminder(ReminderDetails(due: due)))
    item.alarms = alarms
    if let rule { item.recurrence = Recurrence(rules: [rule]) }
    try store.write { [item] in try $0.save(item) }
    return item
  }

  /// An alarm at a place `metres` east of ``home``.
  static func alarm(
    _ event: ProximityTrigger.Event, at metres: Double = 0, radius: Double = 100,
    _ change: (inout ProximityTrigger) -> Void = { _ in }
  ) -> Alarm {
    let place = StructuredLocation(
      title: "Place", coordinate: Geodesic.destination(from: home, azimuth: 90, metres: metres),
      radius: radius)
    var trigger = ProximityTrigger(event, at: place)
    change(&trigger)
    return Alarm(proximity: trigger)
  }

  /// A fix `seconds` after the start and `metres` east of ``home``.
  func fix(_ seconds: Double, _ metres: Double, device: String = "phone") -> Fix {
    Fix(
      device: devices.number(of: device), time: EngineFixture.start.adding(seconds: seconds),
      coordinate: Geodesic.destination(from: EngineFixture.home, azimuth: 90, metres: metres),
      horizontalAccuracy: 5)
  }

  func dryRun(start: Instant = EngineFixture.start, policy: Policy = .exact) throws -> AlarmEngine {
    let schedule = AlarmSchedule(resolver: resolver)
    return try AlarmEngine(
      store: store, journal: try DryRunJournal(store: store, schedule: schedule, start: start),
      policy: policy, schedule: schedule, devices: devices, start: start, clock: .trace)
  }

  func engine(
    start: Instant = EngineFixture.start, clock: AlarmEngine.Clock = .trace, policy: Policy = .exact
  ) throws -> AlarmEngine {
    try AlarmEngine(
      store: store, journal: StoreJournal(store: store), policy: policy,
      schedule: AlarmSchedule(resolver: resolver), devices: devices, start: start, clock: clock)
  }

  /// A wall-clock time of Berlin on 2 May 2026 or so many days later.
  static func time(_ hour: Int, _ minute: Int = 0, day: Int = 0) -> CalendarTime {
    .zoned(CivilDateTime(year: 2026, month: 5, day: 2 + day, hour: hour, minute: minute), berlin)
  }

  /// Firings in short: `enter Milk 60`, with the seconds since the start.
  static func short(_ firings: [Firing]) -> [String] {
    firings.map { firing in
      let seconds = Int(firing.time.seconds(since: start).rounded())
      return "\(firing.kind.rawValue) \(firing.item) \(seconds)"
        + (firing.isLate ? " late" : "") + (firing.folded > 0 ? " +\(firing.folded)" : "")
    }
  }
}
