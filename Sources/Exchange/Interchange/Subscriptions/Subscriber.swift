public import FencepostCalendarModel
public import FencepostCalendarStore
import FencepostICalendar

/// Creates and refreshes subscriptions: calendars from addresses.
///
/// A subscription is read-only and has the address's content: items that are gone there are removed here. If
/// the address is unreachable, not a calendar or truncated, the local content stays.
public struct Subscriber: Sendable {
  private let store: CalendarStore
  private let fetch: Fetch

  /// The default seconds between two refreshes.
  public static let defaultInterval = 3_600
  /// The fewest seconds between two refreshes.
  public static let minimumInterval = 60
  /// The range in seconds that a calendar can choose for itself.
  fileprivate static let suggestible = 300...(30 * 86_400)

  /// The result of a refresh.
  public enum Outcome: Sendable {
    /// The content is the same.
    case unchanged
    /// The content was merged.
    case merged(MergeCounts)
    /// The refresh failed, with the reason.
    case failed(String)
  }

  /// A subscriber for calendars in `store`.
  public init(store: CalendarStore, fetch: Fetch = Fetch()) {
    self.store = store
    self.fetch = fetch
  }

  /// Creates a subscription to `address` with its current content.
  ///
  /// - Parameters:
  ///   - address: The address.
  ///   - title: The calendar's name; `nil` for its own name, or one made from the address.
  ///   - interval: Seconds between two refreshes; `nil` for the calendar's choice, or an hour.
  ///   - now: The current time.
  /// - Throws: ``InterchangeError`` if the subscription already exists or the fetch fails. Nothing is created
  ///   then.
  public func subscribe(
    to address: SubscriptionAddress, title: String? = nil, interval: Int? = nil, at now: Instant
  ) throws -> (calendar: ItemCalendar, counts: MergeCounts, warnings: [String]) {
    func refuseTwice(_ reader: borrowing StoreReader) throws {
      for known in try reader.subscriptions() where known.address == address.text {
        let title = try reader.calendar(known.calendar)?.title ?? ""
        throw InterchangeError("\(address.description) is already subscribed as '\(title)'")
      }
    }
    try store.read(refuseTwice)
    guard case .contents(let bytes, let version) = try fetch.get(address) else {
      throw InterchangeError(
        "\(address.description): the server reports no change, but there is no earlier version")
    }
    var calendar = ItemCalendar(
      source: Identifier(rawValue: ""), kind: .subscription, title: title ?? address.name,
      entities: [.events, .reminders], allowsContentModifications: false, isSubscribed: true)
    var subscription = Subscription(calendar: calendar.id, address: address.text, interval: interval)
    let (counts, document) = try merge(bytes, of: subscription, named: address.description, at: now) {
      writer in
      try refuseTwice(writer.reader)
      calendar.source = try writer.subscriptionSource()
      try writer.save(calendar)
    } keeping: { writer, document in
      try refuseTwice(writer.reader)
      if title == nil, let name = document.name { calendar.title = name }
      calendar.color = document.color
      try writer.save(calendar)
      subscription.recordContent(version, document, at: now)
      try writer.save(subscription)
    }
    return (calendar, counts, document.warnings.map(\.description))
  }

  /// Refreshes a subscription now.
  ///
  /// - Throws: ``CalendarStore/StoreError``. A problem with the address is an ``Outcome``.
  public func refresh(_ subscription: Subscription, at now: Instant) throws -> Outcome {
    var subscription = subscription
    do {
      let address = try SubscriptionAddress(subscription.address)
      let known = Fetch.Version(entityTag: subscription.entityTag, modified: subscription.modified)
      switch try fetch.get(address, unless: known) {
      case .unchanged:
        subscription.recordSuccess(at: now)
        try saveIfSubscribed(subscription)
        return .unchanged
      case .contents(let bytes, let version):
        let (counts, _) = try merge(bytes, of: subscription, named: address.description, at: now) { writer in
          // Another process may have removed it since.
          guard try writer.reader.subscription(subscription.calendar) != nil else { throw EndedMeanwhile() }
        } keeping: { writer, document in
          guard try writer.reader.subscription(subscription.calendar) != nil else { throw EndedMeanwhile() }
          subscription.recordContent(version, document, at: now)
          try writer.save(subscription)
        }
        return counts.isChange ? .merged(counts) : .unchanged
      }
    } catch is EndedMeanwhile {
      return .unchanged
    } catch let error as StoreError {
      if try store.read({ try $0.subscription(subscription.calendar) }) == nil { return .unchanged }
      throw error
    } catch {
      let retryAfter = (error as? InterchangeError)?.retryAfter
      subscription.recordFailure("\(error)", retryAfter: retryAfter ?? 0, at: now)
      try saveIfSubscribed(subscription)
      return .failed("\(error)")
    }
  }

