/// A day of the week, numbered as EventKit's `EKWeekday`: Sunday is 1.
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

  /// The day that RFC 5545's two letters name, in either case; `nil` for anything else.
  public init?(abbreviation: some StringProtocol) {
    // Nearly all are in capitals, and making capitals of them takes longer than looking.
    guard
      let day = Weekday.allCases.first(where: { $0.abbreviation == abbreviation })
        ?? Weekday.allCases.first(where: { $0.abbreviation == abbreviation.uppercased() })
    else { return nil }
    self = day
  }

  /// How many days after `other` this one comes, 0 to 6.
  @inlinable
  public func days(after other: Weekday) -> Int { (rawValue - other.rawValue + 7) % 7 }
}
