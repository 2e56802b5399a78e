public import CalendarModel

extension ICalendarReader {
  /// Reads the file at `path` as a whole; `-` is standard input.
  ///
  /// - Throws: ``ICalendarError`` where the file can't be read or is no iCalendar.
  public func read(path: String) throws -> ICalendarDocument {
    var items: [CalendarItem] = []
    var document = try forEachItem(path: path) { items.append($0) }
    document.items = items
    return document
  }

  /// Reads `bytes` as a whole; messages call them `name`.
  ///
  /// - Throws: ``ICalendarError`` where they are no iCalendar.
  public func read(_ bytes: [UInt8], name: String = "standard input") throws -> ICalendarDocument {
    var items: [CalendarItem] = []
    var document = try forEachItem(bytes, name: name) { items.append($0) }
    document.items = items
    return document
  }

  /// As ``forEachPart(path:progress:_:)``, of the items alone.
  public func forEachItem(
    path: String, progress: (Int) -> Void = { _ in }, _ body: (CalendarItem) throws -> Void
  ) throws -> ICalendarDocument {
    try forEachPart(path: path, progress: progress) { if case .item(let item) = $0 { try body(item) } }
  }

  /// As ``forEachPart(_:name:_:)``, of the items alone.
  public func forEachItem(
    _ bytes: [UInt8], name: String = "standard input", _ body: (CalendarItem) throws -> Void
  ) throws -> ICalendarDocument {
    try forEachPart(bytes, name: name) { if case .item(let item) = $0 { try body(item) } }
  }

  /// As ``forEachPart(from:name:progress:_:)``, of the items alone.
  public func forEachItem(
    from source: (UnsafeMutableRawBufferPointer) throws -> Int, name: String,
    progress: (Int) -> Void = { _ in }, _ body: (CalendarItem) throws -> Void
  ) throws -> ICalendarDocument {
    try forEachPart(from: source, name: name, progress: progress) {
      if case .item(let item) = $0 { try body(item) }
    }
  }
}
