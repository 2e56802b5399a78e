import FencepostJSON
import FencepostSpatiotemporal

/// The data of a page as JSON (RFC 8259), with short numbers. Positions are in parts of 2^30 of the map's
/// width, about 4 cm each. Times are milliseconds since the first one. Along a track, each value is the
/// difference to the one before.
struct PageData {
  private let map: TraceMap
  private let content: MapContent
  private let start: Int64
  private var text = ""

  init(_ map: TraceMap, _ content: MapContent) {
    self.map = map
    self.content = content
    start = content.span.map { PageData.milliseconds($0.lowerBound) } ?? 0
  }

  /// The street tiles of OpenStreetMap's own server.
  static let tileServer = "https://tile.openstreetmap.org"

  /// The whole JSON text. It contains no `<`, so nothing in it can end its script element.
  mutating func json(tiles: Bool) -> String {
    let (west, south) = (content.extent.0, content.extent.1)
    text = "{\"title\":" + PageData.quoted(map.title)
    if let span = content.span {
      text += ",\n\"span\":[\(start),\(PageData.milliseconds(span.upperBound))]"
    } else if let first = content.alarms.first?.alarm.time {
      text += ",\n\"span\":[\(PageData.milliseconds(first)),\(PageData.milliseconds(first))]"
    }
    text += ",\n\"clock\":[[null,\(map.clock.utcOffset)]"
    for change in map.clock.changes { text += ",[\(PageData.milliseconds(change.from)),\(change.utcOffset)]" }
    text += "],\n\"extent\":\(PageData.list([west.x, west.y, south.x, south.y]))"
    if tiles { text += ",\n\"tiles\":\(PageData.quoted(PageData.tileServer))" }
    add("tracks", content.tracks.map(track))
    add("fences", content.fences.map(fence))
    add("alarms", content.alarms.map(alarm))
    text += ",\n\"strays\":\(PageData.list(content.strays.flatMap { [$0.x, $0.y] }))}"
    return text
  }

  private mutating func add(_ name: String, _ objects: [String]) {
    text += ",\n\"\(name)\":[" + objects.joined(separator: ",\n") + "]"
  }

  private func track(_ track: MapContent.DrawnTrack) -> String {
    let pieces = track.pieces.map { piece in
      var last = (time: start, x: Int64(0), y: Int64(0))
      var values: [String] = []
      for point in piece {
        let next = (
          time: PageData.milliseconds(point.time), x: PageData.unit(point.place.x),
          y: PageData.unit(point.place.y)
        )
        values.append("\(next.time - last.time),\(next.x - last.x),\(next.y - last.y)")
        last = next
      }
      guard piece.contains(where: { $0.accuracy != nil }) else {
        return "{\"v\":[\(values.joined(separator: ","))]}"
      }
      let accuracies = piece.map { Markup.number($0.accuracy ?? 0, decimals: 0) }
      return "{\"v\":[\(values.joined(separator: ","))],\"a\":[\(accuracies.joined(separator: ","))]}"
    }
    return "{\"device\":\(PageData.quoted(track.device)),\"pieces\":[\(pieces.joined(separator: ","))]}"
  }

  private func fence(_ fence: MapContent.Fence) -> String {
    var object = "{\"title\":" + PageData.quoted(fence.fence.title)
    object += ",\"notes\":[" + fence.fence.notes.map(PageData.quoted).joined(separator: ",") + "]"
    if fence.fence.wasCrossed { object += ",\"crossed\":true" }
    switch fence.outline {
    case .circle(let center, let radius):
      object += ",\"circle\":\(PageData.list([center.x, center.y, radius]))"
    case .rings(let rings):
      let lists = rings.map { ring in PageData.list(ring.flatMap { [$0.x, $0.y] }) }
      object += ",\"rings\":[\(lists.joined(separator: ","))]"
    }
    return object + "}"
  }

  private func alarm(_ alarm: MapContent.Alarm) -> String {
    let it = alarm.alarm
    // A map without tracks starts at its first alarm.
    let start = content.span == nil ? PageData.milliseconds(content.alarms[0].alarm.time) : start
    var object = "{\"kind\":\(PageData.quoted(it.kind.style)),\"verb\":\(PageData.quoted(it.kind.verb))"
    object += ",\"time\":\(PageData.milliseconds(it.time) - start)"
    object += ",\"went\":\(PageData.milliseconds(it.wentOffAt) - start)"
    object += ",\"title\":" + PageData.quoted(it.title)
    if let gap = it.gap {
      let ends = [gap.lowerBound, gap.upperBound].map { String(PageData.milliseconds($0) - start) }
      object += ",\"gap\":[\(ends.joined(separator: ","))]"
    }
    if let place = it.place { object += ",\"place\":" + PageData.quoted(place) }
    if let place = alarm.place { object += ",\"at\":\(PageData.list([place.x, place.y]))" }
    return object + "}"
  }

  // MARK: Values

  private static func milliseconds(_ instant: Instant) -> Int64 { instant.microseconds / 1000 }

  private static func unit(_ value: Double) -> Int64 {
    Int64((min(max(value, -8), 8) * 1_073_741_824).rounded())
  }

  private static func list(_ values: [Double]) -> String {
    "[" + values.map { String(unit($0)) }.joined(separator: ",") + "]"
  }

  /// Text as a JSON string in a page, without control characters.
  static func quoted(_ text: String) -> String { JSONEscaping.html.quoted(text.withoutControls) }
}
