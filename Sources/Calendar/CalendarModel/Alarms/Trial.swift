/// The mark of a trial: a pretended phone that shows whether alarms reach their owner.
///
/// The name of the device is the mark, so it goes wherever positions and firings go, and what a killed trial
/// left behind can be found.
public enum Trial {
  /// The beginning of the names of pretended phones. Do not give it to a real one.
  public static let devicePrefix = "fencepost-trial-"

  /// Whether a device is a pretended phone.
  public static func isDevice(_ name: String) -> Bool { name.hasPrefix(devicePrefix) }

  /// Whether a firing's key is one of a trial's.
  public static func isKey(_ key: String) -> Bool { key.contains("@" + devicePrefix) }
}

extension Firing {
  /// Whether a pretended phone caused it.
  public var isTrial: Bool { crossing.map { Trial.isDevice($0.device) } ?? false }
}
