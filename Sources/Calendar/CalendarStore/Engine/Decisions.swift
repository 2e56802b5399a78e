public import FencepostCalendarModel
public import FencepostDatabase
internal import FencepostGeodesy

/// What came of an alarm at a place while one device was near the place: from when it came near, or was seen
/// on the other side of the boundary, until it crossed the boundary or went away.
///
/// The engine records it as it happens. Later changes of the item or the place do not change it.
public struct AlarmDecision: Hashable, Sendable {
  /// How it ended.
  public enum Ending: String, Hashable, Sendable, CaseIterable {
    /// The device crossed the boundary.
    case crossed
    /// The device went away without a crossing.
    case wentAway = "went_away"
    /// The reminder was completed or cancelled, or the alarm was removed.
    case silenced
    /// The alarm's place was moved.
    case moved
  }

  /// What became of the alarm at the crossing.
  public enum Outcome: Hashable, Sendable {
    /// It went off.
    case fired
    /// The device began a stay that the alarm waits for.
    case stayBegan
    /// The device left before the end of the stay.
    case stayEnded
    /// It stayed silent, for this reason: the raw value of the engine's `Suppression`.
    case suppressed(String)

    /// As it is stored.
    public var text: String {
      switch self {
      case .fired: "fired"
      case .stayBegan: "stay_began"
      case .stayEnded: "stay_ended"
      case .suppressed(let reason): reason
      }
    }

    /// From its stored form.
    public init(text: String) {
      switch text {
      case "fired": self = .fired
      case "stay_began": self = .stayBegan
      case "stay_ended": self = .stayEnded
      default: self = .suppressed(text)
      }
    }
  }

  /// The fix that came closest to a crossing.
  public struct Nearest: Hashable, Sendable {
    /// Metres from the boundary to it; negative inside.
    public var metres: Double
    /// Its time.
    public var time: Instant
    /// Its claimed accuracy in metres; `nil` if unknown.
    public var accuracy: Double?

    /// A nearest fix.
    public init(metres: Double, time: Instant, accuracy: Double?) {
      self.metres = metres
      self.time = time
      self.accuracy = accuracy
    }
  }

  /// The crossing of the boundary.
  public struct Crossing: Hashable, Sendable {
    /// When the device crossed it.
    public var time: Instant
    /// When that was sure.
    public var confirmed: Instant
    /// What shows it.
    public var source: CrossingSource
    /// Whether only late positions show it.
    public var isLate: Bool

    /// A crossing.
    public init(time: Instant, confirmed: Instant, source: CrossingSource, isLate: Bool) {
      self.time = time
      self.confirmed = confirmed
      self.source = source
      self.isLate = isLate
    }
  }

  /// Its number, which grows; the engine assigns it.
  public var number: Int64
  /// The alarm's item.
  public var item: Identifier<CalendarItem>
  /// The alarm.
  public var alarm: Identifier<Alarm>
  /// The device by name.
  public var device: String
  /// The name of the place.
  public var place: String
  /// What the alarm waited for: `enter`, `leave` or `dwell`.
  public var event: String
  /// Whether the device was inside.
  public var isInside: Bool
  /// From the first fix to the last; the end may be some minutes early.
  public var from: Instant
  /// See ``from``.
  public var until: Instant
  /// The fix that came closest to a crossing; `nil` if none was measured.
  public var nearest: Nearest?
  /// How often it was in doubt whether the device crossed the boundary.
  public var doubts = 0
  /// The last judgement of a doubt: the raw value of `Judgement.Outcome`.
  public var doubt: String?
  /// When that judgement was made.
  public var doubtTime: Instant?
  /// The crossing that ended it.
  public var crossing: Crossing?
  /// What became of the alarm; `nil` if it does not wait for this crossing, or there was none.
  public var outcome: Outcome?
  /// The key of the firing.
  public var firing: String?
  /// How it ended; `nil` if it goes on, or the engine ended.
  public var ending: Ending?

  /// A decision that begins.
  public init(
    number: Int64, item: Identifier<CalendarItem>, alarm: Identifier<Alarm>, device: String, place: String,
    event: String, isInside: Bool, from: Instant
  ) {
    self.number = number
    self.item = item
    self.alarm = alarm
    self.device = device
    self.place = place
    self.event = event
    self.isInside = isInside
    self.from = from
    until = from
  }
}

