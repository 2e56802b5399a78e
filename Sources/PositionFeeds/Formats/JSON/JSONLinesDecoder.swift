internal import CalendarModel
internal import Geodesy

/// JSON objects, one a line, each perhaps a position.
struct JSONLinesDecoder: TraceDecoder {
  /// What a line gave.
  enum Outcome {
    /// An object that is no position report, or a line of another kind that belongs there.
    case other
    /// A report.
    case report(JSONReport)
    /// No JSON, or not an object.
    case malformed
  }

  private let lines = LineSplitter()
  private let read: (UnsafeBufferPointer<UInt8>) -> Outcome
  private var devices = TraceDevices()

  /// A decoder of lines that `read` understands.
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
    case .report(let report): emit(report, line.number, sink)
    }
  }

  private mutating func emit(_ report: JSONReport, _ line: Int, _ sink: FixSink) {
    if report.hasNoFix { return sink.reject(.noFix, line: line) }
    guard let latitude = report.latitude, let longitude = report.longitude else {
      return sink.reject(.badCoordinate, line: line)
    }
    let coordinate = Coordinate(latitude: latitude, longitude: longitude)
    guard coordinate.isValid else { return sink.reject(.badCoordinate, line: line) }
    guard let time = report.time else { return sink.reject(report.hasTime ? .badTime : .noTime, line: line) }
    guard let device = devices.find(report.device, sink, text: JSONScanner.text) else {
      return sink.reject(.tooManyDevices, line: line)
    }
    sink.fixes.append(
      Fix(
        device: device.number, time: time, coordinate: coordinate,
        horizontalAccuracy: Measurement.accuracy(report.accuracy), altitude: report.altitude,
        speed: Measurement.speed(report.speed), course: Measurement.course(report.course),
        startsSegment: device.isNew))
  }
}

/// What a JSON object says of a position.
struct JSONReport {
  var latitude: Double?
  var longitude: Double?
  var time: Instant?
  /// Whether a time is there, be it a wrong one.
  var hasTime = false
  /// Whether it says that there is no position.
  var hasNoFix = false
  var accuracy: Double?
  var altitude: Double?
  var speed: Double?
  var course: Double?
  /// The name of the device, as it stands in the line.
  var device: UnsafeBufferPointer<UInt8>?
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether these bytes spell `word`.
  @inline(__always)
  static func == (bytes: Self, word: StaticString) -> Bool {
    bytes.count == word.utf8CodeUnitCount
      && bytes.elementsEqual(UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
  }
}
