import CalendarModel

/// The list of alarms below the picture, in two columns where there are several.
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
        + Markup.escaped(TextMeasure.fitted(map.title, size: 16, limit: width * 0.55)) + "</text>")
    if let span = content.span {
      lines.append(
        "<text class=\"aside end-aligned\" x=\"\(Markup.number(width - 24))\" y=\"\(Markup.number(y))\">"
          + "\(SVGList.text(span, map.clock))</text>")
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

  private static func row(
    _ alarm: MapContent.Alarm, clock: WallClock, oneDay: Bool, x: Double, y: Double, width: Double
  ) -> String {
    let it = alarm.alarm
    let time = (oneDay ? "" : clock.day(at: it.time).dropLast(5) + " ") + clock.time(at: it.time)
    let timeX = x + 34
    let textX = timeX + (oneDay ? 66 : 132)
    let room = x + width - textX
    let title = TextMeasure.fitted(it.title, size: 13, limit: room)
    let what = it.place.map { "\(it.kind.verb) \($0)" } ?? ""
    let aside = TextMeasure.fitted(what, size: 13, limit: room - TextMeasure.width(title, size: 13) - 8)
    let badge = String(alarm.number)
    let badgeWidth = max(AlarmPin.height, TextMeasure.width(badge, size: 12) + 11)
    return """
      <g class="pin \(it.kind.style)"><rect x="\(Markup.number(x + 10 - badgeWidth / 2))" \
      y="\(Markup.number(y - 14.5))" width="\(Markup.number(badgeWidth))" height="20" rx="10"/>\
      <text x="\(Markup.number(x + 10))" y="\(Markup.number(y - 0.3))">\(badge)</text></g>\
      <text x="\(Markup.number(timeX))" y="\(Markup.number(y))"><tspan class="aside">\(time)</tspan>\
      <tspan x="\(Markup.number(textX))">\(Markup.escaped(title))</tspan>\
      <tspan class="aside" dx="8">\(aside.count > 3 ? Markup.escaped(aside) : "")</tspan></text>
      """
  }

  /// `Sat 2 May 2026, 09:27:00 to 11:08:04`.
  static func text(_ span: ClosedRange<Instant>, _ clock: WallClock) -> String {
    let (first, last) = (span.lowerBound, span.upperBound)
    let end = clock.isSameDay(first, last) ? "" : clock.day(at: last) + ", "
    return "\(clock.day(at: first)), \(clock.time(at: first)) to \(end)\(clock.time(at: last))"
  }
}
