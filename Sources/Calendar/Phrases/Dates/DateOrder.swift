/// The order of day and month in a date like `5/6`.
public enum DateOrder: Hashable, Sendable {
  /// 5 June.
  case dayFirst
  /// 6 May.
  case monthFirst
  /// Unknown: a date is readable only if exactly one order is valid.
  case unknown

  /// The usual order for a POSIX locale (`en_US.UTF-8`, `de_DE`), from its `d_fmt` in the GNU C library.
  public init(locale: String) {
    let name = locale.prefix { $0 != "." && $0 != "@" }
    let parts = name.split(separator: "_")
    guard parts.count == 2 else {
      self = .unknown
      return
    }
    switch (parts[0], parts[1]) {
    case (_, "US"), (_, "PH"), (_, "PR"), (_, "GU"): self = .monthFirst
    // These put the year first, so without a year the month comes first.
    case ("ja", _), ("ko", _), ("zh", _), ("hu", _), ("lt", _), ("mn", _): self = .monthFirst
    // Canada uses both.
    case (_, "CA"): self = .unknown
    default: self = .dayFirst
    }
  }
}
