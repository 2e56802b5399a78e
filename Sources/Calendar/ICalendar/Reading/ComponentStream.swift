/// Splits a file into the properties and components of its VCALENDARs, one at a time.
struct ComponentStream {
  /// A part of a VCALENDAR.
  enum Piece {
    /// The start of a calendar.
    case calendar
    case property(ContentLine)
    case component(RawComponent, ComponentText)
  }

  private let diagnostics: Diagnostics
  private var scanner: LineScanner
  private var assembler: ComponentAssembler
  private var text = ComponentText()
  private var isInCalendar = false
  private var hasCalendar = false
  private var hasWarnedAboutStrayLines = false
  private var lastProgress = 0
  /// True if the file ended within a calendar.
  private(set) var isCutOff = false
  /// See ``ICalendarOutline/isOneCalendar``.
  private(set) var isOneCalendar = true
  private var calendars = 0

  /// - Parameter size: The number of bytes, if known.
  init(limits: ICalendarReader.Limits, diagnostics: Diagnostics, size: Int? = nil) {
    self.diagnostics = diagnostics
    scanner = LineScanner(lineLimit: limits.lineBytes, size: size)
    assembler = ComponentAssembler(limits: limits)
  }

  /// The next part; `nil` at the end of the file.
  ///
  /// - Throws: ``ICalendarError`` if the file does not start like iCalendar, and errors of `source`.
  mutating func next(from source: LineScanner.Source, progress: (Int) -> Void) throws -> Piece? {
    while true {
      if !assembler.isOpen { text.clear() }
      var flaw: LineScanner.Flaw?
      guard try scanner.next(into: &text, flaw: &flaw, from: source) else { break }
      if scanner.bytesRead != lastProgress {
        lastProgress = scanner.bytesRead
        progress(lastProgress)
      }
      guard let record = text.lines.last else { continue }
      let line = flaw == .tooLong ? nil : ContentLine(record, in: text)
      if !hasCalendar { try begin(with: line, flaw, record) }
      if let flaw { warn(of: flaw, record) }
      if flaw == .tooLong {
        text.lines.removeLast()
        continue
      }
      if let piece = read(line, record) { return piece }
    }
    try finish()
    return nil
  }

  private mutating func read(_ line: ContentLine?, _ record: ComponentText.Line) -> Piece? {
    switch line?.keyword {
    case .begin:
      return begin(line?.componentName ?? "", record)
    case .end:
      return end(line?.componentName ?? "", record)
    case .property?, nil:
      if assembler.isOpen {
        // This includes lines that are not properties. The component's decoder reports them.
        assembler.property(in: &text)
      } else if isInCalendar, let line {
        return .property(line)
      } else {
        strayLine(record, isProperty: line != nil)
      }
    }
    return nil
  }

  private mutating func begin(_ name: String, _ record: ComponentText.Line) -> Piece? {
    if name == "VCALENDAR"
      || (assembler.isOpen && ComponentAssembler.outermost.contains(name)
        && ComponentAssembler.outermost.contains(assembler.name))
    {
      abandon("it has no END before line \(record.number)")
      if name == "VCALENDAR" {
        calendars += 1
        if calendars > 1 { isOneCalendar = false }
        isInCalendar = true
        hasWarnedAboutStrayLines = false
        return .calendar
      }
      // Drop the abandoned component, but keep the line that starts the next one.
      let bytes = Array(text.bytes[record.range])
      text.clear()
      text.lines.append(.init(range: 0..<bytes.count, number: record.number))
      text.bytes = bytes + [0]
    }
    guard isInCalendar else {
      strayLine(record)
      return nil
    }
    assembler.begin(name, in: &text)
    return nil
  }

  private mutating func end(_ name: String, _ record: ComponentText.Line) -> Piece? {
    if name == "VCALENDAR" {
      abandon("it has no END before line \(record.number)")
      if !isInCalendar { strayLine(record) }
      isInCalendar = false
      return nil
    }
    guard assembler.isOpen else {
      strayLine(record)
      return nil
    }
    let (component, number) = (assembler.name, assembler.number)
    switch assembler.end(name, in: &text) {
    case .open: return nil
    case .complete(let component): return .component(component, text)
    case .broken(let reason):
      isOneCalendar = false
      diagnostics.warn(number, "\(component): \(reason); skipped")
      return nil
    }
  }

  private mutating func abandon(_ reason: String) {
    guard assembler.isOpen else { return }
    isOneCalendar = false
    let (component, number) = (assembler.name, assembler.number)
    if case .broken(let reason) = assembler.abandon(reason) {
      diagnostics.warn(number, "\(component): \(reason); skipped")
    }
  }

  private mutating func begin(
    with line: ContentLine?, _ flaw: LineScanner.Flaw?, _ record: ComponentText.Line
  ) throws {
    guard line?.keyword == .begin, line?.componentName == "VCALENDAR" else {
      throw ICalendarError(
        file: diagnostics.file, line: record.number,
        message: scanner.encodingFlaw ?? "is not an iCalendar file: it does not begin with BEGIN:VCALENDAR")
    }
    hasCalendar = true
  }

