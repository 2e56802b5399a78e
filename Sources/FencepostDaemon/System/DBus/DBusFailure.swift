import CSystemd
import Glibc

/// D-Bus, or a service on it, refused something. Its description is one line.
struct DBusFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was to be done, as in "can't …".
  var action: String
  /// The error's name, such as `org.freedesktop.DBus.Error.ServiceUnknown`; `nil` where the system refused.
  var name: String?
  /// What was said about it.
  var message: String

  /// A failure with an error number.
  init(_ action: String, code: Int32) {
    self.action = action
    message = String(cString: strerror(code))
  }

  /// A failure with what a service answered.
  init(_ action: String, error: sd_bus_error, code: Int32) {
    self.init(action, code: code)
    name = error.name.map { String(cString: $0) }
    if let said = error.message { message = String(cString: said) }
  }

  var description: String { "can't \(action): \(message)" }

  /// The result of a call of sd-bus, which failed where it is negative.
  static func check(_ result: Int32, _ action: @autoclosure () -> String) throws(DBusFailure) -> Int32 {
    guard result >= 0 else { throw DBusFailure(action(), code: -result) }
    return result
  }
}
