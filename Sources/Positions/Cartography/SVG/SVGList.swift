import FencepostSpatiotemporal

/// The list of alarms below the picture; a long list has two columns.
struct SVGList {
  private static let row = 22.0
  private static let margin = 24.0

  let height: Double
  let lines: [String]

  init(map: TraceMap, content: MapContent, top: Double, width: Double) {
    var lines: [String] = []
    var y = top + 30
    lines.append(
      "<text class=\"heading\" x=\"24\" y=\"\(Markup.number(y))\">"
        + Markup.escaped(TextMeasure.fitted(map.title, size: 17, limit: width * 0.5)) + "</text>")
    if let span = content.span {
      lines.append(
        "<text class=\"aside end-aligned\" x=\"\(Markup.number(width - 24))\" y=\"\(Markup.number(y))\">"
          + "\(SVGList.text(span, map.clock))</text>")
    }
    if content.tracks.count > 1 {
      y += SVGList.row
      lines.append(SVGList.devices(content.tracks, y: y, width: width))
    }
    y += 10

    let shown = content.alarms.prefix(SVGDrawing.listLimit)
    let columns = shown.count > 4 ? 2 : 1
    let rows = (shown.count + columns - 1) / columns
    let columnWidth = (width - SVGList.margin) / Double(columns)
    let oneDay = content.span.map { map.clock.isSameDay($0.lowerBound, $0.upperBound) } ?? false
    for (index, alarm) in shown.enumerated() {
      let x = SVGList.margin + Double(index / max(rows, 1)) * columnWidth
      let baseline = y + Double(index % max(rows, 1) + 1) * SVGList.row
      lines.append(
        SVGList.row(
          alarm, clock: map.clock, oneDay: oneDay, x: x, y: baseline, width: columnWidth - SVGList.margin))
    }
    y += Double(rows) * SVGList.row

    var notes = map.omissions
    if content.alarms.count > shown.count {
      notes.append("and \(content.alarms.count - shown.count) more alarms")
    }
    for note in notes {
      y += SVGList.row
      lines.append(
        "<text class=\"aside\" x=\"24\" y=\"\(Markup.number(y))\">\(Markup.escaped(note))</text>")
    }
    self.lines = lines
    height = y + 18 - top
  }

  /// The devices that fit, each with a stroke in its colour.
  private static func devices(_ tracks: [MapContent.DrawnTrack], y: Double, width: Double) -> String {
    var line = ""
    var x = margin
    for (index, track) in tracks.enumerated() {
      let name = TextMeasure.fitted(track.device, size: 13, limit: 200)
      let next = x + 26 + TextMeasure.width(name, size: 13) + 18
      if next > width - 2 * margin {
        line += "<text class=\"aside\" x=\"\(Markup.number(x))\" y=\"\(Markup.number(y))\">…</text>"
        break
      }
      line +=
        "<path class=\"way way\(index % SVGStyle.wayColors)\" d=\"M\(Markup.number(x)) \(Markup.number(y - 4.5))h20\"/>"
        + "<text class=\"aside\" x=\"\(Markup.number(x + 26))\" y=\"\(Markup.number(y))\">\(Markup.escaped(name))</text>"
      x = next
    }
    return line
  }

  private static func row(
    _ alarm: MapContent.Alarm, clock: LocalClock, oneDay: Bool, x: Double, y: Double, width: Double
  ) -> String {
    let it = alarm.alarm
    let time = (oneDay ? "" : clock.day(at: it.time).dropLast(5) + " ") + clock.time(at: it.time)
    let timeX = x + 34
    let textX = timeX + (oneDay ? 66 : 148)
    let room = x + width - textX
    // The place gets three tenths of the row, plus the rest that the title leaves.
    let what = it.place.map { "\(it.kind.verb) \($0)" } ?? ""
    let reserved = what.isEmpty ? 0 : min(TextMeasure.width(what, size: 13), room * 0.3) + 8
    let title = TextMeasure.fitted(it.title, size: 13, limit: room - reserved)
    let aside = TextMeasure.fitted(what, size: 13, limit: room - TextMeasure.width(title, size: 13) - 8)
    let badge = String(alarm.number)
    let badgeWidth = max(AlarmPin.height, TextMeasure.width(badge, size: 12) + 11)
    return """
      <g class="pin \(it.kind.style)"><rect x="\(Markup.number(x + 10 - badgeWidth / 2))" \
      y="\(Markup.number(y - 14.5))" width="\(Markup.number(badgeWidth))" height="20" rx="10"/>\
      <text x="\(Markup.number(x + 10))" y="\(Markup.number(y - 0.3))">\(badge)</text></g>\
      <text x="\(Markup.number(timeX))" y="\(Markup.number(y))"><tspan class="aside">\(time)</tspan>\
      <tspan x="\(Markup.number(textX))">\(Markup.escaped(title))</tspan>\
      <tspan class="aside" dx="8">\(Markup.escaped(aside))</tspan></text>
      """
  }

  /// `Sat 2 May 2026, 09:27:00 to 11:08:04`.
  static func text(_ span: ClosedRange<Instant>, _ clock: LocalClock) -> String {
    let (first, last) = (span.lowerBound, span.upperBound)
    let end = clock.isSameDay(first, last) ? "" : clock.day(at: last) + ", "
    return "\(clock.day(at: first)), \(clock.time(at: first)) to \(end)\(clock.time(at: last))"
  }
}
