/// One JSON object (RFC 8259) on one line, its keys in the order in which they were added.
///
/// Foundation's encoder sorts keys or shuffles them; people read these lines too.
public struct JSONLine: Sendable {
  /// The object so far, without its closing brace.
  private var text = "{"

  /// An object with no keys.
  public init() {}

  /// An object whose first key is `type`, by which a reader tells lines apart.
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

  /// Adds a whole number, or `null`.
  public mutating func add(_ name: String, _ value: Int?) {
    key(name)
    text += value.map { String($0) } ?? "null"
  }

  /// Adds a truth value.
  public mutating func add(_ name: String, _ value: Bool) {
    key(name)
    text += value ? "true" : "false"
  }

  /// Adds a number; `null` where it is absent or not finite, which JSON cannot say.
  public mutating func add(_ name: String, _ value: Double?) {
    key(name)
    if let value, value.isFinite { text += JSONLine.number(value) } else { text += "null" }
  }

  /// Adds an object.
  public mutating func add(_ name: String, _ value: JSONLine) {
    key(name)
    text += value.line
  }

  /// Adds a value that is written as JSON already.
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

  /// The shortest digits that read back as `value`, without the `.0` of whole numbers.
  private static func number(_ value: Double) -> String {
    if value == value.rounded(), abs(value) < 1e15 { return String(Int64(value)) }
    return "\(value)"
  }
}
