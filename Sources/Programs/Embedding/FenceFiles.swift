import CFencepostEmbedding
import FencepostAlgorithms
import FencepostCalendarModel
import FencepostGeodesy
import FencepostGeofencing
import FencepostICalendar
import FencepostJSON
import FencepostSpatiotemporal

extension FenceSet {
  /// The fences of GeoJSON: Features with a Point, a Polygon or a MultiPolygon. Others are not fences.
  convenience init(geoJSON bytes: [UInt8]) throws(Failure) {
    let document: JSONValue
    do throws(JSONFailure) {
      document = try JSONValue(reading: bytes, maxDepth: 64)
    } catch {
      throw Failure(code: FP_ERROR_FORMAT, message: "not GeoJSON: line \(error.line): \(error.complaint)")
    }
    let features: [JSONValue]
    switch document["type"]?.text {
    case "FeatureCollection": features = document["features"]?.list ?? []
    case "Feature": features = [document]
    default:
      throw Failure(
        code: FP_ERROR_FORMAT,
        message: "not GeoJSON with fences: there is neither a FeatureCollection nor a Feature")
    }
    var members: [Member] = []
    for (place, feature) in features.enumerated() {
      if let member = try FenceSet.member(feature, place: place) { members.append(member) }
    }
    try self.init(members)
  }

  /// The fence of a Feature; `nil` if its geometry has no area.
  private static func member(_ feature: JSONValue, place: Int) throws(Failure) -> Member? {
    func failure(_ problem: String) -> Failure {
      Failure(code: FP_ERROR_VALUE, row: place, message: "line \(feature.line): \(problem)")
    }
    let properties = feature["properties"]
    let name = ["name", "title", "Name"].lazy.compactMap { properties?[$0]?.text }.first ?? ""
    let region: Region
    switch feature["geometry"]?["type"]?.text {
    case "Point":
      let numbers = feature["geometry"]?["coordinates"]?.list?.prefix(2).compactMap(\.number) ?? []
      guard numbers.count == 2 else { throw failure("a Point without coordinates") }
      let radius = properties?["radius"].map { $0.number ?? .nan } ?? StructuredLocation.defaultRadius
      region = .circle(center: Coordinate(latitude: numbers[1], longitude: numbers[0]), radius: radius)
    case "Polygon", "MultiPolygon":
      region = .polygons(Outline.read(feature["geometry"]?.json ?? ""))
    default: return nil
    }
    guard case .polygons([]) = region else {
      let id = feature["id"]
      let key = id?.text ?? id.flatMap { $0.integer.map(String.init) } ?? ""
      return Member(
        fence: Fence(
          id: id?.integer.map { FenceID(rawValue: Int64($0)) }
            ?? FenceID(hashOf: key.isEmpty ? "#\(place)" : key),
          region: region, revision: Int64(properties?["revision"]?.integer ?? 1),
          reportsInitialPresence: properties?["presence"]?.flag ?? false,
          seesPassing: properties?["passing"]?.flag ?? false),
        name: name, key: key)
    }
    throw failure("a polygon that is none")
  }

  /// The fences of alarms that go off at a place, of items that are not done.
  convenience init(iCalendar bytes: [UInt8]) throws(Failure) {
    var members: [Member] = []
    do {
      _ = try ICalendarReader(calendar: Identifier(rawValue: "fences")).forEachPart(bytes, name: "iCalendar")
      {
        guard case .item(let item) = $0, !item.isSilenced else { return }
        for alarm in item.alarms {
          guard let trigger = alarm.proximity, let region = trigger.location.region else { continue }
          members.append(Member(alarm, trigger, region, of: item))
        }
      }
    } catch {
      throw Failure(code: FP_ERROR_FORMAT, message: "not iCalendar: \(error)")
    }
    try self.init(members)
  }
}

extension FenceSet.Member {
  /// The fence of an alarm, weighed as the engine does.
  fileprivate init(_ alarm: Alarm, _ trigger: ProximityTrigger, _ region: Region, of item: CalendarItem) {
    let event =
      switch trigger.event {
      case .enter: FP_EVENT_ENTER
      case .leave: FP_EVENT_LEAVE
      case .dwell: FP_EVENT_DWELL
      }
    self.init(
      fence: Fence(
        id: FenceID(hashOf: "\(item.id.rawValue)\u{1F}\(alarm.id.rawValue)"), region: region, revision: 1,
        // A stay counts from the first look at a device that is already inside.
        reportsInitialPresence: trigger.firesIfInside || event == FP_EVENT_DWELL,
        seesPassing: trigger.includesPassing),
      name: item.title, key: alarm.id.rawValue, event: event)
  }
}

extension FenceID {
  /// A number for a text: the same on each machine, and positive.
  fileprivate init(hashOf text: String) { self.init(rawValue: Int64(StableHash(of: text).value >> 1)) }
}
