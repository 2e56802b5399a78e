import FencepostGeodesy
import FencepostSpatiotemporal

/// Draws a ``TraceMap`` as SVG.
struct SVGDrawing {
  static let width = 960.0
  /// The maximum number of alarms in the list below the picture.
  static let listLimit = 60

  private let map: TraceMap
  private let content: MapContent
  private let frame: MapFrame
  private let pins: [AlarmPin]
  private var labels: LabelPlacement
  private var lines: [String] = []

  /// A drawing of `map` with its `content`.
  init(_ map: TraceMap, _ content: MapContent) {
    self.map = map
    self.content = content
    frame = MapFrame(showing: content.extent, width: SVGDrawing.width, heights: 320...680, margin: 44)
    pins = AlarmPin.pins(content.alarms, in: frame)
    labels = LabelPlacement(width: frame.width, height: frame.height)
  }

  /// The whole document.
  mutating func text() -> String {
    let list = SVGList(map: map, content: content, top: frame.height, width: frame.width)
    let (width, height) = (Markup.number(frame.width), Markup.number(frame.height + list.height))
    lines = [
      """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" viewBox="0 0 \(width) \(height)" \
      role="img" aria-label="\(Markup.escaped(map.title))" font-family="system-ui, 'DejaVu Sans', sans-serif" font-size="13">
      """,
      "<!-- Fencepost -->",
      "<title>\(Markup.escaped(map.title))</title>",
      "<style>\(SVGStyle.text)</style>",
      "<rect class=\"ground\" width=\"\(width)\" height=\"\(height)\"/>",
      """
      <clipPath id="frame"><rect width="\(width)" height="\(Markup.number(frame.height))"/></clipPath>
      <g clip-path="url(#frame)">
      """,
    ]
    drawGrid()
    drawFences()
    drawTracks()
    drawPins()
    drawNames()
    lines.append("</g>")
    drawScale()
    lines += list.lines
    lines.append("</svg>")
    return lines.joined(separator: "\n") + "\n"
  }

  // MARK: The picture

  /// A grid as wide as the scale bar, to judge distances anywhere in the picture.
  private mutating func drawGrid() {
    let step = frame.scaleBar(longest: 160).length
    guard step > 20 else { return }
    var path = ""
    var x = 24.0
    while x < frame.width {
      path += "M\(Markup.number(x)) 0v\(Markup.number(frame.height))"
      x += step
    }
    var y = frame.height - 22
    while y > 0 {
      path += "M0 \(Markup.number(y))h\(Markup.number(frame.width))"
      y -= step
    }
    lines.append("<path class=\"grid\" d=\"\(path)\"/>")
  }

  private mutating func drawFences() {
    for fence in content.fences {
      let style = fence.fence.wasCrossed ? "fence crossed" : "fence"
      let name = "<title>\(Markup.escaped(fence.fence.title))</title>"
      switch fence.outline {
      case .circle(let center, let radius):
        let place = frame.place(center)
        let size = radius * frame.scale
        guard frame.contains(place, margin: size) else { continue }
        lines.append(
          "<circle class=\"\(style)\" cx=\"\(Markup.number(place.x))\" cy=\"\(Markup.number(place.y))\""
            + " r=\"\(Markup.number(size))\">\(name)</circle>")
      case .rings(let rings):
        let path = rings.map { PixelPath.data($0.map(frame.place), isClosed: true) }.joined()
        lines.append("<path class=\"\(style)\" fill-rule=\"evenodd\" d=\"\(path)\">\(name)</path>")
      }
    }
  }

  private mutating func drawTracks() {
    for place in content.strays.map(frame.place) where frame.contains(place) {
      lines.append(
        "<path class=\"stray\" d=\"M\(Markup.number(place.x - 3)) \(Markup.number(place.y - 3))l6 6m0 -6l-6 6\"/>"
      )
    }
    for (index, track) in content.tracks.enumerated() {
      let path = track.pieces.map { piece in
        let places = PixelPath.simplified(piece.map { frame.place($0.place) }, tolerance: 0.7)
        // A single point becomes a dot: a line with round ends and no length.
        return PixelPath.data(places) + (places.count == 1 ? "h0" : "")
      }.joined()
      lines.append("<path class=\"casing\" d=\"\(path)\"/>")
      let gaps = track.gaps.map { PixelPath.data([frame.place($0.from), frame.place($0.to)]) }.joined()
      if !gaps.isEmpty {
        lines.append("<path class=\"gap way\(index % SVGStyle.wayColors)\" d=\"\(gaps)\"/>")
      }
      lines.append(
        "<path class=\"way way\(index % SVGStyle.wayColors)\" d=\"\(path)\">"
          + "<title>\(Markup.escaped(track.device))</title></path>")
    }
    for (index, track) in content.tracks.enumerated() {
      let ends = [(track.pieces.first?.first, "start"), (track.pieces.last?.last, "end")]
      for case (let point?, let style) in ends {
        let place = frame.place(point.place)
        lines.append(
          "<circle class=\"\(style) way\(index % SVGStyle.wayColors)\" cx=\"\(Markup.number(place.x))\""
            + " cy=\"\(Markup.number(place.y))\" r=\"5\"/>")
      }
    }
  }

