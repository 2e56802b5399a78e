public import FencepostCalendarModel
public import FencepostCalendarStore
public import FencepostGeofencing

/// Saves each step in the store, in one transaction.
public struct StoreJournal: EngineJournal {
  private let store: CalendarStore
  private let channels: @Sendable (LedgerEntry) -> [String]
  private let onDamage: (StoreError) -> Void
  private let isDurable: Bool
  private let continues: Bool
  private let alongside: ((borrowing StoreWriter) throws -> Void)?

  /// A journal in `store`.
  ///
  /// - Parameters:
  ///   - channels: The channels for a firing. Each gets a pending delivery in the transaction that saves the
  ///     firing.
  ///   - onDamage: Called with the error of a due time that can't be read in full. Its alarm goes
  ///     off.
  ///   - isDurable: Whether each step waits for the disk. A run that can be repeated from a log need not.
  ///   - continues: Whether the run continues the one before without having missed a position.
  ///   - alongside: What else changes in the transaction with the last part of each call of the engine.
  public init(
    store: CalendarStore, channels: @escaping @Sendable (LedgerEntry) -> [String] = { _ in [] },
    onDamage: @escaping (StoreError) -> Void = { _ in }, isDurable: Bool = true,
    continues: Bool = false, alongside: ((borrowing StoreWriter) throws -> Void)? = nil
  ) {
    self.store = store
    self.channels = channels
    self.onDamage = onDamage
    self.isDurable = isDurable
    self.continues = continues
    self.alongside = alongside
  }

  /// The store's due times, the earliest first.
  public func nextDueTimes(limit: Int) throws -> (dueTimes: [DueTime], isAll: Bool) {
    let found = try store.read { reader in
      try reader.dueTimes(until: .distantFuture, limit: limit) { due, error in
        onDamage(
          StoreError(path: error.path, reason: .partlyDamaged("a due time of item \(due.item)", error)))
      }
    }
    return (found, found.count < limit)
  }

  /// Saves a step in one transaction, and returns the firings that the ledger did not have.
  public func commit(_ step: EngineStep) throws -> [Firing] {
    try keep(LedgerStep(step), isPartial: step.isPartial)
  }

  func keep(_ step: LedgerStep, isPartial: Bool = false) throws -> [Firing] {
    guard !step.isEmpty else { return [] }
    return try store.write(isDurable: isDurable) { writer in
      if !isPartial { try alongside?(writer) }
      return try writer.record(step, channels: channels).map(\.firing)
    }
  }

  /// True: device states outlive the run.
  public var keepsStates: Bool { true }

  /// The saved state of a device.
  public func state(ofDevice name: String) throws -> DeviceState? {
    let found = try store.read { reader in
      try reader.fenceState(of: name).map { (state: $0, silences: try reader.silences(of: name)) }
    }
    guard let found else { return nil }
    return try DeviceState(decoding: found.state, silences: found.silences.map { .init($0) })
  }

  /// When the positions came that the saved state of a device rests on, for a run that continues.
  public func arrivals(ofDevice name: String) throws -> ArrivalTimes {
    continues ? try store.read { try $0.arrivals(of: name) } : ArrivalTimes()
  }

  /// The devices whose saved state has a doubt that silence settles. Unreadable states are skipped.
  public func devicesInDoubt() throws -> [String] {
    try store.read { try $0.fenceStates() }.compactMap { device, bytes in
      (try? DeviceState(decoding: bytes))?.confirmsAt == nil ? nil : device
    }
  }

  /// When an alarm last went off, according to the ledger.
  public func lastFiring(of alarm: Identifier<Alarm>, item: Identifier<CalendarItem>) throws -> Instant? {
    try store.read { try $0.lastFiring(alarm: alarm, item: item) }?.firing.time
  }
}

extension LedgerStep {
  /// The store's form of a step of the engine.
  init(_ step: EngineStep) {
    self.init()
    firings = step.firings
    disarmed = Array(step.disarmed)
    armed = Array(step.armed)
    history = step.history
    decisions = step.decisions
    observations = step.observations
    lastFixes = step.lastFixes
    arrivals = step.arrivals
    for (name, state) in step.devices {
      let changes = state.changes
      fenceStates[name] = changes.state
      silences[name] = SilenceChanges(
        replacesAll: changes.replacesAll, ended: changes.ended, changed: changes.silences.map { .init($0) })
    }
  }
}

extension StoredSilence {
  fileprivate init(_ silence: DeviceState.SavedSilence) {
    self.init(
      number: silence.number, state: silence.state, settledThrough: silence.settledThrough, late: silence.late
    )
  }
}

extension DeviceState.SavedSilence {
  fileprivate init(_ silence: StoredSilence) {
    self.init(number: silence.number, state: silence.state, late: silence.late)
  }
}
