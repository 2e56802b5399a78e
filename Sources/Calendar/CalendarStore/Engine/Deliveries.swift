public import FencepostCalendarModel
public import FencepostDatabase

/// The delivery of a notice over a channel.
public struct Delivery: Hashable, Sendable {
  /// The progress of a delivery.
  public enum State: Int, Hashable, Sendable {
    /// To be tried, or retried.
    case pending = 0
    /// The channel took it.
    case delivered
    /// It failed for good.
    case failed
  }

  /// Its number in this store.
  public var number: Int64
  /// The channel.
  public var channel: String
  /// Its progress.
  public var state: State
  /// The number of attempts.
  public var attempts: Int
  /// The time of the next attempt.
  public var nextAttempt: Instant
  /// The last error.
  public var lastError: String?
  /// How often the channel has told it. More than once only if it repeats notices until they are answered.
  public var told: Int
  /// The content that it was asked to tell of (``Notice/revision``), which may be older than that of
  /// ``notice``.
  public var revision: String?
  /// What to tell. Its key is the same at each attempt.
  public var notice: Notice
  /// When the channel took it.
  public var delivered: Instant?
  /// Whether the channel should tell it without a sound. Not stored: it depends on the hour.
  public var isQuiet = false
}

/// The last results of a channel.
public struct ChannelHistory: Hashable, Sendable {
  /// The channel.
  public var channel: String
  /// When it last took a delivery.
  public var lastSuccess: Instant?
  /// The last error of a delivery that is still waiting, or was given up, and when the alarm went off.
  public var lastFailure: (Instant, String)? { failed.flatMap { time in error.map { (time, $0) } } }
  private var failed: Instant?
  private var error: String?
  /// The deliveries that wait, and those that were given up.
  public var pending: Int
  /// See ``pending``.
  public var givenUp: Int

  init(channel: String, lastSuccess: Instant?, failed: Instant?, error: String?, pending: Int, givenUp: Int) {
    self.channel = channel
    self.lastSuccess = lastSuccess
    self.failed = failed
    self.error = error
    self.pending = pending
    self.givenUp = givenUp
  }
}

extension StoreReader {
  /// The deliveries that a channel, or any channel for `nil`, may try at a moment. The longest waiting comes
  /// first.
  public func pendingDeliveries(
    at moment: Instant = .distantFuture, channel: String? = nil, limit: Int = 1_000
  ) throws(StoreError) -> [Delivery] {
    try connection.all(Queries.pending) {
      $0.add(moment)
      $0.add(channel)
      $0.add(limit)
    } read: { row in
      Delivery(
        number: row.int64(), channel: row.text(), state: row.value(or: .pending), attempts: row.int(),
        nextAttempt: row.instant(), lastError: row.optionalText(), told: row.int(),
        revision: row.optionalText(), notice: row.notice())
    }
  }

  /// The deliveries of a firing, by channel.
  public func deliveries(of entry: LedgerEntry) throws(StoreError) -> [Delivery] {
    try connection.all(Queries.ofFiring) {
      $0.add(entry.number)
    } read: { row in
      Delivery(
        number: row.int64(), channel: row.text(), state: row.value(or: .pending), attempts: row.int(),
        nextAttempt: row.instant(), lastError: row.optionalText(), told: row.int(), notice: .firing(entry),
        delivered: row.optionalInstant())
    }
  }

  /// The last results of each channel that ever got a delivery. Cost: reads each delivery.
  public func channelHistories() throws(StoreError) -> [ChannelHistory] {
    try connection.all(Queries.histories) { row in
      ChannelHistory(
        channel: row.text(), lastSuccess: row.optionalInstant(), failed: row.optionalInstant(),
        error: row.optionalText(), pending: row.int(), givenUp: row.int())
    }
  }

  /// The number of pending deliveries by channel, without those that were told and wait for an answer.
  public func pendingDeliveryCounts() throws(StoreError) -> [String: Int] { try counts(Queries.counts) }

  /// The number of failed deliveries by channel. Cost: reads each delivery.
  public func failedDeliveryCounts() throws(StoreError) -> [String: Int] { try counts(Queries.failedCounts) }

  /// Why the last failed delivery of each channel failed.
  public func lastFailedDeliveries() throws(StoreError) -> [String: String] {
    let reasons = try connection.all(Queries.lastFailed) { ($0.text(), $0.optionalText() ?? "") }
    return Dictionary(reasons) { first, _ in first }
  }

  private func counts(_ query: SQL) throws(StoreError) -> [String: Int] {
    let counts = try connection.all(query) { ($0.text(), $0.int()) }
    return Dictionary(counts) { first, _ in first }
  }
}

extension StoreWriter {
  /// Records that a channel took a delivery.
  ///
  /// If there is newer content to tell by now, it still waits.
  ///
  /// - Parameters:
  ///   - delivery: The delivery as it was read.
  ///   - moment: The time.
  ///   - again: When to tell it again; `nil` if this was the last time.
  public func markDelivered(
    _ delivery: Delivery, at moment: Instant, again: Instant? = nil
  ) throws(StoreError) {
    try connection.run(Queries.delivered) {
      $0.add(moment)
      $0.add(again)
      $0.add(delivery.number)
      $0.add(delivery.revision)
      $0.add(delivery.notice.revision)
    }
  }

