import FencepostAlarmEngine
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostCommandLineTable
import FencepostJSON
import FencepostModelContext

extension FencepostTable {
  static let access = Command(
    "access", summary: "View and change the access of apps to the store",
    discussion: [
      """
      Apps that use the EventKit library ask for access before they read or write. The store keeps the decision for \
      each app, separately for events, reminders and your position. This is not a security boundary: a program that \
      can read the store file can read all of it.
      """,
      """
      Apps that can only reach the socket of `fencepost daemon --broker PATH` are held to it. There the system tells \
      who they are: `flatpak:`, `snap:`, `apparmor:` and `unit:` are confined and can't pretend; `exe:` is a program \
      of the system, and `file:` one that you can replace, known by its hash. Agents at `fencepost mcp` are `mcp:NAME`.
      """,
    ],
    subcommands: [
      Command(
        "list", summary: "List apps and their access",
        examples: [Example("fencepost access list", "All of them")],
        action: .run { try $0.listAccess() }),
      Command(
        "answer", summary: "Answer the apps that wait",
        discussion: [
          "Asks about each app that waits for an answer: full access, adding only, none, or to ask again later."
        ],
        examples: [Example("fencepost access answer", "One after the other")],
        action: .run { try $0.answerAccess() }),
      Command(
        "log", summary: "List what apps asked for at the socket",
        discussion: ["The last uses, as sums of some seconds. They are kept for 90 days, at most 10,000."],
        examples: [
          Example("fencepost access log", "Of all apps"),
          Example("fencepost access log flatpak:org.example.Planner", "Of one"),
        ],
        options: [.value(.limit, "N", default: "100", "Maximum number of uses")],
        positionals: [
          Positional(.app, .optional, "Name of the app in `access list`", completion: .program("apps"))
        ],
        action: .run(isUndoable: false) { try $0.listAccessUses() }),
      Command(
        "grant", summary: "Grant access to an app",
        examples: [
          Example("fencepost access grant org.example.planner --events", "Full access to events"),
          Example("fencepost access grant notes --write-only", "Access to add events, not to read them"),
          Example("fencepost access grant walks --location", "Your position, and nothing else"),
          Example("fencepost access grant mcp:agent --write-only", "An agent that adds, and sees nothing"),
        ],
        options: [
          eventsOnly, remindersOnly, locationOnly, .flag(.writeOnly, "Allow adding events, but not reading"),
        ],
        positionals: [app],
        action: .run { try $0.grantAccess() }),
      Command(
        "revoke", summary: "Deny access to an app",
        examples: [
          Example("fencepost access revoke notes", "Deny all access"),
          Example("fencepost access revoke notes --forget", "Let it ask again"),
        ],
        options: [
          eventsOnly, remindersOnly, locationOnly,
          .flag(.forget, "Forget the decision, so that the app asks again"),
        ],
        positionals: [app],
        action: .run { try $0.revokeAccess() }),
      Command(
        "policy", summary: "Show or set the policy for new requests",
        discussion: [
          """
          `open` grants them. `ask` makes them wait for `fencepost access grant` or `revoke`; it refuses apps without \
          a reason in their Info.plist. `closed` refuses them.
          """
        ],
        examples: [
          Example("fencepost access policy", "Show the policy"),
          Example("fencepost access policy ask", "Make each new app wait"),
        ],
        positionals: [
          Positional(
            .policy, .optional, "`open`, `ask` or `closed`", completion: .choices(["open", "ask", "closed"]))
        ],
        action: .run { try $0.accessPolicy() }),
    ])

  private static let app = Positional(
    .app, .required, "Bundle identifier or program name of the app",
    completion: .program("apps"))

  private static let eventsOnly = Option.flag(.events, "Events only")

  private static let remindersOnly = Option.flag(.reminders, "Reminders only")

  private static let locationOnly = Option.flag(.location, "Your position only")
}

/// What an app asks access to, and the words for it.
private let entities: [(subject: AccessSubject, key: FlagKey)] = [
  (.events, .events), (.reminders, .reminders), (.location, .location),
]

