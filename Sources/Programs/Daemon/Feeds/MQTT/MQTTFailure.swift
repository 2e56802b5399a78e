import CFencepostMosquitto
import Glibc

/// A broker refused something, or can't be reached. Its description is one line.
struct MQTTFailure: Error, Hashable, Sendable, CustomStringConvertible {
  var description: String
  /// True if no broker can accept the message.
  var isFinal = false

  /// A failure in words.
  init(_ description: String) { self.description = description }

  /// A failure to do `action`, with libmosquitto's reason.
  ///
  /// - Parameters:
  ///   - action: The failed action, as in "can't …".
  ///   - code: The error number of libmosquitto.
  ///   - detail: Additional text of libmosquitto.
  init(_ action: String, code: mosq_err_t, detail: String? = nil) {
    let words =
      code == MOSQ_ERR_ERRNO
      ? String(cString: strerror(errno)) : String(cString: mosquitto_strerror(code.rawValue))
    description = "can't \(action): \(detail ?? words)"
  }
}
