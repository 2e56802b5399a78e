import FencepostAddresses
import FencepostCalendarStore
import FencepostDBus
import FencepostActions
package import FencepostSystem
import FencepostXML
import Glibc

/// `desktop[?snooze=10m][&urgency=normal]`: notifications of the desktop.
public struct DesktopAddress: Hashable, Sendable, CustomStringConvertible {
  /// The urgency of a notification (Desktop Notifications Specification, "Urgency Levels").
  public enum Urgency: UInt8, Hashable, Sendable {
    case low = 0
    case normal, critical
  }

  /// The snooze time in seconds.
  public let snooze: Double
  /// The urgency of the notifications.
  public let urgency: Urgency
  /// The sound, of the Sound Naming Specification; `nil` for none.
  public let sound: String?

  /// Whether the desktop's dialog asks about apps that wait for access, where there is one.
  public let asksInDialog: Bool

  /// Whether an environment has a screen, and a bus for notifications.
  public static func isThere(in environment: [String: String]) -> Bool {
    func has(_ name: String) -> Bool { environment[name]?.isEmpty == false }
    guard has("DISPLAY") || has("WAYLAND_DISPLAY") else { return false }
    return has("DBUS_SESSION_BUS_ADDRESS")
      || environment["XDG_RUNTIME_DIR"].map { access($0 + "/bus", F_OK) == 0 } ?? false
  }

  /// The known parameters.
  package static let words = ["snooze", "urgency", "sound", "dialog"]

  init(_ words: inout AddressParameters) throws(AddressError) {
    snooze = try words.takeSnooze()
    let sound = try words.take("sound") ?? "alarm-clock-elapsed"
    guard sound.wholeMatch(of: /[a-z0-9-]+/) != nil else {
      throw words.failure("'sound' is a name of a sound theme, such as message, or none")
    }
    self.sound = sound == "none" ? nil : sound
    switch try words.take("dialog") ?? "yes" {
    case "yes": asksInDialog = true
    case "no": asksInDialog = false
    case let other: throw words.failure("'dialog' is yes or no, not '\(other)'")
    }
    switch try words.take("urgency") ?? "normal" {
    case "low": urgency = .low
    case "normal": urgency = .normal
    case "critical": urgency = .critical
    case let other: throw words.failure("unknown urgency '\(other)'; use low, normal or critical")
    }
  }

  /// Without the snooze time, but with the urgency: one desktop can have a channel for each urgency.
  public var description: String { urgency == .normal ? "desktop" : "desktop?urgency=\(urgency)" }
}

extension DesktopAddress: ChannelForm {
  package var unnamed: String { "'snooze' or 'sound'" }
  package var problem: String? { AccessCheck.problem { _ = try DBusConnection(.session) } }
  package var backoff: Backoff { Backoff(most: 30) }
  package func open(_ context: ChannelContext) -> any Channel { DesktopChannel(self, context) }
}

/// A notification for org.freedesktop.Notifications (Desktop Notifications Specification 1.2).
struct DesktopNotification: Sendable {
  /// The notice's key; empty for what nobody answers.
  var key: String
  var title: String
  var lines: [String]
  /// Whether it can be snoozed.
  var isAlarm = false
  /// Whether it can be completed.
  var isReminder = false
  /// The answers to a suggestion; empty for an alarm.
  var answers: [SuggestionAnswer] = []
  /// The content that the answers are about (``Notice/revision``).
  var revision = ""
  /// The answers to an app that waits for access; empty for anything else.
  var accessAnswers: [AccessLevel] = []
  /// True if there is a conference to join.
  var isJoinable = false
  /// True if it offers a ticket to open.
  var hasTicket = false
  var isLate = false
  var urgency: DesktopAddress.Urgency
  /// `nil` for none.
  var sound: String?

  /// The arguments of `Notify`.
  ///
  /// - Parameters:
  ///   - capabilities: The capabilities of the desktop.
  ///   - number: The desktop's number of a notification whose place it takes; 0 for none.
  func arguments(_ capabilities: Set<String>, replacing number: UInt32 = 0) -> [DBusValue] {
    var actions: [String] = []
    if capabilities.contains("actions"), !accessAnswers.isEmpty {
      // A click beside the buttons answers nothing: the app goes on waiting.
      actions = accessAnswers.flatMap { [Self.accessPrefix + $0.word, Self.label(of: $0)] }
    } else if capabilities.contains("actions") {
      if isJoinable { actions += [Action.join.rawValue, "Join"] }
      if hasTicket { actions += [Action.ticket.rawValue, "Ticket"] }
      for answer in answers {
        actions += ["\(Self.answerPrefix)\(answer.rawValue).\(revision)", answer.label]
      }
      if answers.isEmpty { actions += [Action.done.rawValue, isReminder ? "Done" : "Seen"] }
      if isAlarm { actions += [Action.snooze.rawValue, "Snooze"] }
      actions += [Action.open.rawValue, "Seen"]
    }
    var hints: [(String, DBusValue)] = [
      ("urgency", .byte(urgency.rawValue)),
      // The desktop takes name, icon and the user's settings for notifications from its file.
      ("desktop-entry", .string("fencepost")),
      // The specification has no category for alarms, and leaves `x-` to vendors.
      ("category", .string(category)),
    ]
    if sound == nil {
      hints.append(("suppress-sound", .bool(true)))
    } else if let sound, capabilities.contains("sound") {
      hints.append(("sound-name", .string(sound)))
    }
    return [
      .string("Fencepost"), .uint32(number),
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

  private var category: String {
    if isAlarm { return "x-fencepost.alarm" }
    return accessAnswers.isEmpty ? "x-fencepost.suggestion" : "x-fencepost.access"
  }

  /// The beginning of the names of actions that answer an app.
  private static let accessPrefix = "fencepost.access."

  /// The words of a button that gives a level of access.
  static func label(of level: AccessLevel) -> String {
    switch level {
    case .full: "Full access"
    case .writeOnly: "Only add"
    case .denied, .restricted, .notDetermined: "Don't allow"
    }
  }

  /// The answer to an app that an action means; `nil` for another action.
  static func access(_ action: String) -> AccessLevel? {
    AccessLevel.allCases.first { action == accessPrefix + $0.word }
  }

  /// The beginning of the names of actions that answer a suggestion.
  private static let answerPrefix = "fencepost.suggestion."

  /// The answer to a suggestion that an action means, and the revision that it is about; `nil` for another
  /// action.
  static func answer(_ action: String) -> (SuggestionAnswer, revision: String)? {
    guard action.hasPrefix(answerPrefix) else { return nil }
    let parts = action.dropFirst(answerPrefix.count).split(separator: ".", maxSplits: 1)
    guard parts.count == 2 else { return nil }
    return SuggestionAnswer(rawValue: String(parts[0])).map { ($0, String(parts[1])) }
  }

  /// The user's actions.
  enum Action: String {
    case done = "fencepost.done"
    case snooze = "fencepost.snooze"
    case join = "fencepost.join"
    case ticket = "fencepost.ticket"
    /// A click on the notification itself.
    case open = "default"
  }
}