  private mutating func drawPins() {
    for pin in pins {
      let (width, height) = (pin.width, AlarmPin.height)
      let (x, y) = (pin.place.x - width / 2, pin.place.y - height / 2)
      labels.reserve(.init(x: x - 2, y: y - 2, width: width + 4, height: height + 4))
      let titles = pin.alarms.map { "\($0.number) \($0.alarm.title)" }.joined(separator: "; ")
      lines.append(
        """
        <g class="pin \(pin.style)"><title>\(Markup.escaped(titles))</title>\
        <rect x="\(Markup.number(x))" y="\(Markup.number(y))" width="\(Markup.number(width))" \
        height="\(Markup.number(height))" rx="\(Markup.number(height / 2))"/>\
        <text x="\(Markup.number(pin.place.x))" y="\(Markup.number(pin.place.y + 4.2))">\(pin.label)</text></g>
        """)
    }
  }

  /// The names of the fences, crossed ones first.
  private mutating func drawNames() {
    labels.reserve(.init(x: 12, y: frame.height - 40, width: 190, height: 40))
    var named: Set<String> = []
    for isCrossed in [true, false] {
      for fence in content.fences where fence.fence.wasCrossed == isCrossed && !fence.fence.title.isEmpty {
        let (low, high) = fence.outline.extent
        let (a, b) = (frame.place(low), frame.place(high))
        let middle = a.interpolated(to: b, fraction: 0.5)
        guard frame.contains(middle) else { continue }
        let name = TextMeasure.fitted(fence.fence.title, size: 13, limit: 220)
        // Bold text is a little wider.
        let width = TextMeasure.width(name, size: isCrossed ? 14 : 13)
        let height = 16.0
        // A place with several alarms has one fence for each.
        guard named.insert("\(name) \(Markup.number(middle.x, decimals: 0))").inserted else { continue }
        let candidates = [
          (middle.x - width / 2, a.y - height - 3), (middle.x - width / 2, b.y + 3),
          (b.x + 5, middle.y - height / 2), (a.x - width - 5, middle.y - height / 2),
          (b.x - width / 4, a.y - height + 4), (a.x - width * 3 / 4, a.y - height + 4),
          (b.x - width / 4, b.y - 2), (a.x - width * 3 / 4, b.y - 2),
          (middle.x - width / 2, middle.y - height / 2),
        ].map { LabelPlacement.Box(x: $0.0, y: $0.1, width: width, height: height) }
        guard let box = labels.place(candidates) else { continue }
        lines.append(
          "<text class=\"name\(isCrossed ? " crossed" : "")\" x=\"\(Markup.number(box.x + width / 2))\""
            + " y=\"\(Markup.number(box.y + 12.5))\">\(Markup.escaped(name))</text>")
      }
    }
  }

  private mutating func drawScale() {
    let bar = frame.scaleBar(longest: 160)
    let y = Markup.number(frame.height - 22)
    let length = Markup.number(bar.length)
    lines.append("<path class=\"scale\" d=\"M24 \(y)v6h\(length)v-6\"/>")
    lines.append(
      "<text class=\"aside\" x=\"\(Markup.number(24 + bar.length + 8))\" y=\"\(Markup.number(frame.height - 13))\">"
        + "\(SVGDrawing.length(bar.metres))</text>")
    let x = Markup.number(frame.width - 30)
    lines.append(
      "<g class=\"north\"><path d=\"M\(x) 16l6 18l-6 -4l-6 4z\"/><text x=\"\(x)\" y=\"48\">N</text></g>")
  }

  /// `200 m`, `5 km`.
  static func length(_ metres: Double) -> String {
    metres >= 1000 ? "\(Markup.number(metres / 1000)) km" : "\(Markup.number(metres)) m"
  }
}
