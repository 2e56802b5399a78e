import FencepostCalendarModel
import FencepostItems
public import FencepostJSON

/// Compares values with schemas of a description, as far as its schemas go.
public struct SchemaCheck: Sendable {
  /// The schemas with a name.
  private let named: JSONValue

  /// A check with these schemas with a name.
  public init(named: JSONValue) { self.named = named }

  /// What is wrong with a value; nothing for one that fits.
  public func faults(_ value: JSONValue, _ schema: JSONValue, at place: String = "") -> [String] {
    if let name = schema["$ref"]?.text?.split(separator: "/").last {
      guard let named = named[String(name)] else {
        return ["no schema \(name)"]
      }
      return faults(value, named, at: place)
    }
    if let schemas = schema["anyOf"]?.list {
      let each = schemas.map { self.faults(value, $0, at: place) }
      return each.contains([]) ? [] : each.last ?? []
    }
    var faults: [String] = []
    if let type = schema["type"]?.text, !isOf(type, value) { faults.append("\(place): no \(type)") }
    if let words = schema["enum"]?.list, !words.contains(where: { $0.text == value.text }) {
      faults.append("\(place): '\(value.text ?? "")' is none of the words")
    }
    if let least = schema["minimum"]?.number, value.number ?? least < least {
      faults.append("\(place): too small")
    }
    if let most = schema["maximum"]?.number, value.number ?? most > most {
      faults.append("\(place): too large")
    }
    switch schema["format"]?.text {
    case "date-time":
      if value.text.flatMap(Instant.init(rfc3339:)) == nil { faults.append("\(place): no moment") }
    case "date": if value.text?.wholeMatch(of: /\d{4}-\d\d-\d\d/) == nil { faults.append("\(place): no day") }
    default: break
    }
    for name in schema["required"]?.list?.compactMap(\.text) ?? [] where value[name] == nil {
      faults.append("\(place): '\(name)' is missing")
    }
    for member in value.members ?? [] {
      if let known = schema["properties"]?[member.key] {
        faults += self.faults(member.value, known, at: "\(place)/\(member.key)")
      } else if schema["additionalProperties"]?.flag == false {
        faults.append("\(place): '\(member.key)' is not described")
      }
    }
    if let elements = schema["items"] {
      for (index, element) in (value.list ?? []).enumerated() {
        faults += self.faults(element, elements, at: "\(place)/\(index)")
      }
    }
    return faults
  }

  private func isOf(_ type: String, _ value: JSONValue) -> Bool {
    switch type {
    case "string": value.text != nil
    case "boolean": value.flag != nil
    case "integer": value.integer != nil
    case "number": value.number != nil
    case "array": value.list != nil
    case "object": value.members != nil
    case "null": value.isNull
    default: false
    }
  }
}

extension SchemaCheck {
  /// What the command line prints (``OutputSchema``).
  public static let output = Result {
    let document = try JSONValue(readingCommented: Array(OutputSchema.document.utf8), maxDepth: 64)
    return SchemaCheck(named: document["$defs"] ?? document)
  }

  /// What is wrong with a line of output; nothing for one that fits the table.
  public func faults(ofLine text: String) throws -> [String] {
    let value = try JSONValue(readingCommented: Array(text.utf8), maxDepth: 64)
    guard let type = value["type"]?.text else { return ["no type"] }
    guard let line = OutputSchema.lines.first(where: { $0.types.contains(type) }) else {
      return ["the type '\(type)' is not in the table"]
    }
    guard let schema = named[line.name] else { return ["no schema \(line.name)"] }
    return faults(value, schema, at: type)
  }
}
