public import CalendarModel

/// Reads iCalendar (RFC 5545 and its successors) into the model.
///
/// The text is read one component at a time, so that memory is bounded by the largest component, not by
/// the file, and a broken component costs itself alone: it is left out with a warning, the others are kept.
public struct ICalendarReader: Sendable {
  /// The calendar or list that the items are put in.
  public var calendar: Identifier<ItemCalendar>
  /// How much a file may ask for.
  public var limits: Limits

  /// What no well-meant file exceeds, and what a hostile one is stopped at.
  public struct Limits: Hashable, Sendable {
    /// The longest content line, unfolded, in bytes; a longer one is left out.
    public var lineBytes = 8 << 20
    /// The largest component in bytes; a larger one is left out.
    public var componentBytes = 32 << 20
    /// The most lines in a component; one with more is left out.
    public var componentLines = 200_000
    /// How deep components may nest below VCALENDAR; a component with deeper ones is left out.
    public var depth = 16
    /// How many warnings are kept; the others are counted.
    public var warnings = 1_000
    /// The most bytes of calendar properties, time zones and components of other kinds, which are held
    /// until the end; what comes after is left out.
    public var preservedBytes = 64 << 20

    /// The limits that suit files from anywhere.
    public init() {}
  }

  /// A reader that puts items in `calendar`.
  public init(calendar: Identifier<ItemCalendar>, limits: Limits = Limits()) {
    self.calendar = calendar
    self.limits = limits
  }

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

  /// Hands each item of the file at `path` to `body` as it is read, in bounded memory.
  ///
  /// - Parameters:
  ///   - path: The file; `-` is standard input.
  ///   - progress: Called after each chunk with the number of bytes read so far.
  ///   - body: Called with each item, in the file's order; what it throws ends the reading.
  /// - Returns: What the file said besides, with no items.
  /// - Throws: ``ICalendarError`` where the file can't be read or is no iCalendar, and what `body` throws.
  public func forEachItem(
    path: String, progress: (Int) -> Void = { _ in }, _ body: (CalendarItem) throws -> Void
  ) throws -> ICalendarDocument {
    let file = try InputFile(path: path)
    return try forEachItem(from: file.read(into:), name: file.name, progress: progress, body)
  }

  /// Hands each item of `bytes` to `body` as it is read; messages call them `name`.
  ///
  /// - Returns: What they said besides, with no items.
  /// - Throws: ``ICalendarError`` where they are no iCalendar, and what `body` throws.
  public func forEachItem(
    _ bytes: [UInt8], name: String = "standard input", _ body: (CalendarItem) throws -> Void
  ) throws -> ICalendarDocument {
    var input = InputBytes(bytes)
    return try forEachItem(
      from: { input.read(into: $0) }, name: name, size: bytes.count, progress: { _ in }, body)
  }

  /// Hands each item of what `source` yields to `body`; `source` fills a buffer and says how much of it, 0
  /// at the end.
  ///
  /// - Returns: What it said besides, with no items.
  /// - Throws: ``ICalendarError`` where it is no iCalendar, and what `source` and `body` throw.
  public func forEachItem(
    from source: (UnsafeMutableRawBufferPointer) throws -> Int, name: String,
    progress: (Int) -> Void = { _ in }, _ body: (CalendarItem) throws -> Void
  ) throws -> ICalendarDocument {
    try forEachItem(from: source, name: name, size: nil, progress: progress, body)
  }

  private func forEachItem(
    from source: (UnsafeMutableRawBufferPointer) throws -> Int, name: String, size: Int?,
    progress: (Int) -> Void, _ body: (CalendarItem) throws -> Void
  ) throws -> ICalendarDocument {
    let diagnostics = Diagnostics(file: name, limit: limits.warnings)
    var decoder = CalendarDecoder(calendar: calendar, limits: limits, diagnostics: diagnostics)
    var stream = ComponentStream(limits: limits, diagnostics: diagnostics, size: size)
    while let piece = try stream.next(from: source, progress: progress) {
      switch piece {
      case .property(let line): decoder.property(line)
      case .component(let component, let text):
        if let item = decoder.component(component, in: text) { try body(item) }
      }
    }
    var document = decoder.finish()
    document.isCutOff = stream.isCutOff
    return document
  }
}