extension AccessLevel {
  /// The word for it in tables and JSON.
  fileprivate var word: String {
    switch self {
    case .notDetermined: "waiting"
    case .restricted: "restricted"
    case .denied: "denied"
    case .full: "full"
    case .writeOnly: "write-only"
    }
  }
}

extension CommandContext {
  /// `access list`.
  func listAccess() throws {
    let (decisions, apps) = try openStoreToLook().read { (try $0.accessDecisions(), try $0.knownApps()) }
    let known = Dictionary(uniqueKeysWithValues: apps.map { ($0.key, $0) })
    var table = TextTable(context: self, whole: [1, 2])
    for decision in decisions {
      let entity = name(of: decision.entity)
      let level = AccessLevel(rawValue: decision.status) ?? .denied
      let app = known[decision.app]
      if json {
        try console.print(line(decision.app, entity, level, decided: decision.decided, app))
      } else if apps.isEmpty {
        table.add([decision.app, entity, level.word])
      } else {
        table.add([
          decision.app, entity, level.word, app?.strength ?? "",
          app.map { "used \(shown($0.lastUsed))" } ?? "",
          app.map { "“\($0.claim)”" } ?? "",
        ])
      }
    }
    for line in table.lines { try console.print(line) }
  }

  private func name(of entity: Int) -> String {
    entities.first { $0.subject.rawValue == entity }?.key.name ?? "\(entity)"
  }

  private func shown(_ instant: Instant) -> String { instant.rfc3339() }

  /// `access log [APP] [--limit N]`.
  func listAccessUses() throws {
    let limit = try parsed.value(.limit).map { text throws -> Int in
      guard let limit = Int(text), (1...AppUse.maximumKept).contains(limit) else {
        throw parsed.misuse("--limit: give a number from 1 to \(AppUse.maximumKept)")
      }
      return limit
    }
    let app = parsed.positional(.app)
    let uses = try openStoreToLook().read { try $0.appUses(of: app, limit: limit ?? 100) }
    var table = TextTable(context: self, whole: [0, 2, 3, 4])
    for use in uses {
      guard json else {
        table.add([
          "\(shown(use.used))", use.app, use.verb, "\(use.requests) requests", "\(use.items) items",
        ])
        continue
      }
      var line = JSONLine(type: "access-use")
      line.add("app", use.app)
      line.add("time", use.used.rfc3339())
      line.add("verb", use.verb)
      line.add("requests", use.requests)
      line.add("items", use.items)
      try console.print(line.line)
    }
    for line in table.lines { try console.print(line) }
    if uses.isEmpty { console.say("No app has asked at the socket.") }
  }

  /// `access answer`.
  func answerAccess() throws {
    let (decisions, apps) = try openStoreToLook().read { (try $0.accessDecisions(), try $0.knownApps()) }
    let waiting = decisions.filter { $0.status == AccessLevel.notDetermined.rawValue }
    if waiting.isEmpty { console.say("No app waits for an answer.") }
    for decision in waiting {
      let app = apps.first { $0.key == decision.app }
      console.say(question(decision, app))
      guard let level = try readAnswer(for: decision) else { continue }
      let now = now
      try openStore().write {
        try $0.save(
          AccessDecision(app: decision.app, entity: decision.entity, status: level.rawValue, decided: now))
      }
      let entity = name(of: decision.entity)
      try console.print(
        json
          ? line(decision.app, entity, level, decided: now, app)
          : "\(FiringTable.plain(decision.app)): \(level.word) (\(entity))")
    }
  }

  private func question(_ decision: AccessDecision, _ app: KnownApp?) -> String {
    var text = "\(FiringTable.plain(decision.app)) asks for access to your \(name(of: decision.entity))."
    guard let app else { return text }
    text += " It calls itself “\(FiringTable.plain(app.claim))”"
    text += app.reason.map { " and says: “\(FiringTable.plain($0))”" } ?? ""
    switch app.strength {
    case "confined": text += ". The system confines it."
    case "agent": text += ". It is an agent; the answer holds for each that starts with this name."
    case "program": text += ". It is a program of the system; other programs of yours can use it."
    default: text += ". It is a program that you can replace; the answer holds for this file as it is."
    }
    return text
  }

