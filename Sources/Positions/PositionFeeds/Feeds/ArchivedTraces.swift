internal import FencepostSpatiotemporal

/// The traces in a ZIP archive, in its order.
///
/// Each trace is a separate device, `archive/member`, unless it names its devices. A history with one file
/// per month is one device, named after the archive. Other members are skipped. A report with an interruption
/// describes a member that cannot be unpacked completely, and the next member begins.
final class ArchivedTraces {
  /// The maximum number of traces from one archive, so that memory stays bounded.
  static let maximumTraces = 100_000

  private let archive: ZipArchive
  private let devices: DeviceRegistry
  private let device: String
  private let localTime: LocalTime?
  private var names = DeviceNames()
  private var current: TraceStream?
  private var ended: [TraceReport] = []
  /// The number of skipped members, and the error of the first.
  private var skipped: (count: Int, first: FeedError?) = (0, nil)

  /// Opens the first trace.
  init(
    _ archive: ZipArchive, devices: DeviceRegistry, device: String, localTime: LocalTime? = nil
  ) throws(FeedError) {
    self.localTime = localTime
    self.archive = archive
    self.devices = devices
    self.device = device
    current = try nextTrace()
    if current == nil {
      if skipped.count == 1, let first = skipped.first { throw first }
      throw FeedError(trace: archive.name, problem: .noTraceInArchive(members: skipped.count))
    }
  }

  /// The reports so far, one per trace.
  var reports: [TraceReport] { ended + (current.map { [$0.report] } ?? []) }

  /// Puts the next fixes into the empty `fixes`; leaves it empty at the end.
  func read(into fixes: inout [Fix], limit: Int) throws(FeedError) {
    while let trace = current {
      var interruption: FeedError?
      do throws(FeedError) {
        try trace.read(into: &fixes, limit: limit)
      } catch {
        if ArchivedTraces.endsReading(error) { throw error }
        interruption = error
      }
      if !fixes.isEmpty { return }
      var report = trace.report
      report.interruption = report.interruption ?? interruption
      ended.append(report)
      current = nil
      do throws(FeedError) {
        current = try nextTrace()
      } catch {
        if ArchivedTraces.endsReading(error) { throw error }
        // The archive breaks off. What came before stays. If the trace has already reported the same problem,
        // do not repeat it.
        if ended.last?.interruption?.problem != error.problem { record(error) }
      }
    }
  }

  /// Adds a report for `error`.
  private func record(_ error: FeedError) {
    ended.append(
      TraceReport(name: error.trace, format: nil, isCompressed: true, interruption: error))
  }

  private func nextTrace() throws(FeedError) -> TraceStream? {
    while let member = try archive.nextMember() {
      let last = member.name.split(separator: "/").last ?? ""
      // Skip directories, and the files that macOS adds for each file.
      if member.name.hasSuffix("/") || last.hasPrefix("._") { continue }
      guard ended.count < ArchivedTraces.maximumTraces else {
        throw FeedError(
          trace: archive.name, problem: .tooManyTraces(maximum: ArchivedTraces.maximumTraces))
      }
      let name = "\(archive.name)/\(member.name)"
      do throws(FeedError) {
        if let obstacle = member.obstacle { throw FeedError(trace: name, problem: obstacle) }
        return try TraceStream(
          name: name, head: [], source: archive, devices: devices, localTime: localTime,
          device: { format in format.isOfManyFiles ? device : deviceName(member.name) })
      } catch {
        if ArchivedTraces.endsReading(error) { throw error }
        skipped.count += 1
        skipped.first = skipped.first ?? error
        if archive.isInterrupted { throw FeedError(trace: archive.name, problem: .interrupted) }
        if ArchivedTraces.isUnreadable(error) {
          record(FeedError(trace: name, problem: error.problem))
        }
      }
    }
    return nil
  }

  /// Whether `error` concerns the bytes of the archive, not their content.
  private static func endsReading(_ error: FeedError) -> Bool {
    switch error.problem {
    case .interrupted, .cannotRead: true
    default: false
    }
  }

  /// Whether `error` says that a member can't be unpacked.
  private static func isUnreadable(_ error: FeedError) -> Bool {
    switch error.problem {
    case .cannotUnpack, .damagedCompression, .truncatedCompression: true
    default: false
    }
  }

  /// The device of a member that does not name one.
  private func deviceName(_ member: String) -> String {
    let name = TraceReader.defaultDeviceName(forPath: member)
    // KMZ uses this name for its document.
    let isNamedByArchive = name == device || name == "doc" && member.hasSuffix(".kml")
    return names.unique(isNamedByArchive ? device : "\(device)/\(name)")
  }
}

extension TraceFormat {
  /// Whether one history consists of many files.
  fileprivate var isOfManyFiles: Bool { self == .googleSemanticHistory }
}
