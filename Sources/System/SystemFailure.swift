import Glibc

/// The operating system refused something. Its description is one line.
public struct SystemFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was to be done, as in "can't …".
  public var action: String
  /// The error number.
  public var code: Int32
  /// Why, where more is known than the error number says.
  public var reason: String?

  /// A failure of `action`, by default with what the system says of its last call.
  public init(_ action: String, code: Int32? = nil) {
    self.action = action
    self.code = code ?? errno
  }

  /// A failure of `action` for a reason that has no error number.
  public init(_ action: String, reason: String) {
    self.init(action, code: EINVAL)
    self.reason = reason
  }

  /// A failure to find a host, as getaddrinfo(3) tells it.
  public static func lookup(of host: String, _ code: Int32) -> SystemFailure {
    var failure = SystemFailure("find \(host)")
    if code != EAI_SYSTEM {
      failure.code = EHOSTUNREACH
      failure.reason = String(cString: gai_strerror(code))
    }
    return failure
  }

  /// One line: what was to be done, and why it failed.
  public var description: String { "can't \(action): \(reason ?? String(cString: strerror(code)))" }

  /// The result of a system call, which failed where it is negative.
  public static func check(_ result: Int32, _ action: @autoclosure () -> String) throws(SystemFailure)
    -> Int32
  {
    guard result >= 0 else { throw SystemFailure(action()) }
    return result
  }
}
