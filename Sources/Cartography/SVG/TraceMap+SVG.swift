extension TraceMap {
  /// The map as an SVG picture for a document, with the alarms listed below it: north up, light or dark as its
  /// reader likes it.
  ///
  /// Cost: some milliseconds, and more with thousands of fences.
  public var svg: String {
    var drawing = SVGDrawing(self, MapContent(self))
    return drawing.text()
  }
}
