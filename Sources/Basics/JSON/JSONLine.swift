/// One JSON object (RFC 8259) on one line, with keys in the order of addition.
///
/// Foundation's encoder sorts keys or uses a random order; people read these lines too.
public struct JSONLine: Sendable {
  /// The object so far, without its closing brace.
  private var text = "{"

  /// An object with no keys.
  public init() {}

  /// An object with `type` as its first key, which distinguishes lines.
  public init(type: String) { add("type", type) }

  /// The whole object.
  public var line: String { text + "}" }

  private mutating func key(_ key: String) {
    if text.utf8.count > 1 { text += "," }
    JSONEscaping.shown.append(key, to: &text)
    text += ":"
  }

  /// Adds text, or `null`.
  public mutating func add(_ name: String, _ value: String?) {
    key(name)
    if let value { JSONEscaping.shown.append(value, to: &text) } else { text += "null" }
  }

  /// Adds an integer, or `null`.
  public mutating func add(_ name: String, _ value: Int?) {
    key(name)
    text += value.map { String($0) } ?? "null"
  }

  /// Adds a Boolean.
  public mutating func add(_ name: String, _ value: Bool) {
    key(name)
    text += value ? "true" : "false"
  }

  /// Adds a number; `null` if it is absent or not finite, which JSON cannot represent.
  public mutating func add(_ name: String, _ value: Double?) {
    key(name)
    if let value, value.isFinite { text += JSONLine.number(value) } else { text += "null" }
  }

  /// Adds an object.
  public mutating func add(_ name: String, _ value: JSONLine) {
    key(name)
    text += value.line
  }

  /// Adds a value in JSON form.
  public mutating func add(_ name: String, json: String) {
    key(name)
    text += json
  }

  /// Adds the keys of another object.
  public mutating func add(contentsOf other: JSONLine) {
    let keys = other.text.dropFirst()
    if keys.isEmpty { return }
    if text.utf8.count > 1 { text += "," }
    text += keys
  }

  /// Adds a list of texts.
  public mutating func add(_ name: String, _ values: [String]) {
    key(name)
    text += "["
    for (index, value) in values.enumerated() {
      if index > 0 { text += "," }
      JSONEscaping.shown.append(value, to: &text)
    }
    text += "]"
  }

  /// Adds a list of objects.
  public mutating func add(_ name: String, _ values: [JSONLine]) {
    key(name)
    text += "[" + values.map(\.line).joined(separator: ",") + "]"
  }

  /// The shortest digits that parse back to `value`, without the `.0` of integers.
  private static func number(_ value: Double) -> String {
    if value == value.rounded(), abs(value) < 1e15 { return String(Int64(value)) }
    return "\(value)"
  }
}
