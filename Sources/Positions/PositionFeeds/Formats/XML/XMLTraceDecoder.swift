import FencepostAlgorithms
internal import FencepostSpatiotemporal
import FencepostXML

/// Decodes a trace in XML. A handler interprets its elements.
///
/// An error in the middle ends the trace there; the points before it stay.
struct XMLTraceDecoder: TraceDecoder {
  private let parser: XMLPushParser
  private let handler: XMLTraceHandler
  private var hasStarted = false

  /// A decoder that sends its elements to the handler from `makeHandler`.
  init(_ makeHandler: (XMLPushParser) -> XMLTraceHandler) {
    parser = XMLPushParser(allowsDocumentType: true)
    handler = makeHandler(parser)
  }

  mutating func decode(_ bytes: UnsafeBufferPointer<UInt8>, into sink: FixSink) throws(FeedError) {
    var bytes = bytes
    if !hasStarted {
      // XML must begin with its declaration, but some writers put blank lines before it.
      guard let start = bytes.firstIndex(where: { !ASCII.isBlank($0) }) else { return }
      bytes = UnsafeBufferPointer(rebasing: bytes[start...])
      hasStarted = true
    }
    handler.begin(sink)
    defer { handler.end() }
    do throws(XMLPushParser.Failure) {
      try parser.parse(bytes, handler: handler)
    } catch {
      try handle(error, isEnd: false, sink)
    }
  }

  mutating func finish(into sink: FixSink) throws(FeedError) {
    handler.begin(sink)
    defer { handler.end() }
    do throws(XMLPushParser.Failure) {
      try parser.finish(handler: handler)
    } catch {
      return try handle(error, isEnd: true, sink)
    }
    handler.conclude()
    try handler.requireTrace(sink)
  }

  /// Ends the trace after a failure of the parser. An error at the end of the input means truncation.
  private func handle(
    _ failure: XMLPushParser.Failure, isEnd: Bool, _ sink: FixSink
  ) throws(FeedError) {
    switch failure {
    case .documentTypeDeclaration(let line): throw sink.error(.documentTypeDeclaration, line: line)
    case .excessive(let bound, let line):
      try stop(.excessiveXML(bound), line: line, reason: .malformed, sink)
    case .notWellFormed(_, let line) where isEnd:
      try stop(.truncated, line: line, reason: .truncated, sink)
    case .notWellFormed(let message, let line):
      try stop(.malformedXML(message), line: line, reason: .malformed, sink)
    }
  }

  /// Ends the trace with the fixes so far, or throws an error without any.
  private func stop(
    _ problem: FeedError.Problem, line: Int, reason: RejectionReason, _ sink: FixSink
  ) throws(FeedError) {
    handler.conclude()
    guard handler.points > 0 else { throw sink.interruption ?? sink.error(problem, line: line) }
    sink.interrupt(problem, line: line, reason: reason)
  }
}

/// Makes fixes from the elements of a trace in XML. Each format has a subclass.
///
/// Handlers compare local names, because namespaces differ between versions and writers, and some files have
/// none.
class XMLTraceHandler: XMLElementHandler {
  /// The sink for rejected records; set while the parser runs.
  private(set) final var sink: FixSink?
  /// The sink's fixes while the parser runs. They are stored here because each point appends one.
  final var fixes: [Fix] = []
  /// The sink's device, or the last one named.
  private(set) final var device = DeviceNumber.first
  private final var named: DeviceNumber?
  private final var devices = TraceDevices()
  /// The number of finished points, valid or not.
  final var points = 0
  /// Whether ``text`` collects characters.
  final var isReadingText = false
  /// Whether the text is a list, whose words go to ``handleWord()`` one by one. So a list may have any
  /// length.
  final var isReadingWords = false

  private final let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(
    capacity: TraceDevices.maximumNameLength)
  private final var count = 0

  deinit { buffer.deallocate() }

  /// Takes the fixes of `sink` to append to them.
  final func begin(_ sink: FixSink) {
    self.sink = sink
    device = named ?? sink.defaultDevice
    swap(&fixes, &sink.fixes)
  }

  /// Returns the fixes to the sink.
  final func end() {
    if let sink { swap(&fixes, &sink.fixes) }
    sink = nil
  }

  /// Throws at the end of the document if it is not a trace.
  func requireTrace(_ sink: FixSink) throws(FeedError) {
    if points == 0 && sink.interruption == nil { throw sink.error(.noPositions) }
  }

  /// Called when no more elements come: at the end of the document or at an error.
  func conclude() {}

  /// Sets the device of the following fixes by name. It is the sink's device for `nil`, and if there are too
  /// many devices.
  final func setDevice(_ name: UnsafeBufferPointer<UInt8>?) {
    guard let sink else { return }
    named = devices.find(name, sink) { String(decoding: $0, as: UTF8.self) }?.number
    device = named ?? sink.defaultDevice
  }

  /// Rejects a record.
  final func leaveOut(_ reason: RejectionReason, line: Int) { sink?.reject(reason, line: line) }

  // MARK: Text

  /// Begins to read the text of an element.
  @inline(__always)
  final func beginText() {
    isReadingText = true
    isReadingWords = false
    count = 0
  }

  /// Begins to read the words of an element.
  final func beginWords() {
    beginText()
    isReadingWords = true
  }

  /// Ends the last word of an element.
  final func endWords() {
    endWord()
    isReadingWords = false
  }

  /// Takes the word in ``text``.
  func handleWord() {}

  private final func endWord() {
    if count > 0 { handleWord() }
    count = 0
  }

  /// The characters since ``beginText()``, without blanks around them.
  @inline(__always)
  final var text: UnsafeBufferPointer<UInt8> {
    let all = UnsafeBufferPointer(rebasing: buffer[..<count])
    return UnsafeBufferPointer(rebasing: all[ASCII.trimmed(all.span)])
  }

  /// The text as a number; `nil` if it is not one.
  final var number: Double? { DecimalNumber.parse(text.span) }

  override final func characters(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard isReadingText else { return }
    if isReadingWords {
      for byte in bytes {
        if ASCII.isBlank(byte) {
          endWord()
        } else if count < buffer.count {
          buffer[count] = byte
          count += 1
        }
      }
      return
    }
    // A value longer than any number or time is cut, but stays too long to parse.
    let room = min(bytes.count, buffer.count - count)
    for index in 0..<room { buffer[count + index] = bytes[index] }
    count += room
  }
}
