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
    public var componentBytes = 8 << 20
    /// The most lines in a component; one with more is left out.
    public var componentLines = 200_000
    /// The most parts (STANDARD, DAYLIGHT) that a time zone may have; one with more is left out. Real zones have some
    /// dozens, those that list every change by itself some hundreds.
    public var zoneParts = 1_000
    /// The most parts that all time zones of a file may have; what comes after is left out. Whoever keeps zones writes
    /// those of a file in one transaction, so this bounds how long that takes.
    public var allZoneParts = 10_000
    /// The most alarms that an item may have; one with more is left out. So are items with more dates and attendees than
    /// the next limit. Both bound how long it takes to write one item, while others wait: some hundredths of a second.
    public var itemAlarms = 1_000
    /// The most RDATEs, EXDATEs and attendees, taken together, that an item may have.
    public var itemParts = 10_000
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

  /// Hands each part of the file at `path` to `body` as it is read, in bounded memory.
  ///
  /// - Parameters:
  ///   - path: The file; `-` is standard input.
  ///   - progress: Called after each chunk with the number of bytes read so far.
  ///   - body: Called with each part, in the file's order; what it throws ends the reading.
  /// - Returns: What the file said besides, with no items.
  /// - Throws: ``ICalendarError`` where the file can't be read or is no iCalendar, and what `body` throws.
  public func forEachPart(
    path: String, progress: (Int) -> Void = { _ in }, _ body: (ICalendarPart) throws -> Void
  ) throws -> ICalendarDocument {
    let file = try InputFile(path: path)
    return try forEachPart(from: file.read(into:), name: file.name, progress: progress, body)
  }

  /// Hands each part of `bytes` to `body` as it is read; messages call them `name`.
  ///
  /// - Returns: What they said besides, with no items.
  /// - Throws: ``ICalendarError`` where they are no iCalendar, and what `body` throws.
  public func forEachPart(
    _ bytes: [UInt8], name: String = "standard input", _ body: (ICalendarPart) throws -> Void
  ) throws -> ICalendarDocument {
    var input = InputBytes(bytes)
    return try forEachPart(
      from: { input.read(into: $0) }, name: name, size: bytes.count, progress: { _ in }, body)
  }

  /// Hands each part of what `source` yields to `body`; `source` fills a buffer and says how much of it, 0
  /// at the end.
  ///
  /// - Returns: What it said besides, with no items.
  /// - Throws: ``ICalendarError`` where it is no iCalendar, and what `source` and `body` throw.
  public func forEachPart(
    from source: (UnsafeMutableRawBufferPointer) throws -> Int, name: String,
    progress: (Int) -> Void = { _ in }, _ body: (ICalendarPart) throws -> Void
  ) throws -> ICalendarDocument {
    try forEachPart(from: source, name: name, size: nil, progress: progress, body)
  }

  private func forEachPart(
    from source: (UnsafeMutableRawBufferPointer) throws -> Int, name: String, size: Int?,
    progress: (Int) -> Void, _ body: (ICalendarPart) throws -> Void
  ) throws -> ICalendarDocument {
    let diagnostics = Diagnostics(file: name, limit: limits.warnings)
    var decoder = CalendarDecoder(calendar: calendar, limits: limits, diagnostics: diagnostics)
    var stream = ComponentStream(limits: limits, diagnostics: diagnostics, size: size)
    while let piece = try stream.next(from: source, progress: progress) {
      switch piece {
      case .calendar: decoder.begin()
      case .property(let line): decoder.property(line)
      case .component(let component, let text):
        if let header = decoder.headerToTell() { try body(.header(header)) }
        if let part = decoder.component(component, in: text) { try body(part) }
      }
    }
    var document = decoder.finish()
    document.isCutOff = stream.isCutOff
    return document
  }
}
