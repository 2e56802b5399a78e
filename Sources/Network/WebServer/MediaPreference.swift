/// The media types that a client prefers: the field Accept (RFC 9110, section 12.5.1).
public struct MediaPreference: Sendable {
  private struct Range {
    var type: Substring
    var subtype: Substring
    var parameters: [String]
    var quality: Double

    /// How exactly it names a type; `nil` if it does not include it.
    func precision(_ wanted: Range) -> Int? {
      if type == "*", subtype == "*" { return 0 }
      guard type == wanted.type else { return nil }
      if subtype == "*" { return 1 }
      guard subtype == wanted.subtype, parameters.allSatisfy(wanted.parameters.contains) else { return nil }
      return 2 + parameters.count
    }
  }

  private let ranges: [Range]

  /// The preference of a request; everything without the field.
  public init(_ head: HTTPHead) { self.init(accept: head.headers["accept"]) }

  init(accept: String?) {
    ranges = (accept ?? "").split(separator: ",").prefix(100).compactMap { Self.range($0) }
  }

  /// The type that the client prefers; of equal ones the first. `nil` if it accepts none.
  ///
  /// - Parameter types: Types such as `application/json`, with parameters if they have some.
  public func choose(among types: [String]) -> String? {
    guard !ranges.isEmpty else { return types.first }
    var best: (type: String, quality: Double)?
    for type in types {
      guard let wanted = Self.range(type[...]) else { continue }
      let fitting = ranges.compactMap { range in range.precision(wanted).map { ($0, range.quality) } }
      guard let quality = fitting.max(by: { $0.0 < $1.0 })?.1, quality > best?.quality ?? 0 else { continue }
      best = (type, quality)
    }
    return best?.type
  }

  private static func range(_ text: Substring) -> Range? {
    let parts = text.lowercased().split(separator: ";").map {
      $0.filter { $0 != " " && $0 != "\t" && $0 != "\"" }
    }
    guard let names = parts.first?.split(separator: "/", omittingEmptySubsequences: false), names.count == 2
    else {
      return nil
    }
    var parameters: [String] = []
    var quality = 1.0
    for part in parts.dropFirst() {
      if part.hasPrefix("q=") {
        quality = Double(part.dropFirst(2)).map { $0.isFinite ? min(max($0, 0), 1) : 0 } ?? 0
        break
      }
      parameters.append(part)
    }
    return Range(type: names[0], subtype: names[1], parameters: parameters, quality: quality)
  }
}
