extension JSONValue {
  /// The value as JSON (RFC 8259), on one line, without comments.
  public var json: String {
    switch content {
    case .text(let text): JSONEscaping.shown.quoted(text)
    case .number(let text): text
    case .flag(let flag): flag ? "true" : "false"
    case .null: "null"
    case .list(let list): "[" + list.map(\.json).joined(separator: ",") + "]"
    case .object(let members):
      "{" + members.map { JSONEscaping.shown.quoted($0.key) + ":" + $0.value.json }.joined(separator: ",")
        + "}"
    }
  }
}
