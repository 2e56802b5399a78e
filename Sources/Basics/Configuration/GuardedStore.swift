import Glibc

/// The places of a user's store in guarded mode, where the programs of that user can't open it, except
/// `fencepost` itself.
///
/// Two folders, one in the other, let in only those who have both: the group of the program `fencepost`, and
/// the user. So another program of the user stops at the first, and `fencepost` of another user at the second.
public struct GuardedStore: Hashable, Sendable {
  /// The system's group that only the program `fencepost` has.
  public static let group = "_fencepost"

  /// How far the store is.
  public enum State: String, Hashable, Sendable, CaseIterable {
    /// It is being moved here, or that was interrupted.
    case enabling
    /// It is here.
    case guarded
    /// It is being moved back, or that was interrupted.
    case disabling
  }

  /// What is written down about a guarded store.
  public struct Record: Hashable, Sendable {
    /// How far it is.
    public var state: State
    /// The path that the store had, and will have again.
    public var origin: String

    /// A record.
    public init(_ state: State, origin: String) {
      self.state = state
      self.origin = origin
    }

    /// Two lines: the state, and the path.
    public var text: String { "\(state.rawValue)\n\(origin)\n" }

    /// Reads ``text``; `nil` for something else.
    public init?(_ text: String) {
      let lines = text.split(separator: "\n")
      guard lines.count == 2, let state = State(rawValue: String(lines[0])), lines[1].hasPrefix("/") else {
        return nil
      }
      self.init(state, origin: String(lines[1]))
    }
  }

  /// The number of the user.
  public let user: UInt32
  private let root: String

  /// The places of a user.
  ///
  /// - Parameters:
  ///   - user: The number of the user.
  ///   - root: A folder instead of the system's root, for tests.
  public init(user: UInt32, root: String = "") {
    self.user = user
    self.root = root
  }

  /// The places of this process's user.
  public init() { self.init(user: getuid()) }

  /// The folder of all users.
  public var base: String { "\(root)/var/lib/fencepost" }
  /// The folder of this user, which everybody may see.
  public var folder: String { "\(base)/\(user)" }
  /// The file of the ``Record``, which only root can write.
  public var recordFile: String { "\(folder)/state" }
  /// The folder that only the group enters.
  public var gate: String { "\(folder)/gate" }
  /// The folder in it that only the user enters.
  public var vault: String { "\(gate)/store" }
  /// The store.
  public var file: String { "\(vault)/calendar.sqlite" }
  /// The socket at which the daemon serves apps.
  public var socket: String { "\(root)/run/fencepost/\(user)/store.sock" }

  /// What is written down; `nil` if the user's store is not guarded.
  public func record() -> Record? {
    let descriptor = open(recordFile, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var buffer = [UInt8](repeating: 0, count: 8_192)
    let count = read(descriptor, &buffer, buffer.count)
    return count > 0 ? Record(String(decoding: buffer[..<count], as: UTF8.self)) : nil
  }

  /// What is written down, if the store that has or had this path is guarded, or on the way.
  public func record(of path: String) -> Record? {
    guard let record = record(), path == record.origin || Self.canonical(path) == record.origin else {
      return nil
    }
    return record
  }

  /// The path to open for a store at `path`: its place here if it is guarded, or on the way.
  public func file(for path: String) -> String { record(of: path) == nil ? path : file }

  /// The path with all links of its folder followed: the file itself may not be there any more.
  public static func canonical(_ path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return path }
    let folder = slash == path.startIndex ? "/" : String(path[..<slash])
    guard let real = realpath(folder, nil) else { return path }
    defer { free(real) }
    let start = String(cString: real)
    return (start == "/" ? "" : start) + path[slash...]
  }
}