  /// Reads an answer; `nil` to ask again later, also at the end of the input.
  private func readAnswer(for decision: AccessDecision) throws -> AccessLevel? {
    let canAdd = Self.addable(decision.app).map(\.name).contains(name(of: decision.entity))
    console.say(canAdd ? "[f]ull, [a]dd only, [n]one, [l]ater?" : "[f]ull, [n]one, [l]ater?")
    while let line = console.readLine() {
      switch line.lowercased().first {
      case "f": return .full
      case "a" where canAdd: return .writeOnly
      case "n": return .denied
      case "l", nil: return nil
      default: console.say("Answer with the first letter.")
      }
    }
    return nil
  }

  private func line(
    _ app: String, _ entity: String, _ level: AccessLevel, decided: Instant, _ known: KnownApp? = nil
  ) -> String {
    var line = JSONLine(type: "access")
    line.add("app", app)
    line.add("entity", entity)
    line.add("access", level.word)
    line.add("decided", decided.rfc3339())
    if let known {
      line.add("strength", known.strength)
      line.add("claim", known.claim)
      if let reason = known.reason { line.add("reason", reason) }
      line.add("last_used", known.lastUsed.rfc3339())
      line.add("requests", known.requests)
    }
    return line.line
  }

  /// `access grant APP [--events | --reminders | --write-only]`.
  func grantAccess() throws {
    let isWriteOnly = parsed.flag(.writeOnly)
    // Apple's API has no such access to reminders, but agents have.
    let addable = parsed.positional(.app).map(Self.addable) ?? []
    for key in [FlagKey.reminders, .location]
    where isWriteOnly && parsed.flag(key) && !addable.contains(key) {
      throw parsed.misuse("\(key.name) has no write-only access; use --events")
    }
    // A position is never granted along with calendars.
    try decide(
      isWriteOnly ? .writeOnly : .full,
      on: chosenEntities(usually: isWriteOnly ? addable : [.events, .reminders]))
  }

  /// What an app can add to without seeing it.
  private static func addable(_ app: String) -> [FlagKey] {
    app.hasPrefix(AgentServer.key(of: "")) ? [.events, .reminders] : [.events]
  }

  /// `access revoke APP [--events | --reminders] [--forget]`.
  func revokeAccess() throws {
    guard parsed.flag(.forget) else {
      return try decide(.denied, on: chosenEntities(usually: entities.map(\.key)))
    }
    guard let app = parsed.positional(.app) else { throw CommandError("missing APP") }
    try openExistingStore().write { try $0.removeAccessDecisions(app: app) }
    var line = JSONLine(type: "access")
    line.add("app", app)
    line.add("access", "forgotten")
    try console.print(json ? line.line : "\(FiringTable.plain(app)): forgotten; it will ask again")
  }

  /// `access policy [open | ask | closed]`.
  func accessPolicy() throws {
    if let word = parsed.positional(.policy), let policy = AccessPolicy(rawValue: word) {
      try openStore().write { try $0.set(policy) }
    }
    let policy = try openStoreToLook().read { try $0.accessPolicy() }
    if json {
      var line = JSONLine(type: "access-policy")
      line.add("policy", policy.rawValue)
      try console.print(line.line)
    } else {
      try console.print(policy.rawValue)
    }
  }

  /// What the options name; without one, `usual`.
  private func chosenEntities(usually usual: [FlagKey]) -> [String] {
    let named = entities.map(\.key).filter { parsed.flag($0) }
    return (named.isEmpty ? usual : named).map(\.name)
  }

  private func decide(_ level: AccessLevel, on names: [String]) throws {
    guard let app = parsed.positional(.app), !app.isEmpty else { throw CommandError("missing APP") }
    let now = now
    try openStore().write { writer in
      for entity in entities where names.contains(entity.key.name) {
        try writer.save(
          AccessDecision(app: app, entity: entity.subject.rawValue, status: level.rawValue, decided: now))
      }
    }
    guard json else {
      return try console.print("\(FiringTable.plain(app)): \(level.word) (\(names.joined(separator: ", ")))")
    }
    for name in names { try console.print(line(app, name, level, decided: now)) }
  }
}
