import FencepostXML

/// A notification for org.freedesktop.Notifications (Desktop Notifications Specification 1.2).
struct DesktopNotification: Sendable {
  /// The firing's key.
  var key: String
  var title: String
  var lines: [String]
  var isReminder: Bool
  /// False for what is told and can't be snoozed.
  var isAlarm = true
  /// True if there is a conference to join.
  var isJoinable = false
  var isLate: Bool
  var urgency: DesktopAddress.Urgency

  /// The arguments of `Notify`.
  ///
  /// - Parameter capabilities: The capabilities of the desktop.
  func arguments(_ capabilities: Set<String>) -> [DBusValue] {
    var actions: [String] = []
    if capabilities.contains("actions") {
      actions =
        (isJoinable ? [Action.join.rawValue, "Join"] : []) + [
          Action.done.rawValue, isReminder ? "Done" : "Seen",
        ] + (isAlarm ? [Action.snooze.rawValue, "Snooze"] : []) + [Action.open.rawValue, "Seen"]
    }
    var hints: [(String, DBusValue)] = [("urgency", .byte(urgency.rawValue))]
    // Of the Sound Naming Specification.
    if capabilities.contains("sound") { hints.append(("sound-name", .string("alarm-clock-elapsed"))) }
    return [
      .string("Fencepost"), .uint32(0),
      // Of the Icon Naming Specification.
      .string(isLate ? "appointment-missed" : "appointment-soon"),
      .string(title), .string(body(capabilities)),
      .array(actions.map { .string($0) }, of: "s"), .dictionary(hints),
      // It stays until the user has seen it.
      .int32(0),
    ]
  }

  /// The lines; escaped for servers that read markup.
  private func body(_ capabilities: Set<String>) -> String {
    let text = lines.joined(separator: "\n")
    return capabilities.contains("body-markup") ? XMLEscaping.escaped(text) : text
  }

  /// The user's actions.
  enum Action: String {
    case done = "fencepost.done"
    case snooze = "fencepost.snooze"
    case join = "fencepost.join"
    /// A click on the notification itself.
    case open = "default"
  }
}
