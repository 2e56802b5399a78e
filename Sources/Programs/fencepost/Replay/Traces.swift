import FencepostCalendarModel
import FencepostCommandLineTable
import FencepostPositionFeeds
import FencepostRecurrence
import FencepostSpatiotemporal

extension FencepostTable {
  static let traceFormat = Option.value(
    .format, "gpsbabel:NAME",
    "Read the traces with gpsbabel, if installed, in its format NAME")

  static let traces = Positional(
    .trace, .oneOrMore, "A recording of positions; `-` for standard input", completion: .file())
}

extension CommandContext {
  /// The given traces, each sorted, and merged by time. Each is one device unless it names its devices, even
  /// if files in different folders have the same name.
  func openTraces(devices: DeviceRegistry, _ interruption: Interruption) throws -> any PositionFeed {
    let paths = parsed.positionals(.trace)
    if paths.count > 1 { OpenFiles.allowAll() }
    var names = DeviceNames()
    var feeds: [SortedFeed] = []
    // All windows are in memory at once.
    let window = max(1_024, SortedFeed.usualWindow / max(1, paths.count))
    for path in paths {
      let name = names.unique(TraceReader.defaultDeviceName(forPath: path))
      feeds.append(
        SortedFeed(try openTrace(path, devices: devices, device: name, interruption), window: window))
    }
    return feeds.count == 1 ? feeds[0] : MergedFeed(feeds)
  }

  /// The trace at `path`, in its detected format, or read by gpsbabel with `--format`.
  func openTrace(
    _ path: String, devices: DeviceRegistry, device: String? = nil, _ interruption: Interruption
  ) throws -> TraceReader {
    guard let format = parsed.value(.format) else {
      return try TraceReader(
        path: path, devices: devices, device: device, interruptedBy: interruption.descriptor,
        localTime: localTime)
    }
    let prefix = "gpsbabel:"
    guard format.hasPrefix(prefix), let name = GPSBabelFormat(String(format.dropFirst(prefix.count))) else {
      throw CommandError(
        "invalid --format '\(format)'; use gpsbabel: and a gpsbabel format, such as gpsbabel:gdb (what fencepost reads"
          + " itself needs no --format)")
    }
    return try TraceReader(
      path: path, convertedFrom: name, devices: devices, device: device,
      interruptedBy: interruption.descriptor)
  }

  /// Converts local times in CSV columns with the user's zone.
  private var localTime: LocalTime {
    { [resolver] instant in
      let whole = Instant(seconds: instant.wholeSeconds)
      let civil = CivilDateTime(secondsSinceEpoch: instant.wholeSeconds)
      return resolver.instant(of: .floating(civil)).adding(seconds: instant.seconds(since: whole))
    }
  }

  /// Reports which traces were out of order, and whether they could be sorted.
  func saySortedTraces(_ reports: [TraceReport]) {
    for report in reports where report.late > 0 {
      let what =
        2 * report.late > report.fixes
        ? "points run backwards"
        : "\(report.late.grouped) point\(report.late == 1 ? " is" : "s are") out of order"
      let result =
        report.unsorted == 0
        ? "sorted"
        : report.unsorted == report.late
          ? "too late to be sorted" : "sorted, but \(report.unsorted.grouped) came too late for that"
      console.say("fencepost: \(report.name.withoutControls): \(what); \(result)")
    }
  }

  /// Reports the zone that was assumed for traces with times without a zone.
  func sayAssumedZones(_ reports: [TraceReport]) {
    for zone in [TraceReport.AssumedZone.utc, .local] {
      let found = reports.filter { $0.assumedZone == zone }
      guard let first = found.first else { continue }
      let others = found.count > 1 ? " (and \(found.count - 1) more)" : ""
      let name = zone == .utc ? "UTC" : "local time, \(resolver.floating.id.rawValue)"
      console.say("fencepost: \(first.name)\(others): times have no zone; read as \(name)")
    }
  }
}
