internal import FencepostGeodesy
internal import FencepostSpatiotemporal

/// Garmin FIT: the messages of type `record`. (FIT protocol, https://developer.garmin.com/fit/protocol/)
///
/// Reads one file or several in sequence. The definition before a message describes its fields. Other
/// messages and fields, and developer fields, are skipped. Times that count from the start of the watch
/// become UTC by the file's `timestamp_correlation`, which may come after them. A timer start begins a
/// segment. A wrong checksum is counted and changes nothing. A rejection has the number of its message,
/// because there are no lines.
struct FITDecoder: TraceDecoder {
  /// Where in a file the decoder is.
  private enum Part {
    case header
    case messages
    case checkSum
  }

  private var part = Part.header
  /// Bytes that are not decoded yet.
  private var pending: [UInt8] = []
  /// The number of message bytes still to come; `nil` if the writer never filled in the header.
  private var remaining: Int?
  private var checkSum = FITCheckSum()
  private var definitions: [FITDefinition?] = .init(repeating: nil, count: 16)
  /// The last full time, in seconds since FIT's epoch. Compressed headers hold only the last five bits.
  private var lastTime: UInt32?
  private var messages = 0
  private var fixes = 0
  private var startsSegment = true
  /// UTC minus the watch's own clock in seconds, if the file has it.
  private var correlation: Int64?
  /// Fixes in the watch's own time, with the numbers of their messages, until the file's correlation comes.
  private var waiting: [(fix: Fix, message: Int)] = []

  /// Whether `head` begins a FIT file.
  static func recognises(_ head: UnsafeBufferPointer<UInt8>) -> Bool {
    head.count >= 12 && (head[0] == 12 || head[0] == 14) && head[8...].starts(with: ".FIT".utf8)
  }

  mutating func decode(_ bytes: UnsafeBufferPointer<UInt8>, into sink: FixSink) throws(FeedError) {
    pending.append(contentsOf: bytes)
    var start = 0
    while let count = try step(from: start, sink) { start += count }
    pending.removeFirst(start)
  }

  mutating func finish(into sink: FixSink) throws(FeedError) {
    abandonWaiting(sink)
    // Padding may follow where the next file would begin, even if it is shorter than a header.
    let isWhole =
      part == .header ? pending.allSatisfy { $0 == 0 } : pending.isEmpty && remaining == nil
    if !isWhole && sink.interruption == nil { try stop(.truncated, .truncated, sink) }
    if fixes == 0 && sink.rejections.isEmpty { throw sink.error(.noPositions) }
  }

  /// Decodes the part at `start`. Returns its length; `nil` if it is incomplete.
  private mutating func step(from start: Int, _ sink: FixSink) throws(FeedError) -> Int? {
    guard sink.interruption == nil, start < pending.count else { return nil }
    switch part {
    case .header: return try header(at: start, sink)
    case .messages:
      if let remaining, remaining <= 0 {
        part = .checkSum
        return 0
      }
      guard let count = try message(at: start, sink) else { return nil }
      if let remaining { self.remaining = remaining - count }
      for index in start..<start + count { checkSum.add(pending[index]) }
      return count
    case .checkSum:
      guard pending.count - start >= 2 else { return nil }
      let written = UInt16(pending[start]) | UInt16(pending[start + 1]) << 8
      if written != checkSum.value { sink.reject(.badChecksum, line: messages) }
      part = .header
      return 2
    }
  }

  private mutating func header(at start: Int, _ sink: FixSink) throws(FeedError) -> Int? {
    let size = Int(pending[start])
    guard pending.count - start >= max(size, 12) else { return nil }
    guard size >= 12, pending[(start + 8)...].starts(with: ".FIT".utf8) else {
      // Padding after a whole file loses nothing.
      if messages == 0 || pending[start] != 0 { try stop(.malformedFIT, .malformed, sink) }
      return pending.count - start
    }
    let length = (0..<4).reduce(0) { $0 | Int(pending[start + 4 + $1]) << (8 * $1) }
    remaining = length == 0 ? nil : length
    checkSum = FITCheckSum()
    for index in start..<start + size { checkSum.add(pending[index]) }
    definitions = .init(repeating: nil, count: 16)
    abandonWaiting(sink)
    lastTime = nil
    startsSegment = true
    part = .messages
    return size
  }

  // MARK: Messages

