import CalendarModel
import CommandLineTable
import PositionFeeds

extension CommandContext {
  /// All traces that the words name, merged by time where there are several.
  func openTraces(devices: DeviceRegistry, _ interruption: Interruption) throws -> any PositionFeed {
    let readers = try parsed.positionals("trace").map { try openTrace($0, devices: devices, interruption) }
    return readers.count == 1 ? readers[0] : MergedFeed(readers)
  }

  /// The trace at `path`, in the format that it shows, or as gpsbabel reads it where `--format` says so.
  func openTrace(
    _ path: String, devices: DeviceRegistry, _ interruption: Interruption
  ) throws -> TraceReader {
    guard let format = parsed.value("format") else {
      return try TraceReader(path: path, devices: devices, interruptedBy: interruption.descriptor)
    }
    let prefix = "gpsbabel:"
    guard format.hasPrefix(prefix), let name = GPSBabelFormat(String(format.dropFirst(prefix.count))) else {
      throw CommandError(
        "--format is gpsbabel: and a format that gpsbabel reads, such as gpsbabel:igc, not '\(format)'; what fencepost reads"
          + " itself needs no --format")
    }
    return try TraceReader(
      path: path, convertedFrom: name, devices: devices, interruptedBy: interruption.descriptor)
  }
}
