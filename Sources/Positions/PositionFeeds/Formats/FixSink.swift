internal import FencepostSpatiotemporal

/// Collects the results of a decoder: fixes and rejected records.
final class FixSink {
  /// The name of the trace, for errors.
  let traceName: String
  /// The names of all devices of this run.
  let devices: DeviceRegistry
  /// The device of fixes without one.
  let defaultDevice: DeviceNumber
  /// Whether all fixes belong to the default device, whatever the records say.
  let isDeviceGiven: Bool
  /// Decoded fixes that were not returned yet.
  var fixes: [Fix] = []
  /// The rejected records, by reason.
  private(set) var rejections: [RejectionReason: TraceReport.Rejection] = [:]
  /// The zone used for times without one.
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

  /// The moment of a time without a zone that was parsed as UTC.
  func time(_ time: Instant, in zone: TraceField.Zone) -> Instant {
    if zone == .utc { return time }
    guard zone == .local, let localTime else {
      if assumedZone == nil { assumedZone = .utc }
      return time
    }
    assumedZone = .local
    return localTime(time)
  }

  /// Counts `count` rejected records; `line` is the first one's, if it has one.
  @inline(never)  // Readers are as fast as what they do for good records is small.
  func reject(_ reason: RejectionReason, line: Int?, count: Int = 1) {
    rejections[reason, default: TraceReport.Rejection(count: 0, firstLine: line)].count += count
  }

  /// Ends the trace here; the fixes before stay. Only the first cause counts.
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