  /// Records a failed attempt. If there is newer content to tell by now, that is tried as if nothing had
  /// failed.
  ///
  /// - Parameters:
  ///   - delivery: The delivery as it was read.
  ///   - reason: The error.
  ///   - nextAttempt: The time of the next attempt; `nil` to give up.
  public func markFailed(
    _ delivery: Delivery, because reason: String, nextAttempt: Instant?
  ) throws(StoreError) {
    try connection.run(Queries.failed) {
      $0.add(nextAttempt)
      $0.add(reason)
      $0.add(delivery.number)
      $0.add(delivery.revision)
      $0.add(delivery.notice.revision)
    }
  }

  /// Lets channels tell of a firing.
  func add(
    deliveriesOfFiring number: Int64, over channels: [String], at moment: Instant
  ) throws(StoreError) {
    for channel in channels {
      try connection.run(Queries.addFiring) {
        $0.add(number)
        $0.add(channel)
        $0.add(moment)
      }
    }
  }

  /// Lets channels tell of a suggestion: each channel once of each content.
  ///
  /// - Parameters:
  ///   - suggestion: A suggestion of the store.
  ///   - channels: The names of the channels.
  ///   - moment: When the deliveries may first be tried.
  public func addDeliveries(
    of suggestion: Suggestion, over channels: [String], at moment: Instant
  ) throws(StoreError) {
    for channel in channels {
      try connection.run(Queries.addSuggestion) {
        $0.add(suggestion.id)
        $0.add(channel)
        $0.add(moment)
        $0.add(suggestion.revision)
      }
    }
  }
}

extension RowReader {
  /// The columns of ``Queries/notice``.
  fileprivate mutating func notice() -> Notice {
    guard hasValue else {
      skip(LedgerColumns.count)
      return .suggestion(suggestion())
    }
    return .firing(ledgerEntry())
  }
}

private enum Queries {
  static let addFiring = SQL(
    """
    INSERT INTO deliveries (firing, channel, state, next_attempt_at) VALUES (?, ?, 0, ?)
    ON CONFLICT (firing, channel) DO NOTHING
    """)
  static let addSuggestion = SQL(
    """
    INSERT INTO deliveries (suggestion, channel, state, next_attempt_at, revision)
    SELECT row, ?2, 0, ?3, ?4 FROM suggestions WHERE id = ?1
    ON CONFLICT (suggestion, channel) WHERE suggestion IS NOT NULL DO UPDATE
    SET state = 0, attempts = 0, told = 0, next_attempt_at = ?3, last_error = NULL, revision = ?4
    WHERE revision IS NOT ?4
    """)
  /// A firing; or only NULLs, and then a suggestion.
  private static let notice =
    ([LedgerColumns.list] + SuggestionColumns.names.map { "s." + $0 }).joined(separator: ", ")
  static let pending = SQL(
    """
    SELECT d.row, d.channel, d.state, d.attempts, d.next_attempt_at, d.last_error, d.told, d.revision,
      \(notice)
    FROM deliveries d LEFT JOIN firings f ON f.row = d.firing LEFT JOIN suggestions s ON s.row = d.suggestion
    WHERE d.state = 0 AND d.next_attempt_at <= ?1 AND (?2 IS NULL OR d.channel = ?2)
    ORDER BY d.next_attempt_at, d.row LIMIT ?3
    """)
  static let ofFiring = SQL(
    """
    SELECT row, channel, state, attempts, next_attempt_at, last_error, told, delivered_at
    FROM deliveries WHERE firing = ? ORDER BY channel
    """)
  // The error is that of the row with the latest firing.
  static let histories = SQL(
    """
    SELECT d.channel, max(d.delivered_at), f.failed_at, f.last_error, sum(d.state = 0), sum(d.state = 2)
    FROM deliveries d LEFT JOIN (
      SELECT d.channel, max(f.went_off_at) AS failed_at, d.last_error
      FROM deliveries d JOIN firings f ON f.row = d.firing
      WHERE d.last_error IS NOT NULL AND d.state <> 1 GROUP BY d.channel
    ) f ON f.channel = d.channel
    GROUP BY d.channel ORDER BY d.channel
    """)
  static let counts = SQL(
    "SELECT channel, count(*) FROM deliveries WHERE state = 0 AND told = 0 GROUP BY channel")
  static let failedCounts = SQL("SELECT channel, count(*) FROM deliveries WHERE state = 2 GROUP BY channel")
  // With max(), SQLite takes the other columns of that row.
  static let lastFailed = SQL(
    "SELECT channel, last_error, max(row) FROM deliveries WHERE state = 2 GROUP BY channel")
  static let delivered = SQL(
    """
    UPDATE deliveries SET state = iif(?2 IS NULL, 1, 0), attempts = attempts + 1, told = told + 1,
      delivered_at = ?1, next_attempt_at = coalesce(?2, next_attempt_at), revision = ?5
    WHERE row = ?3 AND (revision IS ?4 OR revision IS ?5)
    """)
  static let failed = SQL(
    """
    UPDATE deliveries SET state = iif(?1 IS NULL, 2, 0), attempts = attempts + 1,
      next_attempt_at = coalesce(?1, next_attempt_at), last_error = ?2
    WHERE row = ?3 AND (revision IS ?4 OR revision IS ?5)
    """)
}
