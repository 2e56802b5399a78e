package import FencepostAlarmEngine
package import FencepostCalendarModel
package import FencepostCalendarStore
package import FencepostGeodesy
import FencepostGeofencing
package import FencepostRecurrence
package import FencepostTestSupport
import Synchronization

/// A clock that a test controls.
package final class ManualClock: Sendable {
  private let time: Mutex<Instant>

  package init(_ time: Instant) { self.time = Mutex(time) }

  package var now: Instant { time.withLock { $0 } }

  package func advance(by seconds: Double) { time.withLock { $0 = $0.adding(seconds: seconds) } }

  package func set(_ instant: Instant) { time.withLock { $0 = instant } }
}

/// A store in a separate file, a clock, and engines.
package final class LiveAlarmFixture {
  /// Saturday, 2 May 2026, 08:00 in Berlin.
  package static let start = Instant(seconds: 1_777_701_600)
  package static let home = Coordinate(latitude: 52.5, longitude: 13.4)

  package let directory: TemporaryDirectory
  package let store: CalendarStore
  package let list: ItemCalendar
  package let clock = ManualClock(start)
  package let devices = DeviceRegistry()
  package let resolver = TimeResolver(floating: TimeZoneID(rawValue: "Europe/Berlin"))

  package init() throws {
    directory = try TemporaryDirectory()
    store = try CalendarStore(path: directory.path("calendar.sqlite"))
    list = try store.write { try $0.defaultCalendar(for: .reminders) }
  }

  /// A engine as in a daemon that starts now.
  package func engine(
    over store: CalendarStore? = nil, zone: String? = nil, grace: Double = 60, keepsHistory: Bool = false,
    channels: [String] = []
  ) throws -> LiveAlarmEngine {
    try LiveAlarmEngine(
      store: store ?? self.store, policy: .exact,
      resolver: zone.map { TimeResolver(floating: TimeZoneID(rawValue: $0)) } ?? resolver, devices: devices,
      grace: grace, keepsHistory: keepsHistory, channels: { _ in channels }, now: clock.now)
  }

  /// Saves a reminder like a program that does not handle due times.
  @discardableResult
  package func reminder(
    _ title: String, due: CalendarTime? = nil, rule: RecurrenceRule? = nil, modified: Bool = true,
    _ alarms: Alarm...
  ) throws -> CalendarItem {
    var item = CalendarItem(
      id: .init(rawValue: title), calendar: list.id, title: title,
      details: .reminder(ReminderDetails(due: due)))
    item.alarms = alarms
    item.lastModified = modified ? clock.now : nil
    if let rule { item.recurrence = Recurrence(rules: [rule]) }
    try store.write { [item] in try $0.save(item) }
    return item
  }

  /// An alarm `seconds` after the start.
  package static func alarm(at seconds: Double) -> Alarm {
    Alarm(trigger: .absolute(start.adding(seconds: seconds)))
  }

  /// An alarm at a place `metres` east of ``home``.
  package static func alarm(_ event: ProximityTrigger.Event, at metres: Double = 0) -> Alarm {
    Alarm(
      proximity: ProximityTrigger(
        event,
        at: StructuredLocation(
          title: "Place", coordinate: Geodesic.destination(from: home, azimuth: 90, metres: metres),
          radius: 100)))
  }

  /// A fix `seconds` after the start and `metres` east of ``home``.
  package func fix(_ seconds: Double, _ metres: Double, device: String = "phone") -> Fix {
    fix(seconds, metres, devices.number(of: device))
  }

  /// A fix of a device whose number may be reused.
  package func temporaryFix(_ seconds: Double, _ metres: Double, device: String) -> Fix {
    fix(seconds, metres, devices.temporaryNumber(of: device))
  }

  private func fix(_ seconds: Double, _ metres: Double, _ device: DeviceNumber) -> Fix {
    Fix(
      device: device, time: Self.start.adding(seconds: seconds),
      coordinate: Geodesic.destination(from: Self.home, azimuth: 90, metres: metres), horizontalAccuracy: 5)
  }

  /// The ledger in short form: `absolute Milk 60 late +2`, with the seconds since the start.
  package func ledger() throws -> [String] { Self.short(try store.read { try $0.firings() }.map(\.firing)) }

  package static func short(_ firings: [Firing]) -> [String] {
    firings.map { firing in
      "\(firing.kind.rawValue) \(firing.item) \(Int(firing.time.seconds(since: start).rounded()))"
        + (firing.isLate ? " late" : "") + (firing.folded > 0 ? " +\(firing.folded)" : "")
    }
  }
}
