import FencepostAlgorithms

/// Decodes JSON objects, one per line, each with at most one position.
struct JSONLinesDecoder: TraceDecoder {
  /// The result of a line.
  enum Outcome {
    /// An object without a position, or a line of another kind that belongs to the format.
    case other
    /// A report.
    case report(JSONReport)
    /// Not JSON, or not an object.
    case malformed
  }

  private let lines = LineSplitter()
  private let read: (UnsafeBufferPointer<UInt8>) -> Outcome
  private var writer = JSONReportWriter()

  /// A decoder of lines that `read` parses.
  init(read: @escaping (UnsafeBufferPointer<UInt8>) -> Outcome) { self.read = read }

  mutating func decode(_ bytes: UnsafeBufferPointer<UInt8>, into sink: FixSink) throws(FeedError) {
    var rest = bytes
    while let line = lines.next(&rest) { take(line, sink) }
  }

  mutating func finish(into sink: FixSink) throws(FeedError) {
    if let line = lines.last() { take(line, sink) }
  }

  private mutating func take(_ line: LineSplitter.Line, _ sink: FixSink) {
    if line.isTooLong { return sink.reject(.malformed, line: line.number) }
    if !line.bytes.contains(where: { !ASCII.isBlank($0) }) { return }
    switch read(line.bytes) {
    case .other: break
    case .malformed: sink.reject(line.isComplete ? .malformed : .truncated, line: line.number)
    case .report(let report): writer.write(report, line: line.number, sink)
    }
  }
}
