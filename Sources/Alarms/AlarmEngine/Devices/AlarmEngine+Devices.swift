public import FencepostCalendarModel
import FencepostCalendarStore
public import FencepostGeofencing

/// What the engine knows of devices.
extension AlarmEngine {
  /// Ensures that a device has a state: the one from the journal, or a new one.
  func makeState(of device: DeviceNumber) throws {
    guard !tracker.knows(device) else { return }
    let state = try savedState(of: device)
    let isNew = state.lastFix == nil && state.heldSince == nil
    tracker.add(
      state, of: device,
      arrivals: isNew ? ArrivalTimes() : try journal.arrivals(ofDevice: devices.name(of: device)))
  }

  private func savedState(of device: DeviceNumber) throws -> DeviceState {
    let name = devices.name(of: device)
    do {
      return try journal.state(ofDevice: name) ?? DeviceState()
    } catch let damage as DeviceStateDecodingError {
      onDamagedState?(name, damage)
      return try beginAnew(device)
    }
  }

  /// A state for a device of which only the last position is known.
  private func beginAnew(_ device: DeviceNumber) throws -> DeviceState {
    let name = devices.name(of: device)
    var state = DeviceState()
    guard var fix = try store.read({ try $0.devices() }).first(where: { $0.name == name })?.lastFix else {
      return state
    }
    fix.device = device
    try loader.load(for: fix.coordinate, after: nil, into: &tracker.evaluator.index, &fenceAlarms)
    var crossings: [Transition] = []
    tracker.evaluator.evaluate(fix, state: &state, into: &crossings)
    return state
  }

  /// Seconds without a fix after which a device may have been anywhere in between.
  public static var minimumGap: Double { FixGaps.least }

  /// How long the device was silent around the last reported crossing: the crossing may have been at any time
  /// in this range. `nil` if the range is shorter than five minutes.
  public func gap(around transition: Transition) -> ClosedRange<Instant>? {
    // Late positions fill the gap.
    transition.isLate ? nil : tracker.gap(around: transition)
  }
}
