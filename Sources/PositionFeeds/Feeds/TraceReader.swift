public import CalendarModel

/// Reads one trace: a file, a pipe or bytes in memory, in any format that its content shows, in gzip or not.
///
/// Memory is the same whatever the size: a piece of 64 KiB, the fixes that it held, and what the decoder
/// needs to know of the record that it is in. From a pipe, fixes come as soon as they have been written.
public final class TraceReader: PositionFeed {
  private static let chunkSize = 65_536

  private let source: ByteSource
  private let inflater: GzipInflater?
  private var decoder: any TraceDecoder
  private let sink: FixSink
  private let chunk: UnsafeMutableRawBufferPointer
  /// The bytes of `chunk` that were read to detect the format and are still to be decoded.
  private var head: Range<Int>
  private var hasEnded = false
  /// Fixes of the sink that were handed out already.
  private var handedOut = 0
  private var progress: TraceReport

  /// Opens the trace at `path`, `-` being standard input, and reads as much as tells its format.
  ///
  /// - Parameters:
  ///   - path: The file. A pipe is waited for until it has told its format.
  ///   - devices: The names of this run's devices, shared by its feeds.
  ///   - device: The name of the device of fixes that name none; else ``defaultDeviceName(forPath:)``.
  ///   - interrupter: A file descriptor that becomes readable when nobody wants to read on: waiting for a
  ///     pipe then ends with ``FeedError/Problem/interrupted``.
  public convenience init(
    path: String, devices: DeviceRegistry, device: String? = nil, interruptedBy interrupter: Int32 = -1
  ) throws(FeedError) {
    try self.init(
      source: ByteSource(path: path, interruptedBy: interrupter), devices: devices,
      device: device ?? TraceReader.defaultDeviceName(forPath: path))
  }

  /// Reads the trace that an open `fileDescriptor` yields, which is closed in the end where
  /// `closesDescriptor`. `name` is what errors call it.
  public convenience init(
    fileDescriptor: Int32, closesDescriptor: Bool, name: String, devices: DeviceRegistry, device: String
  ) throws(FeedError) {
    let source = try ByteSource(descriptor: fileDescriptor, closes: closesDescriptor, name: name)
    try self.init(source: source, devices: devices, device: device)
  }

  /// Reads the trace in `bytes`. `name` is what errors call it.
  public convenience init(
    bytes: [UInt8], name: String, devices: DeviceRegistry, device: String? = nil
  ) throws(FeedError) {
    try self.init(
      source: ByteSource(memory: bytes, name: name), devices: devices,
      device: device ?? TraceReader.defaultDeviceName(forPath: name))
  }

