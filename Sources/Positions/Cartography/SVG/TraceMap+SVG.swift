extension TraceMap {
  /// The map as an SVG picture for a document, with a list of the alarms below it. North is up; light or dark
  /// follows the reader's setting.
  ///
  /// Cost: some milliseconds, more with thousands of fences.
  public var svg: String {
    var drawing = SVGDrawing(self, MapContent(self))
    return drawing.text()
  }
}
