import FencepostSystem
import Glibc

/// The keyring of the user's session (Secret Service), through libsecret's program `secret-tool`.
///
/// Calls block until the keyring answers: it may ask the user to unlock it.
public struct Keyring: Sendable {
  private static let program = "secret-tool"
  /// Seconds that the user has to unlock it.
  private static let timeout = 60.0

  /// The keyring of this process's session; `nil` without a session bus.
  public static func ofSession() -> Keyring? {
    ofSession(at: getenv("DBUS_SESSION_BUS_ADDRESS").map { String(cString: $0) })
  }

  /// The keyring of the session with the address of its bus, `DBUS_SESSION_BUS_ADDRESS`; `nil` without one.
  public static func ofSession(at bus: String?) -> Keyring? { bus.flatMap { $0.isEmpty ? nil : Keyring() } }

  /// Keeps a secret.
  ///
  /// - Returns: False if there is no keyring, or it does not keep it.
  func keep(_ secret: String, as id: String) -> Bool {
    let label = "--label=Fencepost: calendar account"
    return ask(["store", label] + Self.attributes(id), input: Array(secret.utf8)) != nil
      && self.secret(id) == secret
  }

  /// A secret; `nil` if the keyring is locked or does not have it.
  func secret(_ id: String) -> String? {
    ask(["lookup"] + Self.attributes(id)).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Forgets a secret.
  func forget(_ id: String) { _ = ask(["clear"] + Self.attributes(id)) }

  private static func attributes(_ id: String) -> [String] { ["application", "fencepost", "id", id] }

  private func ask(_ arguments: [String], input: [UInt8] = []) -> [UInt8]? {
    let program = ChildProgram(path: Self.program, arguments: arguments)
    guard let answer = try? program.ask(input: input, timeout: Self.timeout, most: 65_536),
      answer.ending == .exited(0)
    else { return nil }
    return answer.output
  }
}
