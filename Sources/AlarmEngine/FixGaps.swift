import CalendarModel
import Geofencing

/// The last few gaps between the fixes of each device. The exact time of a crossing in a gap is unknown.
struct FixGaps {
  /// How many seconds without a fix are a gap: long enough for a walk to somewhere else and back.
  static let least = 300.0

  /// How many are kept of a device. A crossing is told of some fixes after it.
  private static let most = 4

  private var gaps: [DeviceNumber: [ClosedRange<Instant>]] = [:]

  /// Takes note that a fix of `device` came at `time`, the one before it, where there was one, at `last`.
  @inline(__always)
  mutating func note(_ device: DeviceNumber, from last: Instant?, to time: Instant) {
    guard let last, time.microseconds - last.microseconds >= Int64(FixGaps.least * 1e6) else { return }
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

  /// The gap in which a crossing was dated; `nil` where fixes came close to it.
  func gap(around crossing: Transition) -> ClosedRange<Instant>? {
    guard crossing.isInterpolated else { return nil }
    return gaps[crossing.fix.device]?.last { $0.contains(crossing.time) }
  }
}
