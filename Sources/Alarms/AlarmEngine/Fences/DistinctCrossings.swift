import FencepostCalendarModel
import FencepostGeofencing

/// Finds the crossings that people count: a boundary that several alarms share counts once.
struct DistinctCrossings {
  /// Crossings at one moment in one direction.
  private struct Moment {
    let kind: Transition.Kind
    let time: Instant
    let first: FenceID
    /// The regions, if there is more than one fence.
    var regions: Set<Region?> = []
  }

  /// The device and time of the last fix with a crossing. Alarms at one place cross at the same fix.
  private var latest: (device: DeviceNumber, time: Instant)?
  /// The crossings at that fix. Different boundaries are mostly crossed at different times, so that few
  /// regions are compared.
  private var moments: [Moment] = []

  /// Adds a crossing. False if the fix also crossed another fence with the same region.
  mutating func insert(_ transition: Transition, in index: FenceIndex) -> Bool {
    let (device, time) = (transition.fix.device, transition.fix.time)
    if latest?.device != device || latest?.time != time {
      latest = (device, time)
      moments.removeAll(keepingCapacity: true)
    }
    guard
      let known = moments.firstIndex(where: { $0.kind == transition.kind && $0.time == transition.time })
    else {
      moments.append(Moment(kind: transition.kind, time: transition.time, first: transition.fence))
      return true
    }
    if moments[known].regions.isEmpty { moments[known].regions.insert(index[moments[known].first]?.region) }
    return moments[known].regions.insert(index[transition.fence]?.region).inserted
  }
}
