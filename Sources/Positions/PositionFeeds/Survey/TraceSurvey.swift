public import FencepostSpatiotemporal

/// Statistics about a trace, by device.
public struct TraceSurvey {
  /// The maximum number of devices. Fixes of later devices are ignored.
  public static let deviceLimit = 10_000

  /// The reader's report.
  public var report: TraceReport
  /// The errors that ended the trace, or traces in its archive, early.
  public var interruptions: [FeedError] = []
  /// The names of the devices, by number.
  public var names: [String] = []
  private var surveys: [DeviceSurvey] = []
  private let maxSpeed: Double

  /// A survey before the first fix.
  ///
  /// - Parameter maxSpeed: Metres per second. A faster step counts as a jump.
  public init(report: TraceReport, maxSpeed: Double) {
    self.report = report
    self.maxSpeed = maxSpeed
  }

  /// Adds the next fix.
  public mutating func add(_ fix: Fix) {
    let index = Int(fix.device.rawValue)
    guard index < TraceSurvey.deviceLimit else { return }
    while surveys.count <= index { surveys.append(DeviceSurvey(maxSpeed: maxSpeed)) }
    surveys[index].add(fix)
  }

  /// The devices with fixes, in order of appearance.
  public var devices: [(name: String, survey: DeviceSurvey)] {
    zip(names, surveys).filter { $0.1.fixes > 0 }.map { ($0, $1) }
  }
}
