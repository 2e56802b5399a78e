import FencepostAlgorithms
internal import FencepostGeodesy
internal import FencepostSpatiotemporal

/// Logs of flight recorders in the format of the International Gliding Commission, one record per line.
/// (FAI, Technical Specification for GNSS Flight Recorders, appendix A)
///
/// `B` records are fixes. The header has the date (`HFDTE`). A clock that falls back by more than half a day has
/// passed midnight. The `I` record names the columns of `B` with the accuracy (`FXA`), tenths and hundredths of
/// seconds (`TDS`) and more digits of latitude and longitude (`LAD`, `LOD`). Altitude comes from the satellites if the
/// fix is three-dimensional. Other records that repeat the position before, or have none, are not fixes.
struct IGCDecoder: TraceDecoder {
  private let lines = LineSplitter()
  private var columns = IGCColumns()
  /// The date of the next fix, if known.
  private var day: CivilDay?
  private var lastTime: Int64?
  private var lastPlace: Coordinate?
  private var startsSegment = true

  /// Whether `line` is a record that only such a log has: a date or a fix.
  static func recognises(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
    date(line) != nil || line.first == IGCRecord.fix && IGCRecord(line, IGCColumns()) != nil
  }

  mutating func decode(_ bytes: UnsafeBufferPointer<UInt8>, into sink: FixSink) throws(FeedError) {
    var rest = bytes
    while let line = lines.next(&rest) { take(line, sink) }
  }

  mutating func finish(into sink: FixSink) throws(FeedError) {
    if let line = lines.last() { take(line, sink) }
  }

  private mutating func take(_ line: LineSplitter.Line, _ sink: FixSink) {
    if line.isTooLong { return sink.reject(.malformed, line: line.number) }
    switch line.bytes.first {
    case IGCRecord.fix?:
      guard let record = IGCRecord(line.bytes, columns) else {
        return sink.reject(line.isComplete ? .malformed : .truncated, line: line.number)
      }
      take(record, line: line.number, sink)
    case 0x48?:  // H
      guard let date = IGCDecoder.date(line.bytes) else { return }
      day = date
      lastTime = nil
    case 0x49?: columns = IGCColumns(line.bytes)  // I
    default: break
    }
  }

  private mutating func take(_ record: IGCRecord, line: Int, _ sink: FixSink) {
    defer { lastPlace = record.coordinate }
    let isOnGrid = record.coordinate.latitude != 0 || record.coordinate.longitude != 0
    guard record.hasAltitude || isOnGrid && record.coordinate != lastPlace else {
      return sink.reject(.noFix, line: line)
    }
    guard record.coordinate.isValid else { return sink.reject(.badCoordinate, line: line) }
    guard let time = record.timeOfDay else { return sink.reject(.badTime, line: line) }
    guard let today = day else { return sink.reject(.noDate, line: line) }
    let hasPassedMidnight = lastTime.map { $0 - time > 43_200_000_000 } ?? false
    let date = hasPassedMidnight ? CivilDay(dayNumber: today.dayNumber + 1) : today
    day = date
    lastTime = time
    sink.fixes.append(
      Fix(
        device: sink.defaultDevice, time: TraceTime.moment(date, time), coordinate: record.coordinate,
        horizontalAccuracy: Measurement.accuracy(record.accuracy), altitude: record.altitude,
        startsSegment: startsSegment))
    startsSegment = false
  }

  /// The date in `HFDTEddmmyy` or `HFDTEDATE:ddmmyy,nn`; `nil` if the line is another record.
  private static func date(_ line: UnsafeBufferPointer<UInt8>) -> CivilDay? {
    guard line.starts(with: "HFDTE".utf8) else { return nil }
    let rest = line.dropFirst(5)
    let digits = UnsafeBufferPointer(
      rebasing: rest.starts(with: "DATE:".utf8) ? rest.dropFirst(5) : rest
    ).span
    guard digits.count >= 6, let date = ASCII.integer(digits, 0..<6) else { return nil }
    // Flight recorders are younger than GPS, so two digits are enough.
    let year = date % 100
    return CivilDay(
      validYear: year < 80 ? 2000 + year : 1900 + year, month: date / 100 % 100, day: date / 10_000)
  }
}
