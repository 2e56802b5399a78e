import FencepostAlgorithms
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

  /// Ends the trace with the fixes so far, or throws an error if there are none.
  private func stop(
    _ problem: FeedError.Problem, line: Int, reason: RejectionReason, _ sink: FixSink
  ) throws(FeedError) {
    handler.conclude()
    guard handler.points > 0 else { throw sink.interruption ?? sink.error(problem, line: line) }
    sink.interrupt(problem, line: line, reason: reason)
  }
}
