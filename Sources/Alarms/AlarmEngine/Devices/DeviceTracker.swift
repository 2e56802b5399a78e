import FencepostCalendarModel
import FencepostGeodesy
import FencepostGeofencing

/// Follows devices: weighs their fixes and keeps their states. It knows nothing about alarms.
///
/// A value, which the engine opens once for many fixes: Swift checks each access to a property of a class,
/// and there would be twenty a fix.
struct DeviceTracker {
  /// What is known of a device.
  private struct Device {
    /// Whether ``state`` is the device's. If not, it must be read from the journal.
    var isKnown = false
    var state = DeviceState()
    /// The last accepted position: its time, and when it was accepted.
    var heardAt: (time: Instant, wall: Instant)?
  }

  /// The fences, and what counts as having crossed their boundaries.
  var evaluator: FenceEvaluator
  /// The current time.
  var now: Instant
  /// When the silence starts for devices that only the journal knows: at the engine's start, because an
  /// earlier run may have missed anything, or at a release.
  var silentSince: Instant
  /// How many fixes came, and why some were rejected.
  private(set) var admissions = AdmissionCounts()
  /// Devices with a position in this step.
  private(set) var heard = DeviceSet()
  /// False for the clock of a trace, which fixes move.
  private let isOnWallClock: Bool
  /// By number.
  private var devices: [Device] = []
  /// When silence settles the doubts of which devices.
  private var ripening = RipeningQueue()
  private var gaps = FixGaps()
  /// Records what is decided; `nil` to record nothing.
  var recorder: DecisionRecorder?

  init(_ evaluator: FenceEvaluator, start: Instant, isOnWallClock: Bool) {
    self.evaluator = evaluator
    now = start
    silentSince = start
    self.isOnWallClock = isOnWallClock
  }

  // MARK: States

  /// Whether the state of a device is here.
  func knows(_ device: DeviceNumber) -> Bool { device.index < devices.count && devices[device.index].isKnown }

  /// The state of a device; `nil` if it is not here.
  func state(of device: DeviceNumber) -> DeviceState? { knows(device) ? devices[device.index].state : nil }

  /// The last position of a device; `nil` if it has none, or is not here.
  func lastFix(of device: DeviceNumber) -> DeviceState.LastFix? {
    knows(device) ? devices[device.index].state.lastFix : nil
  }

  /// The last position of a device that this tracker accepted: its time, and when that was.
  func heardAt(_ device: DeviceNumber) -> (time: Instant, wall: Instant)? {
    device.index < devices.count ? devices[device.index].heardAt : nil
  }

  /// Takes over the state of a device.
  mutating func add(_ state: DeviceState, of device: DeviceNumber) {
    if device.index >= devices.count {
      devices.append(contentsOf: repeatElement(Device(), count: device.index + 1 - devices.count))
    }
    devices[device.index] = Device(isKnown: true, state: state)
  }

  /// Forgets a device. Returns whether it was in doubt.
  mutating func forget(_ device: DeviceNumber) -> Bool {
    guard device.index < devices.count else { return false }
    devices[device.index] = Device()
    gaps.forget(device)
    defer { ripening.set(nil, of: device.index) }
    return ripening.contains(device.index)
  }

  /// Forgets all devices.
  mutating func removeAll() {
    devices.removeAll()
    heard.removeAll()
    ripening.removeAll()
    gaps = FixGaps()
  }

  /// Ends a step.
  mutating func endStep() { heard.removeAll() }

  // MARK: Fixes

