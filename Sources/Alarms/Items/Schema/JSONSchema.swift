public import FencepostJSON

/// A JSON Schema (draft 2020-12), with the keywords that ``OutputSchema`` and the
/// description of the API need.
public struct JSONSchema: Sendable {
  /// The schema as JSON.
  public let line: JSONLine
  /// The names of an object's members, in order; one that may be missing ends in `?`.
  public private(set) var names: [String] = []

  private init(_ build: (inout JSONLine) -> Void) {
    var line = JSONLine()
    build(&line)
    self.line = line
  }

  private init(type: String) { self.init { $0.add("type", type) } }

  /// A text.
  public static let text = JSONSchema(type: "string")
  /// True or false.
  public static let flag = JSONSchema(type: "boolean")
  /// A number.
  public static let number = JSONSchema(type: "number")
  /// A whole number.
  public static let integer = JSONSchema(type: "integer")
  /// Any value.
  public static let anything = JSONSchema { _ in }

  /// A moment of RFC 3339.
  public static let moment = JSONSchema {
    $0.add("type", "string")
    $0.add("format", "date-time")
  }

  /// A day of RFC 3339.
  public static let day = JSONSchema {
    $0.add("type", "string")
    $0.add("format", "date")
  }

  /// A moment, or a day for something that takes whole days.
  public static let time = anyOf([moment, day])

  /// A number in a range.
  public static func number(_ range: ClosedRange<Double>) -> JSONSchema {
    JSONSchema {
      $0.add("type", "number")
      $0.add("minimum", range.lowerBound)
      $0.add("maximum", range.upperBound)
    }
  }

  /// A whole number in a range.
  public static func integer(_ range: ClosedRange<Int>) -> JSONSchema {
    JSONSchema {
      $0.add("type", "integer")
      $0.add("minimum", range.lowerBound)
      $0.add("maximum", range.upperBound)
    }
  }

  /// One of some words.
  public static func words(_ words: String...) -> JSONSchema {
    JSONSchema {
      $0.add("type", "string")
      $0.add("enum", words)
    }
  }

  /// A list of values of one kind.
  public static func list(_ element: JSONSchema) -> JSONSchema {
    JSONSchema {
      $0.add("type", "array")
      $0.add("items", element.line)
    }
  }

  /// An object with these members, and no others unless it `isOpen`. A name that ends in `?` may be missing.
  public static func object(
    _ members: KeyValuePairs<String, JSONSchema>, and more: KeyValuePairs<String, JSONSchema> = [:],
    isOpen: Bool = false
  ) -> JSONSchema {
    object(Array(members) + Array(more), isOpen: isOpen)
  }

  private static func object(_ members: [(key: String, value: JSONSchema)], isOpen: Bool) -> JSONSchema {
    var properties = JSONLine()
    var required: [String] = []
    for (key, schema) in members {
      let isOptional = key.hasSuffix("?")
      let name = isOptional ? String(key.dropLast()) : key
      properties.add(name, schema.line)
      if !isOptional { required.append(name) }
    }
    var object = JSONSchema {
      $0.add("type", "object")
      $0.add("properties", properties)
      if !required.isEmpty { $0.add("required", required) }
      if !isOpen { $0.add("additionalProperties", false) }
    }
    object.names = members.map(\.key)
    return object
  }

  /// A line of output: an object whose `type` is this word.
  static func line(
    _ type: String, _ members: KeyValuePairs<String, JSONSchema> = [:],
    and more: KeyValuePairs<String, JSONSchema> = [:], isOpen: Bool = false
  ) -> JSONSchema {
    object([("type", .words(type))] + Array(members) + Array(more), isOpen: isOpen)
  }

  /// Counts by name.
  static let counts = JSONSchema {
    $0.add("type", "object")
    $0.add("additionalProperties", JSONSchema.integer.line)
  }

  /// One of several kinds.
  public static func anyOf(_ schemas: [JSONSchema]) -> JSONSchema {
    JSONSchema { $0.add("anyOf", schemas.map(\.line)) }
  }

  /// An object with one member, a list.
  public static func each(_ name: String, _ schema: JSONSchema) -> JSONSchema {
    .object([name: .list(schema)])
  }

  /// A schema of ``OutputSchema/named``, or of the description of the API.
  public static func named(_ name: String) -> JSONSchema {
    JSONSchema { $0.add("$ref", "#/components/schemas/\(name)") }
  }

  /// The same, or `null`.
  public var orNull: JSONSchema { .anyOf([self, JSONSchema(type: "null")]) }
}
