import FencepostAddresses
import FencepostCalendarModel
import FencepostCalendarStore

/// How often a channel tells a notice again until somebody answers.
public struct Nag: Hashable, Sendable {
  /// The seconds between two times.
  public var seconds: Double
  /// How often it is told again at most.
  public var most: Int

  /// - Parameters:
  ///   - seconds: The time between two times; at least a minute, at most a day.
  ///   - most: How often it is told again at most; at most 100.
  public init(every seconds: Double, atMost most: Int = Nag.usualMost) {
    self.seconds = min(max(seconds, Self.minimumSeconds), Self.maximumSeconds)
    self.most = min(max(most, 0), Self.maximumMost)
  }

  /// How often a notice is told again at most, if nothing else is said: for `nag=5m` in an hour.
  public static let usualMost = 12
  static let maximumMost = 100
  static let minimumSeconds = 60.0
  static let maximumSeconds = 86_400.0
  /// The possible seconds between two times: a minute to a day.
  public static let secondsRange = minimumSeconds...maximumSeconds

  /// The parameters.
  static let words = ["nag", "nag-times"]

  /// Takes `nag=SPAN` and `nag-times=N`; `nil` without `nag`.
  init?(taking words: inout AddressParameters) throws(AddressError) {
    let most = try words.takeNumber("nag-times", in: 1...Self.maximumMost, otherwise: Self.usualMost)
    guard let text = try words.take("nag") else { return nil }
    guard let seconds = AddressParameters.seconds(text), Self.secondsRange.contains(seconds)
    else {
      throw words.failure("'nag' is a time from 1m to 1d, such as nag=5m")
    }
    self.init(every: seconds, atMost: most)
  }
}

extension StoreReader {
  /// How often the alarm of a notice asks to be told again: its own REPEAT and DURATION. Alarms at a time repeat
  /// by themselves, as firings of their own.
  func ownNag(of notice: Notice) throws(StoreError) -> Nag? {
    guard let firing = notice.firing?.firing, firing.crossing != nil,
      let alarm = try item(firing.item)?.alarms.first(where: { $0.id == firing.alarm }),
      alarm.repeatCount > 0, let interval = alarm.repeatInterval, interval.nominalSeconds > 0
    else { return nil }
    return Nag(every: Double(interval.nominalSeconds), atMost: alarm.repeatCount)
  }
}
