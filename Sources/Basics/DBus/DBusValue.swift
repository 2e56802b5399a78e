/// A value of D-Bus's types (D-Bus Specification, "Type System").
package indirect enum DBusValue: Hashable, Sendable {
  case bool(Bool)
  case byte(UInt8)
  case int16(Int16)
  case uint16(UInt16)
  case int32(Int32)
  case uint32(UInt32)
  case int64(Int64)
  case uint64(UInt64)
  case double(Double)
  case string(String)
  case objectPath(String)
  case signature(String)
  /// Values of one type. It has a signature, because the array may be empty.
  case array([DBusValue], of: String)
  case structure([DBusValue])
  /// A key and a value, as an element of an array.
  case entry(DBusValue, DBusValue)
  case variant(DBusValue)

  /// `a{sv}`: names with values.
  package static func dictionary(_ values: [(String, DBusValue)]) -> DBusValue {
    .array(values.map { .entry(.string($0), .variant($1)) }, of: "{sv}")
  }

  /// Its type signature.
  package var signature: String {
    switch self {
    case .bool: "b"
    case .byte: "y"
    case .int16: "n"
    case .uint16: "q"
    case .int32: "i"
    case .uint32: "u"
    case .int64: "x"
    case .uint64: "t"
    case .double: "d"
    case .string: "s"
    case .objectPath: "o"
    case .signature: "g"
    case .array(_, let element): "a" + element
    case .structure(let members): "(" + members.map(\.signature).joined() + ")"
    case .entry(let key, let value): "{" + key.signature + value.signature + "}"
    case .variant: "v"
    }
  }

  /// The text of a string, an object path or a signature; `nil` for anything else.
  package var text: String? {
    switch self {
    case .string(let text), .objectPath(let text), .signature(let text): text
    case .variant(let value): value.text
    default: nil
    }
  }

  /// The number; `nil` for other types, and for integers that a double can't represent.
  package var number: Double? {
    switch self {
    case .byte(let value): Double(value)
    case .int16(let value): Double(value)
    case .uint16(let value): Double(value)
    case .int32(let value): Double(value)
    case .uint32(let value): Double(value)
    case .int64(let value): Double(exactly: value)
    case .uint64(let value): Double(exactly: value)
    case .double(let value): value
    case .variant(let value): value.number
    default: nil
    }
  }

  /// The elements of an array or a structure; `nil` for anything else.
  package var elements: [DBusValue]? {
    switch self {
    case .array(let elements, _), .structure(let elements): elements
    case .variant(let value): value.elements
    default: nil
    }
  }

  /// The value for `key` in a dictionary, out of its variant.
  package subscript(key: String) -> DBusValue? {
    for case .entry(.string(key), let value) in elements ?? [] {
      if case .variant(let inner) = value { return inner }
      return value
    }
    return nil
  }
}
