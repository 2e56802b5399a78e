import FencepostCalDAV
import FencepostWebServer

// The conditions of requests.
extension DAVRequest {
  /// Checks If-Match (RFC 9110, section 13.1.1) and If (RFC 4918, section 10.4).
  func check(ifMatch etag: String?) throws {
    if let text = request.head.headers["if"] {
      guard let header = IfHeader(text) else { throw DAVRefusal(status: 400, "the header If can't be read") }
      guard header.isMet(by: etag, at: segments) else { throw DAVRefusal.failedCondition }
    }
    guard let header = request.head.headers["if-match"] else { return }
    guard let etag, EntityTags(header).match(etag) else { throw DAVRefusal.failedCondition }
  }

  /// Checks If-None-Match before a change (RFC 9110, section 13.1.2).
  func check(ifNoneMatch etag: String?) throws {
    guard let header = request.head.headers["if-none-match"], let etag else { return }
    if EntityTags(header).contain(etag) { throw DAVRefusal.failedCondition }
  }
}

/// The value of If-Match or If-None-Match: `*` or a list of entity tags.
struct EntityTags {
  private let tags: [String]

  init(_ header: String) {
    tags = header.split(separator: ",").map { String($0.filter { !$0.isWhitespace }) }
  }

  /// Whether `etag` is one of them. A weak one does not suffice for a change.
  func match(_ etag: String) -> Bool { tags.contains("*") || tags.contains(etag) }

  /// Whether `etag` is one of them, weak or not.
  func contain(_ etag: String) -> Bool { match(etag) || tags.contains("W/" + etag) }
}

/// The header If (RFC 4918, section 10.4): lists of conditions, one of which has to be true. There are no
/// locks, so a lock's token never holds.
struct IfHeader {
  private struct Condition {
    var isNegated: Bool
    /// `nil` for a lock's token.
    var etag: String?
  }
  private struct List {
    /// The address that it is about; `nil` for that of the request.
    var resource: String?
    var conditions: [Condition]
  }

  private var lists: [List] = []

  /// `nil` if the text is not such a header.
  init?(_ text: String) {
    var rest = text[...]
    var resource: String?
    func quoted(_ close: Character) -> String? {
      guard let end = rest.firstIndex(of: close) else { return nil }
      defer { rest = rest[rest.index(after: end)...] }
      return String(rest[..<end].dropFirst())
    }
    while let first = Self.skip(&rest) {
      if first == "<" {
        guard let address = quoted(">") else { return nil }
        resource = address
        continue
      }
      guard first == "(" else { return nil }
      rest.removeFirst()
      var conditions: [Condition] = []
      while let next = Self.skip(&rest), next != ")" {
        let isNegated = rest.prefix(3).lowercased() == "not"
        if isNegated { rest.removeFirst(3) }
        switch Self.skip(&rest) {
        case "<":
          guard quoted(">") != nil else { return nil }
          conditions.append(Condition(isNegated: isNegated))
        case "[":
          guard let etag = quoted("]") else { return nil }
          conditions.append(Condition(isNegated: isNegated, etag: etag))
        default: return nil
        }
      }
      guard rest.first == ")", !conditions.isEmpty else { return nil }
      rest.removeFirst()
      lists.append(List(resource: resource, conditions: conditions))
    }
    guard !lists.isEmpty else { return nil }
  }

  /// Skips white space, and returns what follows.
  private static func skip(_ rest: inout Substring) -> Character? {
    rest = rest.drop { $0 == " " || $0 == "\t" }
    return rest.first
  }

  /// Whether it is met.
  ///
  /// - Parameters:
  ///   - etag: That of the request's resource; `nil` if it does not exist. Of others nothing is known.
  ///   - segments: The parts of the request's path.
  func isMet(by etag: String?, at segments: [String]) -> Bool {
    lists.contains { list in
      let isHere = list.resource.map { Href.segments(of: $0) == segments } ?? true
      return list.conditions.allSatisfy { condition in
        let holds = isHere && condition.etag != nil && condition.etag == etag
        return holds != condition.isNegated
      }
    }
  }
}