  /// Weighs fixes from `first` on, up to the first that crosses a boundary, names a region, or comes at `due`
  /// or when silence settles a doubt. Nearly all fixes do not, so this loop decides the cost of a long trace.
  ///
  /// - Parameters:
  ///   - tile: The loop ends before a fix that needs the fences of another tile, or the state of a device
  ///     that is not here.
  ///   - crossings: The crossings of the last fix; must be empty.
  ///   - observer: Hears the judgements.
  /// - Returns: Where to continue; and whether the last fix was admitted, if it may have consequences.
  mutating func weigh(
    _ fixes: [Fix], from first: Int, in tile: FenceLoader.Tile?, until due: Instant,
    into crossings: inout [Transition], observer: ((Judgement) -> Void)?
  ) -> (next: Int, admission: Admission?) {
    // Not copied again for each fix.
    let evaluator = evaluator
    let recorder = recorder
    var next = first
    repeat {
      let fix = fixes[next]
      let device = fix.device.index
      recorder?.prepare(fix.device)
      let before = devices[device].state.lastFix?.time
      let admission = evaluator.evaluate(
        fix, state: &devices[device].state, into: &crossings, observer: observer)
      next += 1
      heard.insert(fix.device)
      recorder?.follow(fix, admission, devices[device].state, evaluator)
      if admission.isAdmission { gaps.note(fix.device, from: before, to: fix.time) }
      let time = clockTime(of: fix)
      let settles = ripening.earliest?.time ?? .distantFuture
      if !crossings.isEmpty || time >= min(due, settles) || fix.verdict?.waypoint != nil {
        return (next, admission)
      }
      count(fix, admission, at: time)
      if admission.isAdmission { now = max(now, time) }
      awaitRipening(of: fix.device)
    } while next < fixes.count && isReady(for: fixes[next].device, at: fixes[next].coordinate, in: tile)
    return (next, nil)
  }

  /// Counts a fix that came at `time` of the clock. If it is accepted, it is the last one heard of its
  /// device.
  mutating func count(_ fix: Fix, _ admission: Admission, at time: Instant) {
    admissions.count(admission)
    guard admission.isAdmission else { return }
    devices[fix.device.index].heardAt = (fix.time, max(now, time))
  }

  /// Weighs what a phone says about a region that it watches itself, which has these fences.
  mutating func applyVerdict(
    _ fix: Fix, of fences: [FenceID], into crossings: inout [Transition], observer: ((Judgement) -> Void)?
  ) {
    recorder?.prepare(fix.device)
    evaluator.applyVerdict(
      fix, of: fences, state: &devices[fix.device.index].state, into: &crossings, observer: observer)
  }

  /// Finds the fences that a device sees for the first time at its last position, and is in, as of `time`.
  mutating func reportPresence(
    of device: DeviceNumber, at time: Instant, into crossings: inout [Transition]
  ) {
    evaluator.reportPresence(of: device, at: time, state: &devices[device.index].state, into: &crossings)
    heard.insert(device)
  }

  /// Whether a fix can be weighed: its device is known, and the fences near it are in the index.
  private func isReady(
    for device: DeviceNumber, at coordinate: Coordinate, in tile: FenceLoader.Tile?
  ) -> Bool {
    guard knows(device) else { return false }
    return FenceLoader.isAtHand(coordinate, after: devices[device.index].state.lastFix?.coordinate, in: tile)
  }

  /// The clock's time when a fix comes.
  func clockTime(of fix: Fix) -> Instant { isOnWallClock ? min(fix.time, now) : fix.time }

  /// How long the device was silent around a crossing; `nil` if there are fixes near it.
  func gap(around transition: Transition) -> ClosedRange<Instant>? { gaps.gap(around: transition) }

  // MARK: Silence

  /// When silence settles the next doubt, and whose; `nil` if no device is in doubt.
  var earliestRipening: (time: Instant, device: DeviceNumber)? {
    ripening.earliest.map { ($0.time, DeviceNumber(index: $0.device)) }
  }

  /// Converts `time` of a device's clock to the engine's clock.
  ///
  /// A device's positions may come late, all at once, or again after a restart. If it was inside at its last
  /// position, that proves nothing about the time after it. So for a device time passes at the pace of the
  /// wall clock from its last position on. If positions come as they are made, both times are the same.
  func engineTime(of time: Instant, for device: DeviceNumber) -> Instant {
    guard isOnWallClock, let last = heardAt(device) ?? lastFix(of: device).map({ ($0.time, silentSince) })
    else { return time }
    return max(time, last.wall.adding(seconds: time.seconds(since: last.time)))
  }

