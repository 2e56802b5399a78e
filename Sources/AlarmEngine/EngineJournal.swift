public import CalendarModel
public import Geofencing

/// Where the engine keeps what must outlive a step.
///
/// A dry run keeps it in memory and leaves the store alone (``DryRunJournal``); what happens in earnest
/// is kept in the store (``StoreJournal``).
public protocol EngineJournal {
  /// The due times that come next, the earliest first: `limit` of them, or all where there are fewer.
  ///
  /// `isAll` tells that none is left, so that the engine need not ask again. Asked for when those that were
  /// given before are all used up and committed.
  mutating func nextDueTimes(limit: Int) throws -> (dueTimes: [DueTime], isAll: Bool)

  /// Keeps a step, whole or not at all, and returns its firings without those that the ledger held already.
  mutating func commit(_ step: EngineStep) throws -> [Firing]

  /// Whether the states of devices in a step are wanted.
  var keepsStates: Bool { get }

  /// What was known of the device called `name`; `nil` where it was never heard from.
  func state(ofDevice name: String) throws -> DeviceState?

  /// The names of the devices that were left in doubt, for time to settle: see ``Geofencing/DeviceState/ripensAt``.
  func devicesInDoubt() throws -> [String]

  /// When an alarm last went off; `nil` where it never did.
  func lastFiring(of alarm: Identifier<Alarm>, item: Identifier<CalendarItem>) throws -> Instant?
}

extension EngineJournal {
  /// None: a run over a trace settles the doubts of those that it hears from.
  public func devicesInDoubt() throws -> [String] { [] }
}