  /// True if a subscription still exists and was not refreshed after it was read.
  func isCurrent(_ subscription: Subscription) throws -> Bool {
    guard let kept = try store.read({ try $0.subscription(subscription.calendar) }) else { return false }
    return kept.checked == subscription.checked
  }

  /// The due subscriptions, and the time of the next one; `nil` if no other is scheduled.
  public func due(at now: Instant) throws -> (due: [Subscription], next: Instant?) {
    let all = try store.read { try $0.subscriptions() }
    return (all.filter { $0.isDue(at: now) }, all.filter { !$0.isDue(at: now) }.map(\.next).min())
  }

  /// Merges the content of a subscription.
  ///
  /// - Parameters:
  ///   - prepare: Called first, in the same transaction.
  ///   - keep: Called to store more with the items.
  private func merge(
    _ bytes: [UInt8], of subscription: Subscription, named name: String, at now: Instant,
    preparing prepare: @escaping (borrowing StoreWriter) throws -> Void,
    keeping keep: (borrowing StoreWriter, ICalendarDocument) throws -> Void
  ) throws -> (MergeCounts, ICalendarDocument) {
    let merge = SteppedMerge(
      CalendarMerge(only: subscription.calendar, prunes: true, at: now), into: store, preparing: prepare)
    let reader = ICalendarReader(calendar: subscription.calendar)
    let document = try reader.forEachPart(bytes, name: name) { try merge.apply($0) }
    guard !merge.hasMessages else {
      throw InterchangeError("\(name): is a scheduling message (METHOD), not a calendar")
    }
    guard !document.isCutOff else {
      throw InterchangeError("\(name): ends before END:VCALENDAR, so it was cut off on its way")
    }
    let counts = try merge.finish(pruning: { _ in [subscription.calendar] }) { try keep($0, document) }
    return (counts, document)
  }

  private func saveIfSubscribed(_ subscription: Subscription) throws {
    try store.write { writer in
      guard try writer.reader.subscription(subscription.calendar) != nil else { return }
      try writer.save(subscription)
    }
  }
}

/// A subscription was removed during its refresh.
private struct EndedMeanwhile: Error {}

extension Subscription {
  /// Seconds from a successful refresh to the next.
  public var effectiveInterval: Int {
    max(interval ?? suggestedInterval ?? Subscriber.defaultInterval, Subscriber.minimumInterval)
  }

  /// True if it is time to refresh. If the last check is in the future, somebody set the clock back.
  fileprivate func isDue(at now: Instant) -> Bool { next <= now || checked.map { $0 > now } == true }

  fileprivate mutating func recordContent(
    _ version: Fetch.Version, _ document: ICalendarDocument, at now: Instant
  ) {
    entityTag = version.entityTag
    modified = version.modified
    suggestedInterval = document.refreshInterval.map {
      min(max($0, Subscriber.suggestible.lowerBound), Subscriber.suggestible.upperBound)
    }
    recordSuccess(at: now)
  }

  fileprivate mutating func recordSuccess(at now: Instant) {
    checked = now
    succeeded = now
    failures = 0
    failure = nil
    next = now.adding(seconds: Double(effectiveInterval))
  }

  /// Schedules a retry after a failure: soon at first, then less and less often, but not more often than
  /// usual, and not before the server's Retry-After, up to a day.
  fileprivate mutating func recordFailure(_ reason: String, retryAfter: Double, at now: Instant) {
    checked = now
    failures += 1
    failure = reason
    let wait = Double(min(60 << min(failures - 1, 12), max(effectiveInterval, 3_600)))
    next = now.adding(seconds: max(wait, min(retryAfter, 86_400)))
  }
}

extension StoreWriter {
  /// The source for subscriptions. Creates it if needed.
  fileprivate borrowing func subscriptionSource() throws -> Identifier<Source> {
    if let source = try reader.sources().first(where: { $0.kind == .subscribed }) { return source.id }
    let source = Source(kind: .subscribed, title: "Subscriptions")
    try save(source)
    return source.id
  }
}
