import FencepostCalendarModel
import FencepostGeofencing

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
