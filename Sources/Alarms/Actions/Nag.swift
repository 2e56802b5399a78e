public import FencepostCalendarModel
public import FencepostCalendarStore
public import FencepostRecurrence

/// How often an alarm is told again until somebody answers.
public struct Nag: Hashable, Sendable {
  /// The seconds between two times.
  public var seconds: Double
  /// How often it is told again at most.
  public var most: Int

  /// - Parameters:
  ///   - seconds: The time between two times; at least a minute, at most a day.
  ///   - most: How often it is told again at most; at most 100.
  public init(every seconds: Double, atMost most: Int = Nag.usualMost) {
    self.seconds = min(max(seconds, Self.range.lowerBound), Self.range.upperBound)
    self.most = min(max(most, 0), Self.maximumMost)
  }

  /// How often a notice is told again at most, if nothing else is said: for every 5 minutes, in an hour.
  public static let usualMost = 12
  /// The largest number of times.
  public static let maximumMost = 100
  /// The possible seconds between two times.
  public static let range = ListAlarms.nagSeconds

  /// `nil` for no time. The time between two rings has no direction.
  fileprivate init?(every interval: CalendarDuration, atMost most: Int) {
    guard interval.nominalSeconds != 0 else { return nil }
    self.init(every: abs(Double(interval.nominalSeconds)), atMost: most)
  }
}

extension StoreReader {
  /// How often the alarm of a notice asks to be told again: its own REPEAT and DURATION, else what its list says;
  /// `nil` if nothing is said.
  ///
  /// Cost: a query for the item, and one for the list.
  public func nag(of notice: Notice) throws(StoreError) -> Nag? {
    guard let firing = notice.firing?.firing, let item = try item(firing.item) else { return nil }
    if let alarm = item.alarms.first(where: { $0.id == firing.alarm }), alarm.repeatCount > 0,
      let nag = alarm.repeatInterval.flatMap({ Nag(every: $0, atMost: alarm.repeatCount) })
    {
      return nag
    }
    return try calendar(item.calendar)?.alarms.nag.flatMap { Nag(every: $0, atMost: Nag.usualMost) }
  }

  /// When a notice is told again after this time; `nil` if this is the last time.
  ///
  /// - Parameters:
  ///   - delivery: The delivery, as it was read.
  ///   - now: When it is told this time.
  ///   - usual: How often notices are told if neither the alarm nor its list says so.
  ///
  /// Cost: that of ``nag(of:)``.
  public func nextTelling(
    of delivery: Delivery, at now: Instant, otherwise usual: Nag? = nil
  ) throws(StoreError) -> Instant? {
    guard delivery.notice.kind.isAlarm, let nag = try nag(of: delivery.notice) ?? usual,
      delivery.told < nag.most
    else { return nil }
    return now.adding(seconds: nag.seconds)
  }

  /// Whether a notice is not repeated any more: it was answered, or its alarm went off again, so that the newer
  /// notice asks instead.
  ///
  /// - Parameter resolver: The zones of a recurring reminder.
  ///
  /// Cost: queries for the item and for the last time of its alarm.
  public func shouldStopRepeating(_ notice: Notice, resolver: TimeResolver) throws(StoreError) -> Bool {
    if try isSettled(notice, resolver: resolver) { return true }
    guard let firing = notice.firing?.firing else { return false }
    guard let last = try lastFiring(alarm: firing.alarm, item: firing.item) else { return false }
    return last.firing.key != firing.key
  }
}
