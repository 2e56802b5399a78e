internal import Spatiotemporal

/// The traces in a ZIP archive, one after the other, in its order.
///
/// Each is a device of its own, `archive/member`, unless it names its devices; but what is written a file a month is one
/// device, the archive's. A member that is no trace passes by; one that cannot be unpacked, or not further, is told of by a
/// report with an interruption, and the next one begins.
final class ArchivedTraces {
  /// How many traces one archive may hold, so that none eats memory.
  static let maximumTraces = 100_000

  private let archive: ZipArchive
  private let devices: DeviceRegistry
  private let device: String
  private let localTime: LocalTime?
  private var names = DeviceNames()
  private var current: TraceStream?
  private var ended: [TraceReport] = []
  /// Members that gave nothing: how many, and what the first was.
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

  /// What was read so far, one report for each trace.
  var reports: [TraceReport] { ended + (current.map { [$0.report] } ?? []) }

  /// Replaces what is in `fixes`, which is empty, by the next ones; none at the end.
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
        // The archive breaks off: what came before stays. Where the trace did so too, that is told already.
        if ended.last?.interruption?.problem != error.problem { note(error) }
      }
    }
  }

  /// Tells of `error` in a report of its own.
  private func note(_ error: FeedError) {
    ended.append(
      TraceReport(name: error.trace, format: nil, isCompressed: true, interruption: error))
  }

  private func nextTrace() throws(FeedError) -> TraceStream? {
    while let member = try archive.nextMember() {
      let last = member.name.split(separator: "/").last ?? ""
      // Directories, and what macOS puts beside each file.
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
          note(FeedError(trace: name, problem: error.problem))
        }
      }
    }
    return nil
  }

  /// Whether `error` concerns the archive's bytes, not what is in them.
  private static func endsReading(_ error: FeedError) -> Bool {
    switch error.problem {
    case .interrupted, .cannotRead: true
    default: false
    }
  }

  /// Whether `error` says that a member can't be unpacked, whatever is in it.
  private static func isUnreadable(_ error: FeedError) -> Bool {
    switch error.problem {
    case .cannotUnpack, .damagedCompression, .truncatedCompression: true
    default: false
    }
  }

  /// The device of a member that names none.
  private func deviceName(_ member: String) -> String {
    let name = TraceReader.defaultDeviceName(forPath: member)
    // KMZ calls its document so, whatever is in it.
    let isNamedByArchive = name == device || name == "doc" && member.hasSuffix(".kml")
    return names.unique(isNamedByArchive ? device : "\(device)/\(name)")
  }
}

extension TraceFormat {
  /// True where one history is written to many files.
  fileprivate var isOfManyFiles: Bool { self == .googleSemanticHistory }
}
