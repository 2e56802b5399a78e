import FencepostJSON

/// A JSON Schema (draft 2020-12), with the keywords that the description of the API needs.
struct JSONSchema: Sendable {
  let line: JSONLine

  private init(_ build: (inout JSONLine) -> Void) {
    var line = JSONLine()
    build(&line)
    self.line = line
  }

  private init(type: String) { self.init { $0.add("type", type) } }

  static let text = JSONSchema(type: "string")
  static let flag = JSONSchema(type: "boolean")
  static let number = JSONSchema(type: "number")
  static let integer = JSONSchema(type: "integer")
  /// Any value.
  static let anything = JSONSchema { _ in }

  /// A moment of RFC 3339.
  static let moment = JSONSchema {
    $0.add("type", "string")
    $0.add("format", "date-time")
  }

  /// A day of RFC 3339.
  static let day = JSONSchema {
    $0.add("type", "string")
    $0.add("format", "date")
  }

  /// A moment, or a day for something that takes whole days.
  static let time = anyOf([moment, day])

  /// A number in a range.
  static func number(_ range: ClosedRange<Double>) -> JSONSchema {
    JSONSchema {
      $0.add("type", "number")
      $0.add("minimum", range.lowerBound)
      $0.add("maximum", range.upperBound)
    }
  }

  /// A whole number in a range.
  static func integer(_ range: ClosedRange<Int>) -> JSONSchema {
    JSONSchema {
      $0.add("type", "integer")
      $0.add("minimum", range.lowerBound)
      $0.add("maximum", range.upperBound)
    }
  }

  /// One of some words.
  static func words(_ words: String...) -> JSONSchema {
    JSONSchema {
      $0.add("type", "string")
      $0.add("enum", words)
    }
  }

  static func list(_ element: JSONSchema) -> JSONSchema {
    JSONSchema {
      $0.add("type", "array")
      $0.add("items", element.line)
    }
  }

  /// An object with these members, and no others unless it `isOpen`. A name that ends in `?` may be missing.
  static func object(_ members: KeyValuePairs<String, JSONSchema>, isOpen: Bool = false) -> JSONSchema {
    var properties = JSONLine()
    var required: [String] = []
    for (key, schema) in members {
      let isOptional = key.hasSuffix("?")
      let name = isOptional ? String(key.dropLast()) : key
      properties.add(name, schema.line)
      if !isOptional { required.append(name) }
    }
    return JSONSchema {
      $0.add("type", "object")
      $0.add("properties", properties)
      if !required.isEmpty { $0.add("required", required) }
      if !isOpen { $0.add("additionalProperties", false) }
    }
  }

  static func anyOf(_ schemas: [JSONSchema]) -> JSONSchema {
    JSONSchema { $0.add("anyOf", schemas.map(\.line)) }
  }

  /// An object with one member, a list.
  static func each(_ name: String, _ schema: JSONSchema) -> JSONSchema { .object([name: .list(schema)]) }

  /// A schema of ``APIDescription/schemas``.
  static func named(_ name: String) -> JSONSchema {
    JSONSchema { $0.add("$ref", "#/components/schemas/\(name)") }
  }

  /// The same, or `null`.
  var orNull: JSONSchema { .anyOf([self, JSONSchema(type: "null")]) }
}
