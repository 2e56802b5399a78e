/// A JSON value that keeps the order of its keys, and its text. Enough for what a table holds.
enum JSONText {
  case null
  case bool(Bool)
  case string(String)
  case array([JSONText])
  case object([(key: String, value: JSONText)])

  /// Text indented by two spaces a level.
  func text(indentation: Int = 0) -> String {
    let inner = String(repeating: " ", count: indentation + 2)
    let outer = String(repeating: " ", count: indentation)
    switch self {
    case .null: return "null"
    case .bool(let value): return value ? "true" : "false"
    case .string(let value): return Self.quote(value)
    case .array(let items):
      guard !items.isEmpty else { return "[]" }
      let lines = items.map { inner + $0.text(indentation: indentation + 2) }
      return "[\n\(lines.joined(separator: ",\n"))\n\(outer)]"
    case .object(let members):
      guard !members.isEmpty else { return "{}" }
      let lines = members.map {
        "\(inner)\(Self.quote($0.key)): \($0.value.text(indentation: indentation + 2))"
      }
      return "{\n\(lines.joined(separator: ",\n"))\n\(outer)}"
    }
  }

  private static func quote(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
