public import Spatiotemporal

/// The moment at which a clock in the reader's zone shows what one in UTC shows at the given moment.
public typealias LocalTime = @Sendable (Instant) -> Instant

/// Reads one trace: a file, a pipe or bytes in memory, in any format that its content shows, in gzip
/// or not; or all traces in a ZIP archive.
///
/// Memory is the same whatever the size: a piece of 64 KiB, the fixes that it held, and what the decoder
/// needs to know of the record that it is in. From a pipe, fixes come as soon as they have been written.
public final class TraceReader: PositionFeed {
  private enum Content {
    case trace(TraceStream)
    case archive(ArchivedTraces)
  }

  private let source: ByteSource
  private let content: Content

  /// Opens the trace at `path`, `-` being standard input, and reads as much as tells its format.
  ///
  /// - Parameters:
  ///   - path: The file. A pipe is waited for until it has told its format.
  ///   - devices: The names of this run's devices, shared by its feeds.
  ///   - device: The name of the device of fixes that name none; else ``defaultDeviceName(forPath:)``.
  ///   - interrupter: A file descriptor that becomes readable when nobody wants to read on: waiting for a
  ///     pipe then ends with ``FeedError/Problem/interrupted``.
  ///   - localTime: How columns of local times are read; as UTC without it.
  public convenience init(
    path: String, devices: DeviceRegistry, device: String? = nil, interruptedBy interrupter: Int32 = -1,
    localTime: LocalTime? = nil
  ) throws(FeedError) {
    try self.init(
      source: ByteSource(path: path, interruptedBy: interrupter), devices: devices,
      device: device ?? TraceReader.defaultDeviceName(forPath: path), localTime: localTime)
  }

  /// Opens the trace at `path`, `-` being standard input, as gpsbabel(1) reads it in `format`, for what nobody here can
  /// read. The rest is as for any other trace.
  ///
  /// - Throws: ``FeedError/Problem/noGPSBabel`` where it is not installed.
  public convenience init(
    path: String, convertedFrom format: GPSBabelFormat, devices: DeviceRegistry, device: String? = nil,
    interruptedBy interrupter: Int32 = -1
  ) throws(FeedError) {
    let converter = try GPSBabel(path: path, format: format, interruptedBy: interrupter)
    try self.init(
      source: converter.output, through: converter, devices: devices,
      device: device ?? TraceReader.defaultDeviceName(forPath: path))
  }

  /// Reads the trace that an open `fileDescriptor` yields, which is closed in the end where
  /// `closesDescriptor`. `name` is what errors call it, and `interrupter` as for a path.
  public convenience init(
    fileDescriptor: Int32, closesDescriptor: Bool, name: String, devices: DeviceRegistry, device: String,
    interruptedBy interrupter: Int32 = -1
  ) throws(FeedError) {
    let source = try ByteSource(
      descriptor: fileDescriptor, closes: closesDescriptor, name: name, interruptedBy: interrupter)
    try self.init(source: source, devices: devices, device: device)
  }

  /// Reads the trace in `bytes`. `name` is what errors call it.
  public convenience init(
    bytes: [UInt8], name: String, devices: DeviceRegistry, device: String? = nil, localTime: LocalTime? = nil
  ) throws(FeedError) {
    try self.init(
      source: ByteSource(memory: bytes, name: name), devices: devices,
      device: device ?? TraceReader.defaultDeviceName(forPath: name), localTime: localTime)
  }

  /// Reads what `source` yields, or what `stream` makes of it.
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

  /// The first four bytes, by which an archive is known, or fewer where there are no more.
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

  /// The device of a trace that names none: the last part of `path` without its extension (`walk` for
  /// `tracks/walk.gpx.gz`), and `stdin` for `-`.
  public static func defaultDeviceName(forPath path: String) -> String {
    if path == "-" { return "stdin" }
    var name = path.split(separator: "/").last.map(String.init) ?? path
    if name.lowercased().hasSuffix(".gz") { name.removeLast(3) }
    if name.lowercased().hasSuffix(".zip") { name.removeLast(4) }
    if let dot = name.lastIndex(of: "."), dot > name.startIndex { name = String(name[..<dot]) }
    return name
  }

  /// What was read so far. Of an archive, all its traces together: the first one's format, the first interruption.
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

  /// ``report``, alone; of an archive, one report for each trace in it, without bytes.
  public var reports: [TraceReport] {
    switch content {
    case .trace: [report]
    case .archive(let archive): archive.reports
    }
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
