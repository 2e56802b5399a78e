public import Spatiotemporal

/// What is in a trace, device by device.
public struct TraceSurvey {
  /// How many devices are told apart. The fixes of later devices are left out.
  public static let deviceLimit = 10_000

  /// What the reader reports of it.
  public var report: TraceReport
  /// What ended it, or traces in it, before the end.
  public var interruptions: [FeedError] = []
  /// The names of the devices, by number.
  public var names: [String] = []
  private var surveys: [DeviceSurvey] = []
  private let maxSpeed: Double

  /// A survey of a trace that was not read yet.
  ///
  /// - Parameter maxSpeed: Metres a second. What is faster counts as a jump.
  public init(report: TraceReport, maxSpeed: Double) {
    self.report = report
    self.maxSpeed = maxSpeed
  }

  /// Takes the next fix.
  public mutating func add(_ fix: Fix) {
    let index = Int(fix.device.rawValue)
    guard index < TraceSurvey.deviceLimit else { return }
    while surveys.count <= index { surveys.append(DeviceSurvey(maxSpeed: maxSpeed)) }
    surveys[index].add(fix)
  }

  /// The devices that sent anything, by name, in the order in which they were seen.
  public var devices: [(name: String, survey: DeviceSurvey)] {
    zip(names, surveys).filter { $0.1.fixes > 0 }.map { ($0, $1) }
  }
}
