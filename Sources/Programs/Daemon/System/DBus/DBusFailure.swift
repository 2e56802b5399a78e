import CFencepostSystemd
import Glibc

/// D-Bus, or a service on it, reported an error. Its description is one line.
struct DBusFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The failed action, as in "can't …".
  var action: String
  /// The error's name, such as `org.freedesktop.DBus.Error.ServiceUnknown`; `nil` for an error of the system.
  var name: String?
  /// The error message.
  var message: String

  /// A failure with an error number.
  init(_ action: String, code: Int32) {
    self.action = action
    message = String(cString: strerror(code))
  }

  /// A failure with the error of a service.
  init(_ action: String, error: sd_bus_error, code: Int32) {
    self.init(action, code: code)
    name = error.name.map { String(cString: $0) }
    if let text = error.message { message = String(cString: text) }
  }

  var description: String { "can't \(action): \(message)" }

  /// Returns the result of an sd-bus call, or throws if it is negative.
  static func check(_ result: Int32, _ action: @autoclosure () -> String) throws(DBusFailure) -> Int32 {
    guard result >= 0 else { throw DBusFailure(action(), code: -result) }
    return result
  }
}
