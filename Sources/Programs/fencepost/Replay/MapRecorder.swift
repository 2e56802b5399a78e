import FencepostAlarmEngine
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostCartography
import FencepostGeodesy
import FencepostGeofencing
import FencepostPositionFeeds
import FencepostRecurrence

/// Collects the content of a replay's map during the replay. Its memory does not grow with the trace.
struct MapRecorder {
  /// The maximum numbers of alarms, rejected fixes and fences on a map.
  private static let alarmLimit = 5000
  private static let strayLimit = 2000
  private static let fenceLimit = 2000

  private var simplifier = TrackSimplifier()
  private var alarms: [MapAlarm] = []
  private var omittedAlarms = 0
  private var strays: [Coordinate] = []
  /// Fixes that the next one of their device may confirm.
  private var held: [DeviceNumber: Fix] = [:]
  private var crossed: Set<Int64> = []
  /// The tracks of the devices, up to a limit.
  private var surveys: [DeviceNumber: DeviceSurvey] = [:]

  /// Adds a fix with the engine's decision.
  mutating func note(_ fix: Fix, _ admission: Admission) {
    switch admission {
    case .admitted:
      if let held = held.removeValue(forKey: fix.device) { addStray(held) }
      add(fix)
    case .admittedWithHeld:
      if let held = held.removeValue(forKey: fix.device) { add(held) }
      add(fix)
    case .held:
      if let held = held.updateValue(fix, forKey: fix.device) { addStray(held) }
    case .rejected(.impossibleSpeed), .rejected(.imprecise): addStray(fix)
    case .rejected, .admittedLate:
      // Duplicates, late fixes and bad coordinates are not on the map.
      break
    }
  }

  /// Adds a fix to the track. After a gap in time, the way from the previous fix is unknown.
  private mutating func add(_ fix: Fix) {
    var fix = fix
    if let last = surveys[fix.device]?.last, fix.time.seconds(since: last) >= AlarmEngine.minimumGap {
      fix.startsSegment = true
    }
    if surveys[fix.device] != nil || surveys.count < TraceSurvey.deviceLimit {
      surveys[fix.device, default: DeviceSurvey(maxSpeed: RobustParameters().maxSpeed)].add(fix)
    }
    simplifier.add(fix)
  }

  private mutating func addStray(_ fix: Fix) {
    if strays.count < MapRecorder.strayLimit { strays.append(fix.coordinate) }
  }

  /// Adds a transition.
  mutating func note(_ transition: Transition) {
    if crossed.count < MapRecorder.fenceLimit { crossed.insert(transition.fence.rawValue) }
  }

  /// Adds a firing and the item of its alarm.
  mutating func note(_ firing: Firing, of item: ItemHeading) {
    guard alarms.count < MapRecorder.alarmLimit else {
      omittedAlarms += 1
      return
    }
    alarms.append(
      MapAlarm(
        kind: MapAlarm.Kind(rawValue: firing.kind.rawValue) ?? .time, time: firing.time,
        wentOffAt: firing.wentOffAt, title: item.title,
        place: firing.place?.title, device: firing.crossing?.device,
        position: firing.crossing?.position, gap: firing.crossing?.gap))
  }

  /// The map of everything so far, with the fences of `store` near it. `rejected` of `fixes` positions were
  /// rejected.
  func map(
    title: String, store: CalendarStore, devices: DeviceRegistry, resolver: TimeResolver, fixes: Int,
    rejected: Int
  ) throws -> TraceMap {
    var map = TraceMap(title: title)
    let metres = surveys.values.reduce(0) { $0 + $1.metres }
    map.counts = MapCounts(fixes: fixes, rejected: rejected, metres: metres)
    map.tracks = simplifier.tracks.map { Track(device: devices.name(of: $0.device), segments: $0.segments) }
    map.alarms = alarms
    map.strays = strays
    map.fences = try fences(near: map, in: store)
    map.clock = MapRecorder.clock(of: map, resolver)
    if simplifier.omittedDevices > 0 { map.omissions.append("and \(simplifier.omittedDevices) more devices") }
    if omittedAlarms > 0 { map.omissions.append("and \(omittedAlarms) more alarms") }
    return map
  }

  /// The crossed fences, and the others within the picture.
  private func fences(near map: TraceMap, in store: CalendarStore) throws -> [MapFence] {
    var found: [Region: MapFence] = [:]
    var order: [Region] = []
    try store.read { reader in
      var stored: [StoredFence] = []
      for number in crossed.sorted() {
        if let fence = try reader.fence(number: number) { stored.append(fence) }
      }
      let room = MapRecorder.fenceLimit - stored.count
      var others: [StoredFence] = []
      if let box = MapRecorder.box(of: map) {
        try reader.forEachFence(in: box) { fence in
          if others.count < room && !crossed.contains(fence.number) { others.append(fence) }
        }
      }
      for fence in stored + others.sorted(by: { $0.number < $1.number }) {
        let note = fence.subject.heading?.title ?? ""
        if found[fence.region] == nil {
          found[fence.region] = MapFence(title: fence.trigger.location.title, region: fence.region)
          order.append(fence.region)
        }
        // Several alarms at one place share a fence.
        if found[fence.region]?.notes.contains(note) == false { found[fence.region]?.notes.append(note) }
        if crossed.contains(fence.number) { found[fence.region]?.wasCrossed = true }
      }
    }
    return order.compactMap { found[$0] }
  }

  /// A box around all tracks, enlarged by half; `nil` without tracks.
  private static func box(of map: TraceMap) -> BoundingBox? {
    let points = map.tracks.flatMap { $0.segments.joined().map(\.coordinate) }
    guard let south = points.map(\.latitude).min(), let north = points.map(\.latitude).max(),
      let west = points.map(\.longitude).min(), let east = points.map(\.longitude).max()
    else { return nil }
    guard east - west < 180 else {
      // The tracks cross the antimeridian, or span half the world.
      return BoundingBox(south: max(south - 1, -90), west: -180, north: min(north + 1, 90), east: 180)
    }
    let (up, across) = (max((north - south) / 4, 0.01), max((east - west) / 4, 0.02))
    return BoundingBox(
      south: max(south - up, -90), west: max(west - across, -180), north: min(north + up, 90),
      east: min(east + across, 180))
  }

  /// The wall clock of the floating zone for the times of a map.
  private static func clock(of map: TraceMap, _ resolver: TimeResolver) -> LocalClock {
    let zone = resolver.floating
    let moments = map.tracks.flatMap { $0.segments.joined().map(\.time) } + map.alarms.map(\.wentOffAt)
    guard let first = moments.min(), let last = moments.max() else { return .utc }
    var clock = LocalClock(utcOffset: zone.offset(at: first))
    var moment = first
    // A zone usually has two changes a year, so this limits only maps of a century.
    while clock.changes.count < 200, let next = zone.transition(after: moment) {
      moment = Instant(seconds: next.seconds)
      if moment > last { break }
      clock.changes.append(.init(from: moment, utcOffset: zone.localTimeType(from: next).offset))
    }
    return clock
  }
}
