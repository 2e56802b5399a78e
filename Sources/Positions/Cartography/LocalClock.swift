public import FencepostSpatiotemporal

/// The offsets from UTC for the time that a map covers. With them the map shows local times without the rules
/// of the time zone.
public struct LocalClock: Hashable, Sendable {
  /// A change of the offset.
  public struct Change: Hashable, Sendable {
    /// When the offset changes.
    public var from: Instant
    /// Seconds east of UTC from then on.
    public var utcOffset: Int

    /// An offset of `utcOffset` seconds from the time `from` on.
    public init(from: Instant, utcOffset: Int) {
      self.from = from
      self.utcOffset = utcOffset
    }
  }

  /// Seconds east of UTC before the first change.
  public var utcOffset: Int
  /// The later offsets, earliest first.
  public var changes: [Change]

  /// A clock that shows `utcOffset` seconds more than UTC, until the first change.
  public init(utcOffset: Int, changes: [Change] = []) {
    self.utcOffset = utcOffset
    self.changes = changes
  }

  /// A clock that shows UTC.
  public static let utc = LocalClock(utcOffset: 0)

  /// Seconds east of UTC at a time.
  public func utcOffset(at instant: Instant) -> Int {
    changes.last { $0.from <= instant }?.utcOffset ?? utcOffset
  }

  /// The local day, counted from 1970-01-01, and the second of that day.
  private func reading(at instant: Instant) -> (day: Int64, second: Int64) {
    // A range of 292,000 years leaves room for an offset.
    let seconds = instant.wholeSeconds + Int64(utcOffset(at: instant))
    let second = ((seconds % 86_400) + 86_400) % 86_400
    return ((seconds - second) / 86_400, second)
  }

  /// `09:31:29`.
  func time(at instant: Instant) -> String {
    let second = reading(at: instant).second
    return [second / 3600, second / 60 % 60, second % 60].map { ($0 < 10 ? "0" : "") + String($0) }
      .joined(separator: ":")
  }

  /// `Sat 2 May 2026`.
  func day(at instant: Instant) -> String {
    let day = CivilDay(dayNumber: Int(reading(at: instant).day))
    let (year, month, dayOfMonth) = day.components
    let weekday = "\(day.weekday)".prefix(3)
    return weekday.prefix(1).uppercased() + weekday.dropFirst()
      + " \(dayOfMonth) \(LocalClock.months[month - 1]) \(year)"
  }

  /// Whether both times are on the same local day.
  func isSameDay(_ a: Instant, _ b: Instant) -> Bool { reading(at: a).day == reading(at: b).day }

  static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
}
