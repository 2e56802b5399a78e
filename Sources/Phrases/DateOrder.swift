/// What comes first in a date such as `5/6`.
public enum DateOrder: Hashable, Sendable {
  /// 5 June.
  case dayFirst
  /// 6 May.
  case monthFirst
  /// Nobody knows: only what is a date in one order alone is read.
  case unknown

  /// What is usual where a locale of POSIX (`en_US.UTF-8`, `de_DE`) is from, as its `d_fmt` has it in the GNU C library.
  public init(locale: String) {
    let name = locale.prefix { $0 != "." && $0 != "@" }
    let parts = name.split(separator: "_")
    guard parts.count == 2 else {
      self = .unknown
      return
    }
    switch (parts[0], parts[1]) {
    case (_, "US"), (_, "PH"), (_, "PR"), (_, "GU"): self = .monthFirst
    // The year is first there, and the month before the day without it.
    case ("ja", _), ("ko", _), ("zh", _), ("hu", _), ("lt", _), ("mn", _): self = .monthFirst
    // Both are in use.
    case (_, "CA"): self = .unknown
    default: self = .dayFirst
    }
  }
}
