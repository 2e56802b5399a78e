import FencepostAlarmEngine
public import FencepostCalendarModel
public import FencepostCalendarStore
public import FencepostRecurrence
public import FencepostSystem

/// A test alarm for a channel. It is marked as a test, and is not in the ledger: its store is in memory.
public struct TestAlarm {
  private let delivery: Delivery
  private let line: String
  private let context: ChannelContext

  /// A test alarm that goes off now.
  ///
  /// - Parameters:
  ///   - resolver: The time zone of texts.
  ///   - now: The current time.
  ///   - log: The channels' log for other errors.
  ///   - subscribers: The store with the push subscriptions.
  public init(resolver: TimeResolver, now: Instant, log: Log, subscribers: CalendarStore? = nil) throws {
    let store = try CalendarStore()
    let channel = "test"
    let alarm = Alarm(trigger: .absolute(now))
    try store.write { writer in
      var list = try writer.defaultCalendar(for: .reminders)
      list.title = "Fencepost"
      try writer.save(list)
      var item = CalendarItem(
        calendar: list.id, title: "Test alarm",
        details: .reminder(ReminderDetails(due: CalendarTime(now))))
      item.notes = "This channel works."
      item.alarms = [alarm]
      try writer.save(item)
      var step = LedgerStep()
      step.firings = [Firing(kind: .absolute, time: now, alarm: alarm.id, item: item.id)]
      try writer.record(step, channels: { _ in [channel] })
    }
    guard let delivery = try store.read({ try $0.pendingDeliveries(channel: channel) }).first,
      let entry = delivery.notice.firing
    else {
      throw DeliveryFailure("nothing to deliver")
    }
    self.delivery = delivery
    line = FiringJSON(resolver: resolver).line(entry, isTest: true)
    context = ChannelContext(
      store: store, resolver: resolver, log: log, subscribers: subscribers)
  }

  /// Delivers it over the channel of an address, without the filter.
  ///
  /// - Throws: ``DeliveryFailure``, or the reason why the channel can't be opened.
  public func deliver(over address: ChannelAddress) throws {
    if case .mqtt(let address) = address, address.format == .ownTracks {
      throw DeliveryFailure("it delivers arrivals and departures only, and a test is neither")
    }
    try address.open(context).deliver(delivery, line: line)
  }
}
