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
    self.seconds = min(max(seconds, Self.range.lowerBound), Self.range.upperBound)
    self.most = min(max(most, 0), Self.maximumMost)
  }

  /// How often a notice is told again at most, if nothing else is said: for `nag=5m` in an hour.
  public static let usualMost = 12
  static let maximumMost = 100
  /// The possible seconds between two times.
  static let range = ListAlarms.nagSeconds

  /// The parameters.
  static let words = ["nag", "nag-times"]

  /// Takes `nag=SPAN` and `nag-times=N`; `nil` without `nag`.
  init?(taking words: inout AddressParameters) throws(AddressError) {
    let most = try words.takeNumber("nag-times", in: 1...Self.maximumMost, otherwise: Self.usualMost)
    guard let text = try words.take("nag") else { return nil }
    guard let seconds = AddressParameters.seconds(text), Self.range.contains(seconds)
    else {
      throw words.failure("'nag' is a time from 1m to 1d, such as nag=5m")
    }
    self.init(every: seconds, atMost: most)
  }
}

extension StoreReader {
  /// How often the alarm of a notice asks to be told again: its own REPEAT and DURATION, else what its list says;
  /// `nil` if the channel decides.
  ///
  /// Cost: a query for the item, and one for the list.
  func nag(of notice: Notice) throws(StoreError) -> Nag? {
    guard let firing = notice.firing?.firing, let item = try item(firing.item) else { return nil }
    if let alarm = item.alarms.first(where: { $0.id == firing.alarm }), alarm.repeatCount > 0,
      let nag = alarm.repeatInterval.flatMap({ Nag(every: $0, atMost: alarm.repeatCount) })
    {
      return nag
    }
    return try calendar(item.calendar)?.alarms.nag.flatMap { Nag(every: $0, atMost: Nag.usualMost) }
  }
}

extension Nag {
  /// `nil` for no time. The time between two rings has no direction.
  fileprivate init?(every interval: CalendarDuration, atMost most: Int) {
    guard interval.nominalSeconds != 0 else { return nil }
    self.init(every: abs(Double(interval.nominalSeconds)), atMost: most)
  }
}