/// Something that the engine observed for a while, and that explains alarms.
public struct EngineObservation: Hashable, Sendable {
  /// What.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// An engine ran.
    case run
    /// Deliveries were paused.
    case pause
    /// A device sent no positions for at least five minutes.
    case silence
    /// Positions of a device were rejected, or set aside: see ``EngineObservation/reason``.
    case ignored
  }

  /// What was observed.
  public var kind: Kind
  /// The device by name; `nil` if it is about the engine.
  public var device: String?
  /// From when. Of a device, nothing of the same kind begins at the same time.
  public var from: Instant
  /// Until when at least.
  public var until: Instant
  /// Why positions were ignored: the raw value of the engine's `Rejection`.
  public var reason: String?
  /// The claimed accuracy in metres of the last ignored position.
  public var accuracy: Double?
  /// How many positions.
  public var count = 1
  /// What came of positions that were set aside: `confirmed` or `dismissed`; `nil` for others.
  public var ending: String?

  /// An observation that begins.
  public init(kind: Kind, device: String? = nil, from: Instant, until: Instant) {
    self.kind = kind
    self.device = device
    self.from = from
    self.until = until
  }
}

/// Which records are wanted.
public enum RecordChoice: Hashable, Sendable {
  /// Those about an item.
  case item(Identifier<CalendarItem>)
  /// Those about a device.
  case device(String)
}

extension StoreReader {
  /// What was decided about an item or a device in a time, in order.
  public func decisions(
    about choice: RecordChoice, in span: Range<Instant>
  ) throws(StoreError) -> [AlarmDecision] {
    let (query, name) =
      switch choice {
      case .item(let item): (Queries.ofItem, item.rawValue)
      case .device(let device): (Queries.ofDevice, device)
      }
    return try connection.all(query) {
      $0.add(name)
      $0.add(span.lowerBound)
      $0.add(span.upperBound)
    } read: {
      $0.decision()
    }
  }

  /// What was observed in a time, in order: of the engine, and of a device or, for `nil`, of all.
  public func observations(
    of device: String? = nil, in span: Range<Instant>
  ) throws(StoreError) -> [EngineObservation] {
    try connection.all(Queries.observations) {
      $0.add(device)
      $0.add(span.lowerBound)
      $0.add(span.upperBound)
    } read: {
      $0.observation()
    }
  }

  /// The highest number of a decision; 0 without any.
  public func latestDecision() throws(StoreError) -> Int64 {
    try connection.first(Queries.latest) { $0.int64() } ?? 0
  }

  /// The start of the earliest record; `nil` if nothing is recorded. Cost: reads all records.
  public func firstRecord() throws(StoreError) -> Instant? {
    try connection.first(Queries.first) { $0.optionalInstant() } ?? nil
  }
}

extension StoreWriter {
  /// The most decisions that are kept, and the most observations: some 300 bytes each.
  public static var maximumRecords: Int64 { 20_000 }

  /// Adds and replaces records, by their numbers. The oldest ones go if there are too many.
  func record(
    _ decisions: [AlarmDecision], _ observations: [EngineObservation]
  ) throws(StoreError) {
    for decision in decisions { try connection.run(Queries.setDecision) { $0.add(decision) } }
    for observation in observations { try connection.run(Queries.setObservation) { $0.add(observation) } }
    if let newest = decisions.map(\.number).max() {
      try connection.run(Queries.limitDecisions) { $0.add(newest - StoreWriter.maximumRecords) }
    }
    if !observations.isEmpty {
      try connection.run(Queries.limitObservations) { $0.add(StoreWriter.maximumRecords) }
    }
  }

  /// Adds and replaces observations.
  public func record(_ observations: [EngineObservation]) throws(StoreError) {
    try record([], observations)
  }

  /// Erases records of what ended before a moment.
  public func removeRecords(before moment: Instant) throws(StoreError) {
    try connection.run(Queries.removeDecisions) { $0.add(moment) }
    try connection.run(Queries.removeObservations) { $0.add(moment) }
  }

  /// Erases the records about a device; for `nil`, of all devices.
  func removeRecords(ofDevice device: String?) throws(StoreError) {
    try connection.run(Queries.forgetDecisions) { $0.add(device) }
    try connection.run(Queries.forgetObservations) { $0.add(device) }
  }
}

extension Binder {
  fileprivate mutating func add(_ decision: AlarmDecision) {
    add(decision.number)
    add(decision.item)
    add(decision.alarm)
    add(decision.device)
    add(decision.place)
    add(decision.event)
    add(decision.isInside)
    add(decision.from)
    add(decision.until)
    add(decision.nearest?.metres)
    add(decision.nearest?.time)
    add(decision.nearest?.accuracy)
    add(decision.doubts)
    add(decision.doubt)
    add(decision.doubtTime)
    add(decision.crossing?.time)
    add(decision.crossing?.confirmed)
    add(decision.crossing?.source.rawValue)
    add(decision.crossing?.isLate ?? false)
    add(decision.outcome?.text)
    add(decision.firing)
    add(decision.ending?.rawValue)
  }

  fileprivate mutating func add(_ observation: EngineObservation) {
    add(observation.kind.rawValue)
    add(observation.device ?? "")
    add(observation.from)
    add(observation.until)
    add(observation.reason)
    add(observation.accuracy)
    add(observation.count)
    add(observation.ending)
  }
}

