import FencepostCommandLineTable

extension FencepostTable {
  private static let app = Positional(
    .app, .required, "Bundle identifier or program name of the app",
    completion: .program("apps"))
  private static let events = Option.flag(.events, "Events only")
  private static let reminders = Option.flag(.reminders, "Reminders only")

  static let access = Command(
    "access", summary: "View and change the access of apps to the store",
    discussion: [
      """
      Apps that use the EventKit library ask for access before they read or write. The store keeps the decision for \
      each app, separately for events and reminders. This is not a security boundary: a program that can read the \
      store file can read all of it.
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
        ],
        options: [events, reminders, .flag(.writeOnly, "Allow adding events, but not reading")],
        positionals: [app],
        action: .run { try $0.grantAccess() }),
      Command(
        "revoke", summary: "Deny access to an app",
        examples: [
          Example("fencepost access revoke notes", "Deny all access"),
          Example("fencepost access revoke notes --forget", "Let it ask again"),
        ],
        options: [events, reminders, .flag(.forget, "Forget the decision, so that the app asks again")],
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
}
