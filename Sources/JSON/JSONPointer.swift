/// Addresses of values in a JSON document (RFC 6901).
public enum JSONPointer {
  /// A key as a part of a pointer.
  public static func escaped(_ key: String) -> String {
    key.contains { $0 == "~" || $0 == "/" }
      ? key.split(separator: "~", omittingEmptySubsequences: false).joined(separator: "~0")
        .split(separator: "/", omittingEmptySubsequences: false).joined(separator: "~1") : key
  }

  /// The keys of a pointer without its first slash.
  public static func keys(_ pointer: String) -> [String] {
    pointer.split(separator: "/", omittingEmptySubsequences: false).map { part in
      part.split(separator: "~1", omittingEmptySubsequences: false).joined(separator: "/")
        .split(separator: "~0", omittingEmptySubsequences: false).joined(separator: "~")
    }
  }
}

extension JSONValue {
  /// Whether two values mean the same: lines and the order of members do not count.
  public func says(_ other: JSONValue) -> Bool {
    switch (content, other.content) {
    case (.object(let mine), .object(let others)):
      guard mine.count == others.count else { return false }
      let known = Dictionary(others.map { ($0.key, $0.value) }) { first, _ in first }
      return mine.allSatisfy { member in known[member.key].map { member.value.says($0) } ?? false }
    case (.list(let mine), .list(let others)):
      return mine.count == others.count && zip(mine, others).allSatisfy { $0.says($1) }
    case (.number(let mine), .number(let others)): return mine == others || Double(mine) == Double(others)
    default: return content == other.content
    }
  }

  /// The object with one value set, or removed if it is `nil`; `nil` if the way to it leads through something that is no
  /// object, or is not there.
  ///
  /// - Parameters:
  ///   - keys: The way to it.
  ///   - value: The new value.
  public func setting(_ keys: ArraySlice<String>, to value: JSONValue?) -> JSONValue? {
    guard let key = keys.first, case .object(var members) = content else { return nil }
    let place = members.firstIndex { $0.key == key }
    var new = value
    if keys.count > 1 {
      guard let place, let inner = members[place].value.setting(keys.dropFirst(), to: value) else {
        return nil
      }
      new = inner
    }
    switch (place, new) {
    case (let place?, let new?): members[place].value = new
    case (let place?, nil): members.remove(at: place)
    case (nil, let new?): members.append(JSONMember(key: key, line: new.line, value: new))
    case (nil, nil): break
    }
    return JSONValue(line: line, content: .object(members))
  }
}