extension RowReader {
  fileprivate mutating func decision() -> AlarmDecision {
    var decision = AlarmDecision(
      number: int64(), item: identifier(), alarm: identifier(), device: text(), place: text(), event: text(),
      isInside: bool(), from: instant())
    decision.until = instant()
    let (metres, time, accuracy) = (optionalDouble(), optionalInstant(), optionalDouble())
    if let metres, let time {
      decision.nearest = AlarmDecision.Nearest(metres: metres, time: time, accuracy: accuracy)
    }
    decision.doubts = int()
    decision.doubt = optionalText()
    decision.doubtTime = optionalInstant()
    let (crossed, confirmed) = (optionalInstant(), optionalInstant())
    let (source, isLate) = (optionalText().flatMap(CrossingSource.init), bool())
    if let crossed {
      decision.crossing = AlarmDecision.Crossing(
        time: crossed, confirmed: confirmed ?? crossed, source: source ?? .positions, isLate: isLate)
    }
    decision.outcome = optionalText().map(AlarmDecision.Outcome.init(text:))
    decision.firing = optionalText()
    decision.ending = optionalText().flatMap(AlarmDecision.Ending.init)
    return decision
  }

  fileprivate mutating func observation() -> EngineObservation {
    let kind = EngineObservation.Kind(rawValue: text()) ?? .ignored
    let device = text()
    var observation = EngineObservation(
      kind: kind, device: device.isEmpty ? nil : device, from: instant(), until: instant())
    observation.reason = optionalText()
    observation.accuracy = optionalDouble()
    observation.count = int()
    observation.ending = optionalText()
    return observation
  }
}

private enum Queries {
  private static let decisionColumns = """
    row, item, alarm, device, place, event, is_inside, from_at, until_at, nearest, nearest_at,
    nearest_accuracy, doubts, doubt, doubt_at, crossed_at, confirmed_at, source, is_late, outcome, firing,
    ending
    """
  private static let observationColumns = "kind, device, from_at, until_at, reason, accuracy, count, ending"
  // An update of what can change leaves the indexes alone.
  static let setDecision = SQL(
    """
    INSERT INTO decisions (\(decisionColumns)) VALUES (?\(String(repeating: ", ?", count: 21)))
    ON CONFLICT (row) DO UPDATE SET
      is_inside = excluded.is_inside, until_at = excluded.until_at, nearest = excluded.nearest,
      nearest_at = excluded.nearest_at, nearest_accuracy = excluded.nearest_accuracy,
      doubts = excluded.doubts, doubt = excluded.doubt, doubt_at = excluded.doubt_at,
      crossed_at = excluded.crossed_at, confirmed_at = excluded.confirmed_at, source = excluded.source,
      is_late = excluded.is_late, outcome = excluded.outcome, firing = excluded.firing,
      ending = excluded.ending
    """)
  static let setObservation = SQL(
    """
    INSERT INTO observations (\(observationColumns)) VALUES (?\(String(repeating: ", ?", count: 7)))
    ON CONFLICT (device, kind, from_at) DO UPDATE SET
      until_at = excluded.until_at, reason = excluded.reason, accuracy = excluded.accuracy,
      count = excluded.count, ending = excluded.ending
    """)
  static let limitDecisions = SQL("DELETE FROM decisions WHERE row <= ?")
  static let limitObservations = SQL(
    "DELETE FROM observations WHERE row <= (SELECT max(row) FROM observations) - ?")
  private static let decisions = "SELECT \(decisionColumns) FROM decisions "
  private static let meantTime = "AND until_at >= ? AND from_at < ? ORDER BY from_at, row"
  static let ofItem = SQL(decisions + "WHERE item = ? " + meantTime)
  static let ofDevice = SQL(decisions + "WHERE device = ? " + meantTime)
  static let observations = SQL(
    """
    SELECT \(observationColumns) FROM observations
    WHERE (?1 IS NULL OR device = '' OR device = ?1) AND until_at >= ?2 AND from_at < ?3
    ORDER BY from_at, row
    """)
  static let latest = SQL("SELECT coalesce(max(row), 0) FROM decisions")
  static let first = SQL(
    "SELECT min(from_at) FROM (SELECT from_at FROM observations UNION ALL SELECT from_at FROM decisions)")
  static let removeDecisions = SQL("DELETE FROM decisions WHERE until_at < ?")
  static let removeObservations = SQL("DELETE FROM observations WHERE until_at < ?")
  static let forgetDecisions = SQL("DELETE FROM decisions WHERE ?1 IS NULL OR device = ?1")
  static let forgetObservations = SQL(
    "DELETE FROM observations WHERE device <> '' AND (?1 IS NULL OR device = ?1)")
}
