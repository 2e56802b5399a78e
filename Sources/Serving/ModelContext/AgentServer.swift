public import FencepostCalendarModel
public import FencepostCalendarStore
public import FencepostRecurrence
import FencepostStoreAccess

/// The store for agents: who asks, with what settings. One for each connection.
public struct AgentServer {
  /// The store.
  public let store: CalendarStore
  /// The name that the person gave the agent.
  public let name: String
  /// Default alarms and zones.
  public let schedule: AlarmSchedule
  /// Whether it may remove items without a question to the person.
  public let allowsDeletions: Bool
  /// The current time.
  public let clock: () -> Instant
  /// Hosts whose links are all to meetings.
  public var joinHosts = JoinHosts()

  /// The most bytes of an agent's name.
  public static let maximumName = 64

  /// A server for one agent.
  public init(
    store: CalendarStore, name: String, schedule: AlarmSchedule, allowsDeletions: Bool,
    clock: @escaping () -> Instant
  ) {
    self.store = store
    self.name = name
    self.schedule = schedule
    self.allowsDeletions = allowsDeletions
    self.clock = clock
  }

  /// Whether a text can be the name of an agent: letters, digits, `.`, `_` and `-` of ASCII.
  public static func isName(_ text: String) -> Bool {
    (1...maximumName).contains(text.utf8.count)
      && text.unicodeScalars.allSatisfy {
        $0.isASCII
          && ($0.properties.isAlphabetic || ("0"..."9").contains($0) || "._-".unicodeScalars.contains($0))
      }
  }

  /// The key of an agent in `fencepost access`.
  public static func key(of name: String) -> String { AccessDecision.agentPrefix + name }

  /// Its key in the decisions about access.
  var key: String { Self.key(of: name) }

  var resolver: TimeResolver { schedule.resolver }

  // MARK: Access

  /// Records the agent and the requests that nobody has answered, so that the person sees them.
  func ask(for requests: [AccessRequest], claim: String) throws {
    let now = clock()
    try store.write { writer in
      try writer.record(
        KnownApp(
          key: key, strength: "agent", claim: claim, reason: nil, firstUsed: now, lastUsed: now, requests: 1))
      // A person's answer stands: an agent never asks for more by itself. Not even an open policy says where
      // the person is.
      for request in requests
      where try writer.reader.accessLevel(of: key, entity: request.subject.rawValue, orElse: .ask)
        == .notDetermined
      {
        guard request != .location else {
          var waiting = AccessDecision(
            app: key, entity: request.subject.rawValue, status: AccessLevel.notDetermined.rawValue,
            decided: now)
          waiting.wanted = request.granted.rawValue
          try writer.save(waiting)
          continue
        }
        // A tool that is called is a reason.
        _ = try writer.decide(request, of: key, hasReason: true, orElse: .ask, now: now)
      }
    }
  }

  /// Records a call in `fencepost access log`.
  func record(_ verb: String, items: Int) throws {
    let now = clock()
    try store.write {
      try $0.record([AppUse(app: key, used: now, verb: verb, requests: 1, items: items)], now: now)
    }
  }

  /// Reads the store with the rights of this moment.
  func read<Result>(_ body: (borrowing StoreReader, AgentRights) throws -> Result) throws -> Result {
    try store.read { try body($0, AgentRights(of: key, in: $0)) }
  }

  /// Changes the store with the rights of this moment, in a step that can be undone.
  func change<Result>(
    _ action: UndoAction, _ title: String,
    _ body: (borrowing StoreWriter, AgentRights) throws -> Result
  ) throws -> Result {
    try store.write(undoableAs: UndoLabel(action, title, by: .agent(name), at: clock())) { writer in
      try body(writer, AgentRights(of: key, in: writer.reader))
    }
  }
}
