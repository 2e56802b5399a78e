import FencepostJSON

/// Decodes JSON of any length with positions as records, or in records: see ``JSONRecordSplitter``.
struct JSONDocumentDecoder: TraceDecoder {
  /// Reads the record at the scanner, which is in the list with that number, and writes its reports.
  typealias ReadRecord = (inout JSONScanner, _ list: Int?, _ write: (JSONReport) -> Void) -> Void

  private let splitter: JSONRecordSplitter
  private let read: ReadRecord
  private let conclude: (_ write: (JSONReport) -> Void) -> Void
  private var writer = JSONReportWriter()
  private var records = 0

  /// A decoder of the records in members with a name in `lists`, in a top-level array or at the top level. At the end,
  /// `conclude` writes what `read` has kept back.
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
