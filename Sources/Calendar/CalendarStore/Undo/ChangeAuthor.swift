internal import FencepostDatabase

/// Who made a change that can be undone.
///
/// Two are the same only if they are the same client: somebody who gets the name of a revoked client is
/// somebody else, because numbers are never given again.
public enum ChangeAuthor: Sendable {
  /// The owner, by a command. The label is its line.
  case command
  /// The owner, by the pages of the web app, a button of a notification, or a line typed into Home Assistant.
  case pages
  /// A client with a password of its own: its number, and its name then. The number is `nil` for a change
  /// before numbers were recorded, by a client that is gone.
  case client(number: Int64?, name: String)
  /// A program that uses the store as an agent; its name.
  case agent(String)

  /// The name of the client or the agent; `nil` for the owner.
  public var name: String? {
    switch self {
    case .command, .pages: nil
    case .client(_, let name), .agent(let name): name
    }
  }

  /// Whether the owner made it.
  public var isOwner: Bool { name == nil }

  /// The kind as a word: `command`, `pages`, `client` or `agent`.
  public var kind: String { door.word }

  /// Whether its client was revoked.
  ///
  /// - Parameter numbers: The numbers of all clients.
  public func isGone(among numbers: Set<Int64>) -> Bool {
    guard case .client(let number, _) = self else { return false }
    return number.map { !numbers.contains($0) } ?? true
  }

  /// A text that no other author has, for keys of its steps.
  var key: String {
    switch self {
    case .command, .pages: kind
    case .client(let number, let name): number.map { "client \($0)" } ?? "gone \(name)"
    case .agent(let name): "agent \(name)"
    }
  }

  fileprivate var door: Door {
    switch self {
    case .command: .command
    case .pages: .pages
    case .client: .client
    case .agent: .agent
    }
  }

  /// The numbers of the kinds in the column `door`.
  fileprivate enum Door: Int {
    case command = 0
    case pages = 1
    case client = 2
    case agent = 3

    var word: String { "\(self)" }
  }

  /// Their columns, in the order in which they are bound and read.
  static let columns = "door, client, client_number"
}

extension ChangeAuthor: Hashable {
  /// Whether both are the same.
  public static func == (one: Self, other: Self) -> Bool { one.key == other.key }

  /// Adds what tells it from others.
  public func hash(into hasher: inout Hasher) { hasher.combine(key) }
}

extension Binder {
  mutating func add(_ author: ChangeAuthor) {
    add(author.door.rawValue)
    add(author.name)
    if case .client(let number, _) = author { add(number) } else { null() }
  }
}

extension RowReader {
  mutating func changeAuthor() -> ChangeAuthor {
    let door = ChangeAuthor.Door(rawValue: int())
    let name = optionalText() ?? ""
    let number = optionalInt64()
    return switch door {
    case .pages: .pages
    case .client: .client(number: number, name: name)
    case .agent: .agent(name)
    case .command, nil: .command
    }
  }
}
