import FencepostAlgorithms
internal import FencepostSpatiotemporal

/// Separated values with a header (RFC 4180 and similar files).
///
/// The header names the columns; `,`, `;`, tab and `|` separate them. If the comma does not separate, it is a decimal
/// point.
struct CSVDecoder: TraceDecoder {
  private let lines = LineSplitter()
  private var header: CSVHeader?
  private var devices = TraceDevices()
  /// Whether an `id` column holds devices; `nil` before the first row.
  private var identifierIsDevice: Bool?
  private var hasRows = false
  /// Whether a row without a position started a segment.
  private var startsSegment = false

  mutating func decode(_ bytes: UnsafeBufferPointer<UInt8>, into sink: FixSink) throws(FeedError) {
    var rest = bytes
    while let line = lines.next(&rest) { try read(line, sink) }
  }

  mutating func finish(into sink: FixSink) throws(FeedError) {
    if let line = lines.last() { try read(line, sink) }
  }

  private mutating func read(_ line: LineSplitter.Line, _ sink: FixSink) throws(FeedError) {
    if line.isTooLong { return sink.reject(.malformed, line: line.number) }
    guard let header else { return try readHeader(line, sink) }
    // A real header overrides one in a comment.
    if header.isComment, !hasRows, !CSVHeader.isSkipped(line.bytes), CSVHeader.found(in: line.bytes) != nil {
      return try readHeader(line, sink)
    }
    if CSVHeader.isSkipped(line.bytes) { return }
    hasRows = true
    var fields = CSVFields(line: line.bytes, separator: header.separator)
    let decimalComma = header.separator != ASCII.comma
    var row = CSVRow()
    var device: UnsafeBufferPointer<UInt8>?
    var count = 0
    while count < header.columns.count, let raw = fields.next() {
      defer { count += 1 }
      guard let column = header.columns[count] else { continue }
      let range = CSVFields.trimmed(raw.span)
      let field = UnsafeBufferPointer(rebasing: raw[range])
      switch column.role {
      case .device: device = field
      case .identifier: if isDevice(identifier: field) { device = field }
      default: row.take(field.span, column, decimalComma: decimalComma)
      }
    }
    if count < header.columns.count && !line.isComplete { return sink.reject(.truncated, line: line.number) }
    if count == 1 && header.columns.count > 1 { return sink.reject(.malformed, line: line.number) }
    emit(row, device, line.number, sink)
  }

  private mutating func readHeader(_ line: LineSplitter.Line, _ sink: FixSink) throws(FeedError) {
    // Skips lines before the header (a title, the writer's name), as the detector did.
    guard let read = CSVHeader.found(in: line.bytes) else { return }
    guard read.hasTime else { throw sink.error(read.missingColumns, line: line.number) }
    header = read
  }

  // MARK: Fixes

  private mutating func emit(_ row: CSVRow, _ name: UnsafeBufferPointer<UInt8>?, _ line: Int, _ sink: FixSink)
  {
    startsSegment = startsSegment || row.startsSegment
    if row.isOther { return }
    switch row.fix(device: sink.defaultDevice) {
    case .failure(let rejected): sink.reject(rejected.reason, line: line)
    case .success(var fix):
      guard let device = devices.find(name, sink, text: CSVFields.text) else {
        return sink.reject(.tooManyDevices, line: line)
      }
      if let zone = row.zoneOfTime { fix.time = sink.time(fix.time, in: zone) }
      fix.device = device.number
      fix.startsSegment = device.isNew || startsSegment
      startsSegment = false
      sink.fixes.append(fix)
    }
  }

  /// Whether a column called `id` holds devices: not if its first value is an integer, which is a row number.
  private mutating func isDevice(identifier: UnsafeBufferPointer<UInt8>) -> Bool {
    if let identifierIsDevice { return identifierIsDevice }
    let isDevice = !identifier.allSatisfy(ASCII.isDigit)
    identifierIsDevice = isDevice
    return isDevice
  }
}
