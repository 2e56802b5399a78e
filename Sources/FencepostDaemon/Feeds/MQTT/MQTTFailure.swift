import CMosquitto
import Glibc

/// A broker refused something, or can't be reached. Its description is one line.
struct MQTTFailure: Error, Hashable, Sendable, CustomStringConvertible {
  var description: String
  /// True where a message is none that can be published, whichever broker there is.
  var isFinal = false

  /// A failure in words.
  init(_ description: String) { self.description = description }

  /// A failure to do `action`, as libmosquitto tells it.
  ///
  /// - Parameters:
  ///   - action: What was to be done, as in "can't …".
  ///   - code: The error number of libmosquitto.
  ///   - detail: What it said beside that.
  init(_ action: String, code: mosq_err_t, detail: String? = nil) {
    let words =
      code == MOSQ_ERR_ERRNO
      ? String(cString: strerror(errno)) : String(cString: mosquitto_strerror(code.rawValue))
    description = "can't \(action): \(detail ?? words)"
  }
}
