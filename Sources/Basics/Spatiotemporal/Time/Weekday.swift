/// A day of the week, numbered as in EventKit's `EKWeekday`: Sunday is 1.
public enum Weekday: Int, Hashable, Sendable, CaseIterable {
  case sunday = 1, monday, tuesday, wednesday, thursday, friday, saturday

  /// RFC 5545's two letters, such as `MO`.
  public var abbreviation: String {
    switch self {
    case .sunday: "SU"
    case .monday: "MO"
    case .tuesday: "TU"
    case .wednesday: "WE"
    case .thursday: "TH"
    case .friday: "FR"
    case .saturday: "SA"
    }
  }

  /// The day for RFC 5545's two letters, in either case; `nil` for anything else.
  public init?(abbreviation: some StringProtocol) {
    // Nearly all are in capitals, so look before converting.
    guard
      let day = Weekday.allCases.first(where: { $0.abbreviation == abbreviation })
        ?? Weekday.allCases.first(where: { $0.abbreviation == abbreviation.uppercased() })
    else { return nil }
    self = day
  }

  /// The number of days from `other` to this one, 0 to 6.
  @inlinable
  public func days(after other: Weekday) -> Int { (rawValue - other.rawValue + 7) % 7 }
}