  private init(source: ByteSource, devices: DeviceRegistry, device: String) throws(FeedError) {
    let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: TraceReader.chunkSize, alignment: 16)
    do {
      var filled = try TraceReader.fill(chunk, upTo: 3, from: source.read)
      let inflater: GzipInflater?
      if GzipInflater.recognises(TraceReader.bytes(chunk, filled)) {
        let gzip = try GzipInflater(head: TraceReader.bytes(chunk, filled), source: source)
        inflater = gzip
        filled = 0
      } else {
        inflater = nil
      }
      let format = try TraceReader.detect(
        chunk, filled: &filled, name: source.name, read: inflater?.read ?? source.read)
      self.chunk = chunk
      self.source = source
      self.inflater = inflater
      decoder = format.makeDecoder()
      sink = FixSink(
        traceName: source.name, devices: devices, defaultDevice: devices.number(of: device))
      head = FormatDetector.lengthOfByteOrderMark(TraceReader.bytes(chunk, filled))..<filled
      progress = TraceReport(name: source.name, format: format, isCompressed: inflater != nil)
      progress.totalBytes = source.totalBytes
    } catch {
      chunk.deallocate()
      throw error
    }
  }

  deinit { chunk.deallocate() }

  /// The device of a trace that names none: the last part of `path` without its extension (`walk` for
  /// `tracks/walk.gpx.gz`), and `stdin` for `-`.
  public static func defaultDeviceName(forPath path: String) -> String {
    if path == "-" { return "stdin" }
    var name = path.split(separator: "/").last.map(String.init) ?? path
    if name.lowercased().hasSuffix(".gz") { name.removeLast(3) }
    if let dot = name.lastIndex(of: "."), dot > name.startIndex { name = String(name[..<dot]) }
    return name
  }

  /// What was read so far.
  public var report: TraceReport {
    var report = progress
    report.bytesRead = source.bytesRead
    report.rejections = sink.rejections
    report.interruption = sink.interruption
    return report
  }

  /// ``report``, alone.
  public var reports: [TraceReport] { [report] }

  /// See ``PositionFeed/read(into:limit:)``.
  public func read(into fixes: inout [Fix], limit: Int = 4096) throws(FeedError) -> Bool {
    fixes.removeAll(keepingCapacity: true)
    if handedOut == sink.fixes.count {
      sink.fixes.removeAll(keepingCapacity: true)
      handedOut = 0
      while sink.fixes.isEmpty && !hasEnded { try decodeMore() }
    }
    let count = min(max(limit, 1), sink.fixes.count - handedOut)
    if handedOut == 0 && count == sink.fixes.count {
      swap(&fixes, &sink.fixes)
    } else {
      fixes.append(contentsOf: sink.fixes[handedOut..<handedOut + count])
      handedOut += count
    }
    progress.fixes += count
    for fix in fixes where fix.startsSegment { progress.segments += 1 }
    return count > 0
  }

  /// Decodes one piece, or the end.
  private func decodeMore() throws(FeedError) {
    var count = head.count
    var start = head.lowerBound
    head = 0..<0
    if count == 0 {
      start = 0
      do throws(FeedError) {
        count = try readChunk()
      } catch {
        try endDamaged(by: error)
        return
      }
    }
    if count == 0 {
      hasEnded = true
      try decoder.finish(into: sink)
      try requireTimes()
    } else {
      try decoder.decode(
        UnsafeBufferPointer(rebasing: TraceReader.bytes(chunk, start + count)[start...]), into: sink)
      if sink.interruption != nil {
        hasEnded = true
        try requireTimes()
      }
    }
  }

  /// Reads the next piece, inflated. Returns its length.
  private func readChunk() throws(FeedError) -> Int {
    guard let inflater else { return try source.read(into: chunk) }
    return try inflater.read(into: chunk)
  }

  /// Compressed data that stops or is damaged: what came before stays.
  private func endDamaged(by error: FeedError) throws(FeedError) {
    hasEnded = true
    switch error.problem {
    case .truncatedCompression: sink.interrupt(error.problem, line: nil, reason: .truncated)
    case .damagedCompression: sink.interrupt(error.problem, line: nil, reason: .malformed)
    default: throw error
    }
    try decoder.finish(into: sink)
  }

  /// At the end: a trace whose records all lacked the same part of their time is no trace.
  private func requireTimes() throws(FeedError) {
    guard progress.fixes == 0, sink.fixes.isEmpty else { return }
    if let noTime = sink.rejections[.noTime] {
      throw sink.error(.noTimes(points: noTime.count))
    }
    if let badTime = sink.rejections[.badTime] {
      throw sink.error(.badTimes(points: badTime.count), line: badTime.firstLine)
    }
    if let noDate = sink.rejections[.noDate] {
      throw sink.error(.noDates(positions: noDate.count))
    }
  }

  // MARK: Detection

  private typealias Read = (UnsafeMutableRawBufferPointer) throws(FeedError) -> Int

  /// The first `count` bytes of `chunk`.
  private static func bytes(
    _ chunk: UnsafeMutableRawBufferPointer, _ count: Int
  ) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: chunk.bindMemory(to: UInt8.self)[..<count])
  }

  /// Reads until `chunk` holds `count` bytes or there are no more. Returns how many it holds.
  private static func fill(
    _ chunk: UnsafeMutableRawBufferPointer, upTo count: Int, from read: Read
  ) throws(FeedError) -> Int {
    var filled = 0
    while filled < count {
      let added = try read(.init(rebasing: chunk[filled...]))
      if added == 0 { break }
      filled += added
    }
    return filled
  }

  /// Reads on until what is in `chunk` shows its format.
  private static func detect(
    _ chunk: UnsafeMutableRawBufferPointer, filled: inout Int, name: String, read: Read
  ) throws(FeedError) -> TraceFormat {
    while true {
      let detector = FormatDetector(head: bytes(chunk, filled))
      if filled > 0, let format = try detector.format(name: name, isComplete: false) { return format }
      let added = filled < chunk.count ? try read(.init(rebasing: chunk[filled...])) : 0
      if added == 0 {
        if let format = try detector.format(name: name, isComplete: true) { return format }
        throw FeedError(trace: name, problem: filled == 0 ? .empty : .unknownFormat)
      }
      filled += added
    }
  }
}
