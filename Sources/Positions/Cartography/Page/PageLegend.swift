/// Explains the symbols that are on the page's map.
struct PageLegend {
  private let content: MapContent

  init(_ content: MapContent) { self.content = content }

  /// The legend as an HTML list; empty for an empty map.
  var text: String {
    var entries: [String] = []
    if !content.tracks.isEmpty {
      entries.append(key("<path class=\"way\" d=\"M2 7h24\"/>", "way"))
    }
    if content.tracks.contains(where: { !$0.gaps.isEmpty }) {
      entries.append(key("<path class=\"gap\" d=\"M2 7h24\"/>", "no positions"))
    }
    if content.fences.contains(where: \.fence.wasCrossed) {
      entries.append(key("<circle class=\"crossed\" cx=\"14\" cy=\"7\" r=\"6\"/>", "place crossed"))
    }
    if content.fences.contains(where: { !$0.fence.wasCrossed }) {
      entries.append(key("<circle class=\"fence\" cx=\"14\" cy=\"7\" r=\"6\"/>", "other place"))
    }
    if !content.strays.isEmpty {
      entries.append(key("<path class=\"stray\" d=\"M11 4l6 6m0 -6l-6 6\"/>", "rejected fix"))
    }
    let words = [("enter", "arrived"), ("leave", "left"), ("dwell", "stayed"), ("time", "at a time")]
    let kinds = Set(content.alarms.map(\.alarm.kind.style))
    for (kind, word) in words where kinds.contains(kind) {
      entries.append("<li><span class=\"badge \(kind)\"></span>\(word)</li>")
    }
    if kinds.count > 1 {
      entries.append("<li><span class=\"badge several\"></span>several alarms</li>")
    }
    if entries.isEmpty { return "" }
    return "<section class=\"legend\" aria-label=\"Legend\"><h2>Legend</h2><ul>"
      + entries.joined() + "</ul></section>"
  }

  private func key(_ drawing: String, _ word: String) -> String {
    "<li><svg width=\"28\" height=\"14\" aria-hidden=\"true\">\(drawing)</svg>\(word)</li>"
  }
}
