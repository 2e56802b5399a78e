import FencepostAlarmEngine
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostCommandLineTable
import FencepostJSON

extension FencepostTable {
  static let access = Command(
    "access", summary: "View and change the access of apps to the store",
    discussion: [
      """
      Apps that use the EventKit library ask for access before they read or write. The store keeps the decision for \
      each app, separately for events, reminders and your position. This is not a security boundary: a program that \
      can read the store file can read all of it.
      """
    ],
    subcommands: [
      Command(
        "list", summary: "List apps and their access",
        examples: [Example("fencepost access list", "All of them")],
        action: .run { try $0.listAccess() }),
      Command(
        "grant", summary: "Grant access to an app",
        examples: [
          Example("fencepost access grant org.example.planner --events", "Full access to events"),
          Example("fencepost access grant notes --write-only", "Access to add events, not to read them"),
          Example("fencepost access grant walks --location", "Your position, and nothing else"),
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
    let decisions = try openStoreToLook().read { try $0.accessDecisions() }
    var table = TextTable(context: self, whole: [1, 2])
    for decision in decisions {
      let entity = entities.first { $0.subject.rawValue == decision.entity }?.key.name ?? "\(decision.entity)"
      let level = AccessLevel(rawValue: decision.status) ?? .denied
      if json {
        try console.print(line(decision.app, entity, level, decided: decision.decided))
      } else {
        table.add([decision.app, entity, level.word])
      }
    }
    for line in table.lines { try console.print(line) }
  }

  private func line(_ app: String, _ entity: String, _ level: AccessLevel, decided: Instant) -> String {
    var line = JSONLine(type: "access")
    line.add("app", app)
    line.add("entity", entity)
    line.add("access", level.word)
    line.add("decided", decided.rfc3339())
    return line.line
  }

  /// `access grant APP [--events | --reminders | --write-only]`.
  func grantAccess() throws {
    let isWriteOnly = parsed.flag(.writeOnly)
    for key in [FlagKey.reminders, .location] where isWriteOnly && parsed.flag(key) {
      throw parsed.misuse("\(key.name) has no write-only access; use --events")
    }
    // A position is never granted along with calendars.
    try decide(
      isWriteOnly ? .writeOnly : .full,
      on: isWriteOnly ? ["events"] : chosenEntities(usually: [.events, .reminders]))
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