  private mutating func finish() throws {
    guard hasCalendar else {
      throw ICalendarError(file: diagnostics.file, message: "is empty: it contains no calendar")
    }
    if isInCalendar {
      isCutOff = true
      let line = scanner.lineNumber
      abandon("the file ends within it")
      diagnostics.warn(line, "the file ends before END:VCALENDAR: it may be truncated")
    }
  }

  private func warn(of flaw: LineScanner.Flaw, _ record: ComponentText.Line) {
    switch flaw {
    case .tooLong: diagnostics.warn(record.number, "skipped a line that is too long")
    case .brokenText:
      diagnostics.warn(
        record.number, "replaced invalid UTF-8 or control characters by U+FFFD")
    }
  }

  private mutating func strayLine(_ record: ComponentText.Line, isProperty: Bool = true) {
    if isProperty { isOneCalendar = false }
    guard !hasWarnedAboutStrayLines else { return }
    hasWarnedAboutStrayLines = true
    diagnostics.warn(record.number, "skipped lines outside a calendar")
  }
}

extension ContentLine {
  /// The role of a line in the structure of a file.
  enum Keyword {
    case begin, end, property
  }

  /// The role of this line.
  var keyword: Keyword {
    switch nameRange.count {
    case 5 where name == "BEGIN": .begin
    case 3 where name == "END": .end
    default: .property
    }
  }

  /// For a BEGIN or END, the component's name in upper case, without surrounding white space.
  var componentName: String {
    let bytes = bytes[valueRange]
    // Nearly all names are already in this form.
    if bytes.allSatisfy({ (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }) { return value }
    return value.uppercased().split(separator: " ").joined(separator: " ")
  }
}

/// Assembles a component from its lines, within limits.
///
/// It reads a component that is too large, too deep or badly nested to its end, and drops it.
struct ComponentAssembler {
  /// The result of a line.
  enum Outcome {
    /// The component continues.
    case open
    /// It is complete.
    case complete(RawComponent)
    /// It ended and was dropped, for this reason.
    case broken(String)
  }

  /// Components that only occur directly in VCALENDAR. If one begins inside another, that one has no end.
  static let outermost: Set = ["VEVENT", "VTODO", "VJOURNAL", "VFREEBUSY", "VTIMEZONE"]

  private let limits: ICalendarReader.Limits
  private var stack: [RawComponent] = []
  private var flaw: String?
  /// The nesting depth of a broken component.
  private var depth = 0
  /// The name of the outermost component, in upper case; empty if none is open.
  private(set) var name = ""
  /// The line where it begins.
  private(set) var number = 0

  init(limits: ICalendarReader.Limits) { self.limits = limits }

  /// True while a component is open.
  var isOpen: Bool { depth > 0 }

  /// Begins a component, or a nested one, with the last line of `text`.
  mutating func begin(_ name: String, in text: inout ComponentText) {
    if depth == 0 {
      self.name = name
      number = text.lines.last?.number ?? 0
    }
    depth += 1
    if depth > limits.depth {
      flaw = flaw ?? "it nests deeper than \(limits.depth) levels"
    }
    let index = text.lines.count - 1
    stack.append(RawComponent(name: name, lines: index..<index + 1))
    check(&text)
  }

  /// Adds the last line of `text` as a property.
  mutating func property(in text: inout ComponentText) {
    if flaw == nil { stack[stack.count - 1].properties.append(text.lines.count - 1) }
    check(&text)
  }

  /// Ends the innermost component with the last line of `text`.
  mutating func end(_ name: String, in text: inout ComponentText) -> Outcome {
    depth -= 1
    if flaw == nil, let open = stack.last, open.name != name {
      flaw = "END:\(name.prefix(40)) on line \(text.lines.last?.number ?? 0) instead of END:\(open.name)"
    }
    if flaw == nil {
      var component = stack.removeLast()
      component.lines = component.lines.lowerBound..<text.lines.count
      guard stack.isEmpty else {
        stack[stack.count - 1].children.append(component)
        check(&text)
        return .open
      }
      self.name = ""
      return .complete(component)
    }
    check(&text)
    // Names no longer have to match. For a component that never nests in itself, its END closes it at any
    // depth.
    let closes = name == self.name && ComponentAssembler.outermost.contains(name)
    guard depth == 0 || closes else { return .open }
    return abandon(flaw ?? "")
  }

  /// Drops the open component as broken, for `reason`.
  mutating func abandon(_ reason: String) -> Outcome {
    let outcome = Outcome.broken(flaw ?? reason)
    stack = []
    flaw = nil
    depth = 0
    name = ""
    return outcome
  }

  /// Checks its size. A broken component uses no memory.
  private mutating func check(_ text: inout ComponentText) {
    if text.bytes.count > limits.componentBytes {
      flaw = flaw ?? "it is larger than \(limits.componentBytes) bytes"
    } else if text.lines.count > limits.componentLines {
      flaw = flaw ?? "it has more than \(limits.componentLines) lines"
    }
    if flaw != nil {
      stack = []
      text.clear()
    }
  }
}
