import Glibc

/// An error of the operating system. Its description is one line.
public struct SystemFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The attempted action, as the words after "can't".
  public var action: String
  /// The error number.
  public var code: Int32
  /// The reason, if more is known than the error number.
  public var reason: String?

  /// A failure of `action`, by default with the error of the last system call.
  public init(_ action: String, code: Int32? = nil) {
    self.action = action
    self.code = code ?? errno
  }

  /// A failure of `action` for a reason without an error number.
  public init(_ action: String, reason: String) {
    self.init(action, code: EINVAL)
    self.reason = reason
  }

  /// A failure to find a host, with the code of getaddrinfo(3).
  public static func lookup(of host: String, _ code: Int32) -> SystemFailure {
    var failure = SystemFailure("find \(host)")
    if code != EAI_SYSTEM {
      failure.code = EHOSTUNREACH
      failure.reason = String(cString: gai_strerror(code))
    }
    return failure
  }

  /// One line: the action, and why it failed.
  public var description: String { "can't \(action): \(reason ?? String(cString: strerror(code)))" }

  /// The result of a system call. Throws if it is negative.
  public static func check(_ result: Int32, _ action: @autoclosure () -> String) throws(SystemFailure)
    -> Int32
  {
    guard result >= 0 else { throw SystemFailure(action()) }
    return result
  }
}
