public import FencepostCalendarModel
public import FencepostCalendarStore
import FencepostGeodesy
public import FencepostGeofencing
public import FencepostRecurrence
import Glibc

/// A trial of alarms: a pretended phone walks to a place, and what waits for an arrival there goes off.
///
/// A setting of the store says that there is one, so that what a killed trial left is found and removed.
public struct AlarmTrial: Sendable {
  /// The name of the pretended phone.
  public let device: String
  /// The place.
  public let place: StructuredLocation
  /// The titles of the reminders and events at the place whose alarms can go off now.
  public let waiting: [String]
  /// The title of the reminder that was made for the trial; `nil` if others wait at the place.
  public let madeReminder: String?
  /// The walk to the place.
  public let approach: Approach

  private static let setting = "trial"
  /// The list of the reminders that trials make.
  private static let list = Identifier<ItemCalendar>(rawValue: "fencepost-trial")
  /// Seconds after which a trial is over, even if its process seems to run.
  private static let maximumSeconds = 120.0
  /// A place where nothing else is: the Gulf of Guinea.
  private static let nowhere = StructuredLocation(
    title: "Trial place", coordinate: Coordinate(latitude: 0, longitude: 0), radius: 100)

  /// Prepares a trial: removes what earlier ones left, and makes a reminder if none waits for an arrival.
  ///
  /// - Parameters:
  ///   - named: The place to walk to; `nil` for one that only this trial knows.
  ///   - store: The store of the daemon.
  ///   - resolver: The zone of the hours that limit alarms.
  ///   - now: The current time.
  /// - Throws: ``TrialError``, or `StoreError`.
  public init(
    at named: StructuredLocation?, in store: CalendarStore, resolver: TimeResolver, now: Instant
  ) throws {
    let place = named ?? Self.nowhere
    guard let approach = place.region.flatMap({ Approach(into: $0) }) else {
      throw TrialError.noRegion(place.title)
    }
    let device = Trial.devicePrefix + String(UInt32.random(in: 0...UInt32.max), radix: 36)
    try Self.removeRemains(in: store, now: now, sparesRunning: true)
    let (waiting, made) = try store.write { writer in
      try writer.set("\(getpid()) \(now.microseconds)", for: Self.setting)
      let time = resolver.floating.civil(at: now)
      let waiting = try named.map { try Self.waiting(at: $0, in: writer.reader, time) } ?? []
      guard waiting.isEmpty else { return (waiting, String?.none) }
      let reminder = try Self.makeReminder(at: place, with: writer, now: now)
      return ([reminder], reminder)
    }
    self.device = device
    self.place = place
    self.approach = approach
    self.waiting = waiting
    madeReminder = made
  }

  /// The positions of the walk: the last ones up to a minute and a half ahead of `now`, so that the arrival
  /// is not late.
  public func fixes(from now: Instant) -> [Fix] {
    approach.steps.enumerated().map { index, step in
      Fix(
        time: now.adding(seconds: Double(index - approach.arrival - 2) * Approach.secondsPerStep),
        coordinate: step.coordinate, horizontalAccuracy: 5)
    }
  }

  /// Removes what the trial made. Call it again after the daemon has read its settings again, because it may
  /// have stored the phone once more.
  public func remove(from store: CalendarStore) throws { try Self.remove(from: store) }

  /// Removes what a trial left that was killed.
  ///
  /// Cost: one query if there was none.
  ///
  /// - Parameter sparesRunning: Whether to refuse if the trial's process still runs.
  /// - Throws: ``TrialError/running``, or `StoreError`.
  public static func removeRemains(
    in store: CalendarStore, now: Instant, sparesRunning: Bool = false
  ) throws {
    guard let words = try store.read({ try $0.setting(setting) })?.split(separator: " ") else { return }
    if sparesRunning, words.count == 2, let process = pid_t(words[0]), let start = Int64(words[1]),
      process != getpid(), kill(process, 0) == 0,
      abs(now.seconds(since: Instant(microseconds: start))) < maximumSeconds
    {
      throw TrialError.running
    }
    try remove(from: store)
  }

  private static func remove(from store: CalendarStore) throws {
    try store.write { writer in
      try writer.removeTrialPhones()
      try writer.remove(list)
      try writer.set(nil, for: setting)
    }
  }

  /// The titles of the items whose alarms go off at an arrival now, for any device.
  private static func waiting(
    at place: StructuredLocation, in reader: borrowing StoreReader, _ time: CivilDateTime
  ) throws -> [String] {
    guard let coordinate = place.coordinate else { return [] }
    return try reader.places(near: coordinate, within: 1).compactMap { found in
      guard let trigger = found.alarm?.proximity, trigger.event == .enter, trigger.devices.isEmpty,
        trigger.location.title == place.title, trigger.location.coordinate == place.coordinate,
        trigger.window?.contains(time) ?? true
      else { return nil }
      return found.item.title
    }
  }

  /// Makes a reminder at the place, in a list of its own. Other programs can't change this list, and it is
  /// removed with the reminder.
  private static func makeReminder(
    at place: StructuredLocation, with writer: borrowing StoreWriter, now: Instant
  ) throws -> String {
    let source: Source
    if let local = try writer.reader.sources().first(where: { $0.kind == .local }) {
      source = local
    } else {
      source = Source(title: "Local")
      try writer.save(source)
    }
    try writer.save(
      ItemCalendar(
        id: list, source: source.id, title: "Fencepost trial", entities: .reminders,
        allowsContentModifications: false))
    var item = CalendarItem(
      calendar: list, title: "Fencepost works", details: .reminder(ReminderDetails()))
    item.created = now
    item.lastModified = now
    item.alarms = [Alarm(proximity: ProximityTrigger(.enter, at: place))]
    try writer.save(item)
    return item.title
  }
}

/// Why there can be no trial.
public enum TrialError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The place has no position.
  case noRegion(String)
  /// Another trial runs.
  case running

  /// One line with the problem and its solution.
  public var description: String {
    switch self {
    case .noRegion(let title): "'\(title)' has no position to walk to"
    case .running: "another trial is running; wait until it ends"
    }
  }
}
