internal import Spatiotemporal

/// Where a decoder puts what it found: fixes, and records that gave none.
final class FixSink {
  /// The name of the trace, for errors.
  let traceName: String
  /// The names of this run's devices.
  let devices: DeviceRegistry
  /// The device of fixes that name none.
  let defaultDevice: DeviceNumber
  /// Whether all fixes are that device's, whatever the records say.
  let isDeviceGiven: Bool
  /// Fixes that were decoded and not yet handed out.
  var fixes: [Fix] = []
  /// Records that gave no fix.
  private(set) var rejections: [RejectionReason: TraceReport.Rejection] = [:]
  /// How times without a zone were read.
  private(set) var assumedZone: TraceReport.AssumedZone?
  private let localTime: LocalTime?
  /// What stopped the decoder before the end.
  private(set) var interruption: FeedError?

  init(
    traceName: String, devices: DeviceRegistry, defaultDevice: DeviceNumber, isDeviceGiven: Bool = false,
    localTime: LocalTime? = nil
  ) {
    self.traceName = traceName
    self.devices = devices
    self.defaultDevice = defaultDevice
    self.isDeviceGiven = isDeviceGiven
    self.localTime = localTime
  }

  /// The moment of a time without a zone, which was read as if it were UTC.
  func time(_ time: Instant, in zone: TraceField.Zone) -> Instant {
    if zone == .utc { return time }
    guard zone == .local, let localTime else {
      if assumedZone == nil { assumedZone = .utc }
      return time
    }
    assumedZone = .local
    return localTime(time)
  }

  /// Counts `count` records that gave no fix, the first of them at `line` where it has one.
  @inline(never)  // Readers are as fast as what they do for good records is small.
  func reject(_ reason: RejectionReason, line: Int?, count: Int = 1) {
    rejections[reason, default: TraceReport.Rejection(count: 0, firstLine: line)].count += count
  }

  /// Ends the trace here; what was decoded before stays. Counted once, for the first cause.
  func interrupt(_ problem: FeedError.Problem, line: Int?, reason: RejectionReason) {
    guard interruption == nil else { return }
    interruption = error(problem, line: line)
    reject(reason, line: line)
  }

  /// An error about this trace.
  func error(_ problem: FeedError.Problem, line: Int? = nil) -> FeedError {
    FeedError(trace: traceName, line: line, problem: problem)
  }
}
