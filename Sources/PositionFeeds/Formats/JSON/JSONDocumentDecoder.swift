import JSON

/// JSON of any length whose records are positions, or hold some: see ``JSONRecordSplitter``.
struct JSONDocumentDecoder: TraceDecoder {
  /// Reads the record that the scanner is at, which stands in the list of that number, and writes what it says.
  typealias ReadRecord = (inout JSONScanner, _ list: Int?, _ write: (JSONReport) -> Void) -> Void

  private let splitter: JSONRecordSplitter
  private let read: ReadRecord
  private let conclude: (_ write: (JSONReport) -> Void) -> Void
  private var writer = JSONReportWriter()
  private var records = 0

  /// A decoder of what stands in the members called one of `lists`, in an outermost array or by itself. `conclude`
  /// writes what `read` has kept back, when no more comes.
  init(
    lists: [StaticString], read: @escaping ReadRecord,
    conclude: @escaping (_ write: (JSONReport) -> Void) -> Void = { _ in }
  ) {
    splitter = JSONRecordSplitter(lists: lists)
    self.read = read
    self.conclude = conclude
  }

  mutating func decode(_ bytes: UnsafeBufferPointer<UInt8>, into sink: FixSink) throws(FeedError) {
    splitter.split(bytes) { take($0, sink) }
  }

  mutating func finish(into sink: FixSink) throws(FeedError) {
    conclude { writer.write($0, line: splitter.line, sink) }
    if splitter.isOpen {
      guard records > 0 else { throw sink.error(.truncated, line: splitter.line) }
      sink.interrupt(.truncated, line: splitter.line, reason: .truncated)
    } else if writer.isEmpty && sink.rejections.isEmpty {
      throw sink.error(.noPositions)
    }
  }

  private mutating func take(_ record: JSONRecordSplitter.Record, _ sink: FixSink) {
    records += 1
    if record.isTooLong { return sink.reject(.malformed, line: record.line) }
    var scanner = JSONScanner(record.bytes)
    read(&scanner, record.list) { writer.write($0, line: record.line, sink) }
    if scanner.isBroken || !scanner.isAtEnd() { sink.reject(.malformed, line: record.line) }
  }
}
