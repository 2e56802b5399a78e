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

  /// The object with one value set, or removed if it is `nil`; `nil` if the way to it leads through something
  /// that is no object, or is not there.
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

extension JSONValue {
  /// A value to set in an object.
  public struct Change: Sendable {
    /// The way to it, as a pointer without its first slash.
    public var pointer: String
    /// The new value; `nil` to remove it.
    public var value: JSONValue?

    fileprivate var length: Int { pointer.utf8.count + (value?.json.utf8.count ?? 4) }
  }

  /// What to set so that the object becomes another one: a patch of JSCalendar (RFC 8984, section 1.4.9).
  /// Where it is shorter, a change inside an object is one of its own.
  public func changes(to other: JSONValue) -> [Change] {
    let old = Dictionary((members ?? []).map { ($0.key, $0.value) }) { first, _ in first }
    var left = Set(old.keys)
    var changes: [Change] = []
    for member in other.members ?? [] {
      left.remove(member.key)
      if let known = old[member.key], known.says(member.value) { continue }
      let name = JSONPointer.escaped(member.key)
      let whole = Change(pointer: name, value: member.value)
      let inner = old[member.key].flatMap { $0.innerChanges(to: member.value, below: name) }
      if let inner, inner.reduce(0, { $0 + $1.length }) < whole.length {
        changes += inner
      } else {
        changes.append(whole)
      }
    }
    return changes + left.sorted().map { Change(pointer: JSONPointer.escaped($0), value: nil) }
  }

  /// `nil` if a patch can't say them: it removes what it sets to `null`.
  private func innerChanges(to other: JSONValue, below name: String) -> [Change]? {
    guard members != nil, other.members != nil else { return nil }
    let changes = changes(to: other)
    guard changes.allSatisfy({ $0.value?.isNull != true }) else { return nil }
    return changes.map { Change(pointer: "\(name)/\($0.pointer)", value: $0.value) }
  }
}