  private mutating func message(at start: Int, _ sink: FixSink) throws(FeedError) -> Int? {
    let header = pending[start]
    if header & 0x80 != 0 {
      return try data(header >> 5 & 3, timeOffset: UInt32(header & 0x1F), at: start, sink)
    }
    if header & 0x40 == 0 { return try data(header & 0xF, timeOffset: nil, at: start, sink) }
    guard
      let (definition, length) = FITDefinition.read(pending[(start + 1)...], isExtended: header & 0x20 != 0)
    else { return nil }
    definitions[Int(header & 0xF)] = definition
    return 1 + length
  }

  private mutating func data(
    _ type: UInt8, timeOffset: UInt32?, at start: Int, _ sink: FixSink
  ) throws(FeedError) -> Int? {
    guard let definition = definitions[Int(type)] else {
      // Without its definition, the length of the message is unknown.
      try stop(.malformedFIT, .malformed, sink)
      return nil
    }
    let count = 1 + definition.length
    guard pending.count - start >= count else { return nil }
    messages += 1
    var message = FITMessage(bytes: pending[(start + 1)..<start + count], definition: definition)
    if let time = message.time {
      lastTime = time
    } else if let timeOffset, let last = lastTime {
      // These are the last five bits of the time: take the next time that ends in them.
      lastTime = last &+ (timeOffset &- last) & 0x1F
      message.time = lastTime
    }
    switch definition.number {
    case FITDefinition.record: emit(message, sink)
    case FITDefinition.event: if message.startsTimer { startsSegment = true }
    case FITDefinition.timestampCorrelation: message.correlation.map { correlate(by: $0, sink) }
    default: break
    }
    return count
  }

  private mutating func emit(_ message: FITMessage, _ sink: FixSink) {
    guard let latitude = message.degrees(field: 0), let longitude = message.degrees(field: 1) else {
      return sink.reject(.noFix, line: messages)
    }
    let coordinate = Coordinate(latitude: latitude, longitude: longitude)
    guard coordinate.isValid else { return sink.reject(.badCoordinate, line: messages) }
    guard let time = message.time else { return sink.reject(.noTime, line: messages) }
    let fix = Fix(
      device: sink.defaultDevice, time: Instant(seconds: Int64(time) + FITMessage.epoch),
      coordinate: coordinate, horizontalAccuracy: Measurement.accuracy(message.value(field: 31)),
      altitude: (message.value(field: 78) ?? message.value(field: 2)).map { $0 / 5 - 500 },
      speed: Measurement.speed((message.value(field: 73) ?? message.value(field: 6)).map { $0 / 1000 }),
      startsSegment: startsSegment)
    if time >= FITDecoder.minimumTime {
      append(fix, sink)
      startsSegment = false
    } else if let correlation {
      append(fix, sink, after: correlation)
      startsSegment = false
    } else if waiting.count < FITDecoder.maximumWaiting {
      waiting.append((fix, messages))
      startsSegment = false
    } else {
      sink.reject(.badTime, line: messages)
    }
  }

  private mutating func append(_ fix: Fix, _ sink: FixSink, after seconds: Int64 = 0) {
    var fix = fix
    fix.time = fix.time.adding(seconds: Double(seconds))
    // The fix that should start the segment may still wait.
    if fixes == 0 { fix.startsSegment = true }
    fixes += 1
    sink.fixes.append(fix)
  }

  // MARK: The watch's own clock

  /// Smaller values are not FIT times. They count from the start of the watch.
  private static let minimumTime: UInt32 = 0x1000_0000
  /// The maximum number of fixes that wait for a correlation.
  private static let maximumWaiting = 100_000

  private mutating func correlate(by seconds: Int64, _ sink: FixSink) {
    correlation = seconds
    for waiter in waiting { append(waiter.fix, sink, after: seconds) }
    waiting.removeAll()
  }

  /// Rejects the fixes that wait, because no correlation will come.
  private mutating func abandonWaiting(_ sink: FixSink) {
    if let first = waiting.first { sink.reject(.badTime, line: first.message, count: waiting.count) }
    waiting.removeAll()
    correlation = nil
  }

  /// Ends the trace with the fixes so far, or throws an error without any.
  private func stop(
    _ problem: FeedError.Problem, _ reason: RejectionReason, _ sink: FixSink
  ) throws(FeedError) {
    guard fixes > 0 else { throw sink.error(problem) }
    sink.interrupt(problem, line: nil, reason: reason)
  }
}
