import FencepostAlgorithms
public import FencepostCalendarModel

/// Addresses of resources as in `DAV:href` elements: a path, or a whole URL (RFC 4918, section 8.3).
///
/// Servers and clients encode the same path in different ways, so compare ``segments(of:)``, never the text.
public enum Href {
  /// The path whose parts are `segments`, each percent-encoded.
  ///
  /// - Parameter isCollection: Whether to end it with a slash.
  public static func path(_ segments: [String], isCollection: Bool = false) -> String {
    guard !segments.isEmpty else { return "/" }
    return segments.map { "/" + PercentEncoding.encode($0) }.joined() + (isCollection ? "/" : "")
  }

  /// The decoded parts of an address's path, without empty ones. A `/` that is encoded as `%2F` belongs to a
  /// part.
  ///
  /// - Returns: `nil` if an escape is broken or a part is `.`, `..` or contains NUL.
  public static func segments(of href: String) -> [String]? {
    var path = href[...]
    if let scheme = path.firstRange(of: "://"), !path[..<scheme.lowerBound].contains("/") {
      path = path[scheme.upperBound...].drop { $0 != "/" }
    }
    path = path.prefix { $0 != "?" && $0 != "#" }
    var segments: [String] = []
    for part in path.split(separator: "/") {
      guard let segment = PercentEncoding.decode(part), segment != ".", segment != "..",
        !segment.utf8.contains(0)
      else { return nil }
      segments.append(segment)
    }
    return segments
  }
}

/// Dates as HTTP writes them (RFC 9110, section 5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`.
public enum HTTPDate {
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// A moment, to the second.
  public static func text(_ instant: Instant) -> String {
    let civil = CivilDateTime(secondsSinceEpoch: instant.wholeSeconds)
    let (year, month, day) = civil.day.components
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let weekday = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"][((civil.day.dayNumber % 7) + 7) % 7]
    let time = [civil.hour, civil.minute, civil.second].map(two).joined(separator: ":")
    return "\(weekday), \(two(day)) \(months[month - 1]) \(year) \(time) GMT"
  }

  /// The moment of a text; `nil` for any other text. The obsolete forms are not read.
  public static func instant(_ text: String) -> Instant? {
    guard
      let match = text.wholeMatch(
        of: /[A-Za-z]{3}, (\d\d) ([A-Za-z]{3}) (\d{4}) (\d\d):(\d\d):(\d\d) GMT/),
      let month = months.firstIndex(of: String(match.2)), let day = Int(match.1), let year = Int(match.3),
      let hour = Int(match.4), let minute = Int(match.5), let second = Int(match.6),
      (1...31).contains(day), hour < 24, minute < 60, second <= 60
    else { return nil }
    let civil = CivilDateTime(
      year: year, month: month + 1, day: day, hour: hour, minute: minute, second: min(second, 59))
    return Instant(microseconds: civil.secondsSinceEpoch * 1_000_000)
  }
}
