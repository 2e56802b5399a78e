public import FencepostSpatiotemporal

/// Converts a moment: the clock in the reader's zone shows the same at the result as the UTC clock at the
/// argument.
public typealias LocalTime = @Sendable (Instant) -> Instant

/// Reads one trace, or all traces in a ZIP archive: a file, a pipe or bytes in memory. The content shows the
/// format. gzip is decompressed.
///
/// Memory does not depend on the size: a piece of 64 KiB, its fixes, and the decoder's state for the current
/// record. From a pipe, fixes come as soon as they are written.
public final class TraceReader: PositionFeed {
  private enum Content {
    case trace(TraceStream)
    case archive(ArchivedTraces)
  }

  private let source: ByteSource
  private let content: Content

  /// Opens the trace at `path` (`-` is standard input), and reads enough to detect its format.
  ///
  /// - Parameters:
  ///   - path: The file. For a pipe, this waits for enough bytes to detect the format.
  ///   - devices: The names of all devices of this run. Feeds share them.
  ///   - device: The device of fixes without one; by default ``defaultDeviceName(forPath:)``.
  ///   - interrupter: A file descriptor that becomes readable to interrupt reading: a wait for a pipe then
  ///     ends with
  ///     ``FeedError/Problem/interrupted``.
  ///   - localTime: Converts local times in columns; by default they count as UTC.
  public convenience init(
    path: String, devices: DeviceRegistry, device: String? = nil, interruptedBy interrupter: Int32 = -1,
    localTime: LocalTime? = nil
  ) throws(FeedError) {
    try self.init(
      source: ByteSource(path: path, interruptedBy: interrupter), devices: devices,
      device: device ?? TraceReader.defaultDeviceName(forPath: path), localTime: localTime)
  }

  /// Opens the trace at `path` (`-` is standard input) with gpsbabel(1), in `format`, for formats that this
  /// room does not read. Otherwise it works as for any trace.
  ///
  /// - Throws: ``FeedError/Problem/noGPSBabel`` if gpsbabel is not installed.
  public convenience init(
    path: String, convertedFrom format: GPSBabelFormat, devices: DeviceRegistry, device: String? = nil,
    interruptedBy interrupter: Int32 = -1
  ) throws(FeedError) {
    let converter = try GPSBabel(path: path, format: format, interruptedBy: interrupter)
    try self.init(
      source: converter.output, through: converter, devices: devices,
      device: device ?? TraceReader.defaultDeviceName(forPath: path))
  }

  /// Reads the trace from an open `fileDescriptor`, which is closed at the end if `closesDescriptor`. `name`
  /// is its name in errors. See the initializer with a path for `interrupter`.
  public convenience init(
    fileDescriptor: Int32, closesDescriptor: Bool, name: String, devices: DeviceRegistry, device: String,
    interruptedBy interrupter: Int32 = -1
  ) throws(FeedError) {
    let source = try ByteSource(
      descriptor: fileDescriptor, closes: closesDescriptor, name: name, interruptedBy: interrupter)
    try self.init(source: source, devices: devices, device: device)
  }

  /// Reads the trace in `bytes`. `name` is its name in errors.
  public convenience init(
    bytes: [UInt8], name: String, devices: DeviceRegistry, device: String? = nil, localTime: LocalTime? = nil
  ) throws(FeedError) {
    try self.init(
      source: ByteSource(memory: bytes, name: name), devices: devices,
      device: device ?? TraceReader.defaultDeviceName(forPath: name), localTime: localTime)
  }

  /// Reads `source`, or `stream`, which converts its bytes.
  private init(
    source: ByteSource, through stream: (any ByteStream)? = nil, devices: DeviceRegistry, device: String,
    localTime: LocalTime? = nil
  ) throws(FeedError) {
    self.source = source
    let stream = stream ?? source
    let head = try TraceReader.head(of: stream)
    if ZipArchive.recognises(head) {
      let archive = try ZipArchive(head: head, source: stream)
      content = .archive(try ArchivedTraces(archive, devices: devices, device: device, localTime: localTime))
    } else {
      content = .trace(
        try TraceStream(
          name: source.name, head: head, source: stream, devices: devices, localTime: localTime,
          device: { _ in device }))
    }
  }

  /// The first four bytes, which identify an archive, or fewer at the end of the input.
  private static func head(of source: any ByteStream) throws(FeedError) -> [UInt8] {
    let head = UnsafeMutableRawBufferPointer.allocate(byteCount: 4, alignment: 1)
    defer { head.deallocate() }
    var count = 0
    while count < head.count {
      let added = try source.read(into: .init(rebasing: head[count...]))
      if added == 0 { break }
      count += added
    }
    return Array(head[..<count])
  }

  /// The device of a trace without one: the last part of `path` without its extension (`walk` for
  /// `tracks/walk.gpx.gz`), and `stdin` for `-`.
  public static func defaultDeviceName(forPath path: String) -> String {
    if path == "-" { return "stdin" }
    var name = path.split(separator: "/").last.map(String.init) ?? path
    if name.lowercased().hasSuffix(".gz") { name.removeLast(3) }
    if name.lowercased().hasSuffix(".zip") { name.removeLast(4) }
    if let dot = name.lastIndex(of: "."), dot > name.startIndex { name = String(name[..<dot]) }
    return name
  }

  /// The report so far. For an archive it combines all traces: the first format, the first interruption.
  public var report: TraceReport {
    var report: TraceReport
    switch content {
    case .trace(let trace): report = trace.report
    case .archive(let archive): report = TraceReport(sumOf: archive.reports, name: source.name)
    }
    report.bytesRead = source.bytesRead
    report.totalBytes = source.totalBytes
    return report
  }

  /// An array of ``report``; for an archive, one report per trace, without byte counts.
  public var reports: [TraceReport] {
    switch content {
    case .trace: [report]
    case .archive(let archive): archive.reports
    }
  }

  /// Whether the trace has an end already, as a file has. A pipe may be live.
  public var isFile: Bool { source.totalBytes != nil }

  /// Whether there are fixes, bytes or the end to read; waits for them until `deadline`.
  func hasMore(until deadline: ContinuousClock.Instant) -> Bool {
    if case .trace(let trace) = content, trace.hasFixes { return true }
    return source.hasMore(until: deadline)
  }

  /// See ``PositionFeed/read(into:limit:)``.
  public func read(into fixes: inout [Fix], limit: Int = 4096) throws(FeedError) -> Bool {
    fixes.removeAll(keepingCapacity: true)
    switch content {
    case .trace(let trace): try trace.read(into: &fixes, limit: limit)
    case .archive(let archive): try archive.read(into: &fixes, limit: limit)
    }
    return !fixes.isEmpty
  }
}
