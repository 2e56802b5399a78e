import FencepostAlgorithms

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
