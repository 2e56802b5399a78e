import CFencepostSystemd
import Glibc

/// The values in a message of sd-bus.
enum DBusMessage {
  /// The maximum depth of nested values; D-Bus itself allows 64.
  private static let maximumDepth = 64

  /// Adds `values` to an outgoing message.
  ///
  /// - Returns: A negative error number on failure.
  static func append(_ values: [DBusValue], to message: OpaquePointer) -> Int32 {
    for value in values {
      let result = append(value, to: message)
      if result < 0 { return result }
    }
    return 0
  }

  /// The remaining values of a message, or of its current container.
  static func read(_ message: OpaquePointer) throws(DBusFailure) -> [DBusValue] {
    try read(message, depth: 0)
  }

  // MARK: Writing

  private static func append(_ value: DBusValue, to message: OpaquePointer) -> Int32 {
    switch value {
    case .bool(let value): basic("b", Int32(value ? 1 : 0), message)
    case .byte(let value): basic("y", value, message)
    case .int16(let value): basic("n", value, message)
    case .uint16(let value): basic("q", value, message)
    case .int32(let value): basic("i", value, message)
    case .uint32(let value): basic("u", value, message)
    case .int64(let value): basic("x", value, message)
    case .uint64(let value): basic("t", value, message)
    case .double(let value): basic("d", value, message)
    case .string(let text): text.withCString { sd_bus_message_append_basic(message, code("s"), $0) }
    case .objectPath(let text): text.withCString { sd_bus_message_append_basic(message, code("o"), $0) }
    case .signature(let text): text.withCString { sd_bus_message_append_basic(message, code("g"), $0) }
    case .array(let elements, let type): container("a", type, elements, message)
    case .structure(let members):
      container("r", members.map(\.signature).joined(), members, message)
    case .entry(let key, let value): container("e", key.signature + value.signature, [key, value], message)
    case .variant(let value): container("v", value.signature, [value], message)
    }
  }

  private static func basic<Value: BitwiseCopyable>(
    _ type: Unicode.Scalar, _ value: Value, _ message: OpaquePointer
  ) -> Int32 {
    withUnsafePointer(to: value) { sd_bus_message_append_basic(message, code(type), $0) }
  }

  private static func container(
    _ type: Unicode.Scalar, _ contents: String, _ values: [DBusValue], _ message: OpaquePointer
  ) -> Int32 {
    var result = sd_bus_message_open_container(message, code(type), contents)
    if result >= 0 { result = append(values, to: message) }
    return result < 0 ? result : sd_bus_message_close_container(message)
  }

  private static func code(_ type: Unicode.Scalar) -> CChar { CChar(truncatingIfNeeded: type.value) }

  // MARK: Reading

  private static func read(_ message: OpaquePointer, depth: Int) throws(DBusFailure) -> [DBusValue] {
    var values: [DBusValue] = []
    while true {
      var type: CChar = 0
      var contents: UnsafePointer<CChar>?
      guard try DBusFailure.check(sd_bus_message_peek_type(message, &type, &contents), "read a message") > 0
      else { return values }
      values.append(try value(message, type, contents.map { String(cString: $0) } ?? "", depth: depth))
    }
  }

  private static func value(
    _ message: OpaquePointer, _ type: CChar, _ contents: String, depth: Int
  ) throws(DBusFailure) -> DBusValue {
    switch Unicode.Scalar(UInt8(bitPattern: type)) {
    case "b": return .bool(try basic(message, type, Int32(0)) != 0)
    case "y": return .byte(try basic(message, type, 0))
    case "n": return .int16(try basic(message, type, 0))
    case "q": return .uint16(try basic(message, type, 0))
    case "i": return .int32(try basic(message, type, 0))
    case "u": return .uint32(try basic(message, type, 0))
    case "x": return .int64(try basic(message, type, 0))
    case "t": return .uint64(try basic(message, type, 0))
    case "d": return .double(try basic(message, type, 0))
    case "s": return .string(try text(message, type))
    case "o": return .objectPath(try text(message, type))
    case "g": return .signature(try text(message, type))
    case "a": return .array(try container(message, type, contents, depth: depth), of: contents)
    case "r": return .structure(try container(message, type, contents, depth: depth))
    case "e":
      let pair = try container(message, type, contents, depth: depth)
      guard pair.count == 2 else { throw DBusFailure("read a message", code: EBADMSG) }
      return .entry(pair[0], pair[1])
    case "v":
      let inner = try container(message, type, contents, depth: depth)
      guard let value = inner.first else { throw DBusFailure("read a message", code: EBADMSG) }
      return .variant(value)
    default:
      // A descriptor, which this program never requests.
      throw DBusFailure("read a message with a descriptor in it", code: EOPNOTSUPP)
    }
  }

  private static func basic<Value: BitwiseCopyable>(
    _ message: OpaquePointer, _ type: CChar, _ zero: Value
  ) throws(DBusFailure) -> Value {
    var value = zero
    _ = try DBusFailure.check(sd_bus_message_read_basic(message, type, &value), "read a message")
    return value
  }

  private static func text(_ message: OpaquePointer, _ type: CChar) throws(DBusFailure) -> String {
    var text: UnsafePointer<CChar>?
    _ = try DBusFailure.check(sd_bus_message_read_basic(message, type, &text), "read a message")
    return text.map { String(cString: $0) } ?? ""
  }

  private static func container(
    _ message: OpaquePointer, _ type: CChar, _ contents: String, depth: Int
  ) throws(DBusFailure) -> [DBusValue] {
    guard depth < maximumDepth else { throw DBusFailure("read a message", code: EBADMSG) }
    _ = try DBusFailure.check(sd_bus_message_enter_container(message, type, contents), "read a message")
    let values = try read(message, depth: depth + 1)
    _ = try DBusFailure.check(sd_bus_message_exit_container(message), "read a message")
    return values
  }
}