  /// Records when the next doubt of a device ripens.
  mutating func awaitRipening(of device: DeviceNumber) {
    let time = knows(device) ? devices[device.index].state.ripensAt : nil
    ripening.set(time.map { engineTime(of: $0, for: device) }, of: device.index)
  }

  /// Settles the doubts of a device that ripen through `time` of its own clock.
  mutating func ripen(
    _ device: DeviceNumber, through time: Instant, into crossings: inout [Transition],
    observer: ((Judgement) -> Void)?
  ) {
    recorder?.prepare(device)
    evaluator.ripen(
      through: time, of: device, state: &devices[device.index].state, into: &crossings, observer: observer)
    heard.insert(device)
    awaitRipening(of: device)
  }

  /// Sets the clock back. What came in the meantime then counts as if it had come at `time`.
  mutating func setBack(to time: Instant) {
    now = time
    silentSince = min(silentSince, time)
    for device in devices.indices {
      if let heard = devices[device].heardAt, heard.wall > time {
        devices[device].heardAt = (heard.time, time)
      }
    }
    for device in ripening.devices { awaitRipening(of: DeviceNumber(index: device)) }
  }
}

extension DeviceNumber {
  fileprivate init(index: Int) { self.init(rawValue: UInt32(index)) }

  fileprivate var index: Int { Int(rawValue) }
}

/// The last few gaps between the fixes of each device. The exact time of a crossing in a gap is unknown.
struct FixGaps {
  /// How many seconds without a fix make a gap: long enough to walk somewhere else and back.
  static let least = 300.0

  /// How many gaps of a device are kept. A crossing is reported some fixes after it.
  private static let most = 4

  private var gaps: [DeviceNumber: [ClosedRange<Instant>]] = [:]

  /// Records a fix of `device` at `time`; `last` is the time of the fix before, if there is one.
  @inline(__always)
  mutating func note(_ device: DeviceNumber, from last: Instant?, to time: Instant) {
    guard let last, time.seconds(since: last) >= FixGaps.least else { return }
    add(last...time, device)
  }

  @inline(never)
  private mutating func add(_ gap: ClosedRange<Instant>, _ device: DeviceNumber) {
    var known = gaps[device] ?? []
    if known.count == FixGaps.most { known.removeFirst() }
    gaps[device] = known + [gap]
  }

  /// Forgets the gaps of a device.
  mutating func forget(_ device: DeviceNumber) { gaps[device] = nil }

  /// The gap that contains a crossing; `nil` if there are fixes near it.
  func gap(around crossing: Transition) -> ClosedRange<Instant>? {
    guard crossing.isInterpolated else { return nil }
    return gaps[crossing.fix.device]?.last { $0.contains(crossing.time) }
  }
}

/// A set of devices. Their numbers start at 0, so a look-up needs no hashing.
struct DeviceSet {
  /// In the order of insertion.
  private(set) var members: [DeviceNumber] = []
  private var isMember: [Bool] = []

  /// True if the set contains a device.
  func contains(_ device: DeviceNumber) -> Bool {
    let index = Int(device.rawValue)
    return index < isMember.count && isMember[index]
  }

  /// Adds a device unless it is there already.
  mutating func insert(_ device: DeviceNumber) {
    let index = Int(device.rawValue)
    if index >= isMember.count {
      isMember.append(contentsOf: repeatElement(false, count: index + 1 - isMember.count))
    }
    if isMember[index] { return }
    isMember[index] = true
    members.append(device)
  }

  mutating func removeAll() {
    for device in members { isMember[Int(device.rawValue)] = false }
    members.removeAll(keepingCapacity: true)
  }
}
