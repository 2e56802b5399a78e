import CalendarModel
import CommandLineTable
import PositionFeeds

extension CommandContext {
  /// The given traces, merged by time. Each is one device unless it names its devices, even if files in different
  /// folders have the same name.
  func openTraces(devices: DeviceRegistry, _ interruption: Interruption) throws -> any PositionFeed {
    let paths = parsed.positionals("trace")
    if paths.count > 1 { OpenFiles.allowAll() }
    var names = DeviceNames()
    var readers: [TraceReader] = []
    for path in paths {
      let name = names.unique(TraceReader.defaultDeviceName(forPath: path))
      readers.append(try openTrace(path, devices: devices, device: name, interruption))
    }
    return readers.count == 1 ? readers[0] : MergedFeed(readers)
  }

  /// The trace at `path`, in its detected format, or read by gpsbabel with `--format`.
  func openTrace(
    _ path: String, devices: DeviceRegistry, device: String? = nil, _ interruption: Interruption
  ) throws -> TraceReader {
    guard let format = parsed.value("format") else {
      return try TraceReader(
        path: path, devices: devices, device: device, interruptedBy: interruption.descriptor)
    }
    let prefix = "gpsbabel:"
    guard format.hasPrefix(prefix), let name = GPSBabelFormat(String(format.dropFirst(prefix.count))) else {
      throw CommandError(
        "--format is gpsbabel: and a format that gpsbabel reads, such as gpsbabel:gdb, not '\(format)'; what fencepost reads"
          + " itself needs no --format")
    }
    return try TraceReader(
      path: path, convertedFrom: name, devices: devices, device: device,
      interruptedBy: interruption.descriptor)
  }
}
