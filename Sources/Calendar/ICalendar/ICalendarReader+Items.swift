public import FencepostCalendarModel

extension ICalendarReader {
  /// Reads the whole file at `path`; `-` is standard input.
  ///
  /// - Throws: ``ICalendarError`` if the file is unreadable or not iCalendar.
  public func read(path: String) throws -> ICalendarDocument {
    var items: [CalendarItem] = []
    var document = try forEachItem(path: path) { items.append($0) }
    document.items = items
    return document
  }

  /// Reads all of `bytes`. Messages use `name` for them.
  ///
  /// - Throws: ``ICalendarError`` if they are not iCalendar.
  public func read(_ bytes: [UInt8], name: String = "standard input") throws -> ICalendarDocument {
    var items: [CalendarItem] = []
    var document = try forEachItem(bytes, name: name) { items.append($0) }
    document.items = items
    return document
  }

  /// Like ``forEachPart(path:progress:_:)``, but only for items.
  public func forEachItem(
    path: String, progress: (Int) -> Void = { _ in }, _ body: (CalendarItem) throws -> Void
  ) throws -> ICalendarDocument {
    try forEachPart(path: path, progress: progress) { if case .item(let item) = $0 { try body(item) } }
  }

  /// Like ``forEachPart(_:name:_:)``, but only for items.
  public func forEachItem(
    _ bytes: [UInt8], name: String = "standard input", _ body: (CalendarItem) throws -> Void
  ) throws -> ICalendarDocument {
    try forEachPart(bytes, name: name) { if case .item(let item) = $0 { try body(item) } }
  }

  /// Like ``forEachPart(from:name:progress:_:)``, but only for items.
  public func forEachItem(
    from source: (UnsafeMutableRawBufferPointer) throws -> Int, name: String,
    progress: (Int) -> Void = { _ in }, _ body: (CalendarItem) throws -> Void
  ) throws -> ICalendarDocument {
    try forEachPart(from: source, name: name, progress: progress) {
      if case .item(let item) = $0 { try body(item) }
    }
  }
}
