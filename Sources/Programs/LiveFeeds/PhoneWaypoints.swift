import FencepostAlarmEngine
package import FencepostCalendarModel
package import FencepostCalendarStore
package import FencepostGeodesy
import FencepostJSON
import Synchronization

/// The fences that phones watch themselves: OwnTracks' command `setWaypoints`.
/// (https://owntracks.org/booklet/tech/json/)
///
/// Each phone gets the nearest fences, and gets them again only after a change, or if it repeats the position
/// that they answered: then the answer did not arrive. To remove a fence, the command repeats it with an
/// invalid place, as OwnTracks on iPhones requires. The daemon does not store which fences a phone has. After
/// a restart it sends them again, with the same keys.
package final class PhoneWaypoints: Sendable {
  /// The distances in metres at which it searches for fences, nearest first, until there are enough.
  private static let reaches = [1_000.0, 10_000, 100_000]
  /// The maximum number of remembered devices; others start again.
  private static let maximumDevices = 10_000

  private struct Waypoint: Hashable {
    var number: Int64
    var name: String
    var center: Coordinate
    var radius: Double
  }

  private struct Given {
    var waypoints: [Waypoint]
    /// The ones that the last command removed.
    var gone: [Waypoint] = []
    /// When the position was taken that the last command answered.
    var time: Instant?
  }

  /// Who gets fences: a device, in the name of a client of some lists or of all (`nil`).
  private struct Receiver: Hashable {
    var device: String
    var lists: Set<String>?
  }

  private let store: CalendarStore
  private let given = Mutex<[Receiver: Given]>([:])

  package init(store: CalendarStore) { self.store = store }

  /// The command for a device at a place; `nil` if the device already has these fences, or if they can't be
  /// read now.
  ///
  /// - Parameters:
  ///   - device: The device.
  ///   - place: Its last known position.
  ///   - time: When that was taken; `nil` if the answer surely arrives.
  ///   - most: The maximum number of fences; an iPhone watches at most 20.
  ///   - lists: The lists whose fences the sender may see; `nil` for all.
  package func command(
    for device: String, at place: Coordinate, _ time: Instant?, most: Int, lists: Set<String>? = nil
  ) -> String? {
    let receiver = Receiver(device: device, lists: lists)
    guard most > 0, let wanted = try? nearest(most, to: place, for: receiver) else { return nil }
    let gone: [Waypoint]? = given.withLock { given in
      if given.count >= PhoneWaypoints.maximumDevices, given[receiver] == nil { given.removeAll() }
      let last = given[receiver]
      let before = last?.waypoints ?? []
      let isRepeat = time != nil && last?.time == time
      guard wanted != before || isRepeat else { return nil }
      let numbers = Set(wanted.map(\.number))
      let gone = (before + (isRepeat ? last?.gone ?? [] : [])).filter { !numbers.contains($0.number) }
      given[receiver] = Given(waypoints: wanted, gone: gone, time: time)
      return gone
    }
    guard let gone else { return nil }
    // Removed ones first: older iPhone apps know a waypoint by its name, which a new one may have too.
    let lines = gone.map { PhoneWaypoints.line($0, isGone: true) } + wanted.map { PhoneWaypoints.line($0) }
    return #"{"_type":"cmd","action":"setWaypoints","waypoints":{"_type":"waypoints","waypoints":["#
      + lines.joined(separator: ",") + "]}}"
  }

  /// Forgets the fences of a device, because the command did not arrive.
  package func forget(_ device: String) {
    given.withLock { _ = $0.removeValue(forKey: Receiver(device: device, lists: nil)) }
  }

  private static func line(_ waypoint: Waypoint, isGone: Bool = false) -> String {
    var line = JSONLine()
    line.add("_type", "waypoint")
    line.add("desc", waypoint.name)
    line.add("lat", isGone ? -1_000_000 : waypoint.center.latitude)
    line.add("lon", isGone ? -1_000_000 : waypoint.center.longitude)
    line.add("rad", Int(waypoint.radius.rounded(.up)))
    line.add("tst", Int(waypoint.number))
    line.add("rid", WaypointKey.text(ofFence: waypoint.number))
    return line.line
  }

  /// A name without the marks that OwnTracks on iPhones takes as commands: a colon makes a beacon of the
  /// waypoint, bars change the phone's mode, and a `+` or `-` at the front makes the region move or wait.
  /// (https://owntracks.org/booklet/features/ios/)
  private static func plain(_ name: String) -> String {
    let words = name.split { $0.isWhitespace || $0 == ":" || $0 == "|" }.joined(separator: " ")
    let plain = words.drop { $0 == "+" || $0 == "-" || $0 == " " }
    return plain.isEmpty ? "Place" : String(plain)
  }

  /// The circles nearest to a place, ordered by their numbers. Of several with one extent, it takes the one
  /// with the lowest number: the store lists them in an order that changes.
  private func nearest(_ most: Int, to place: Coordinate, for receiver: Receiver) throws -> [Waypoint] {
    var nearby: [Region: (metres: Double, waypoint: Waypoint)] = [:]
    for reach in PhoneWaypoints.reaches where nearby.count < most {
      try store.read { reader in
        var fences: [StoredFence] = []
        try reader.forEachFence(in: BoundingBox(center: place, radius: reach)) { fence in
          guard case .circle(_, let radius) = fence.region, radius > 0, radius <= reach,
            fence.trigger.devices.isEmpty || fence.trigger.devices.contains(receiver.device)
          else { return }
          fences.append(fence)
        }
        for fence in fences {
          guard case .circle(let center, let radius) = fence.region,
            nearby[fence.region].map({ fence.number < $0.waypoint.number }) ?? true
          else { continue }
          if let lists = receiver.lists {
            guard let item = try reader.item(fence.item), lists.contains(item.calendar.rawValue) else {
              continue
            }
          }
          let metres = Geodesic.distance(from: place, to: center)
          let name = fence.trigger.location.title
          let waypoint = Waypoint(number: fence.number, name: name, center: center, radius: radius)
          nearby[fence.region] = (metres, waypoint)
        }
      }
    }
    let nearest = nearby.values.sorted { ($0.metres, $0.waypoint.number) < ($1.metres, $1.waypoint.number) }
    var waypoints = nearest.prefix(most).map(\.waypoint).sorted { $0.number < $1.number }
    // Some versions of OwnTracks on iPhones identify waypoints by name.
    var names: Set<String> = []
    for place in waypoints.indices {
      let name = PhoneWaypoints.plain(waypoints[place].name)
      var unique = name
      var count = 1
      while !names.insert(unique).inserted {
        count += 1
        unique = "\(name) (\(count))"
      }
      waypoints[place].name = unique
    }
    return waypoints
  }
}
