import FencepostActions
import FencepostCalendarStore
import FencepostDBus
import FencepostSystem
import Synchronization

/// The desktop's own dialog for questions about access: `org.freedesktop.impl.portal.Access`, which desktops
/// implement for their portals.
///
/// One is shown at a time. Each has a thread and a connection of its own, because a call lasts until the person
/// answers.
final class AccessDialog: Sendable {
  /// What came of a dialog.
  enum Outcome: Hashable, Sendable {
    case answered(AccessLevel)
    /// The person closed it, or did not answer in time. That is no refusal.
    case unanswered
    /// There is no dialog. No later one is tried.
    case unavailable
    /// The question was answered elsewhere.
    case withdrawn
  }

  private struct Shown: Sendable {
    var key: String
    var stop: WakeUp
  }

  private let bus: DBusConnection.Bus
  /// The bus name of the program that shows it; `nil` for none.
  private let service: Mutex<String?>
  private let shown = Mutex<Shown?>(nil)

  private static let interface = "org.freedesktop.impl.portal.Access"
  /// After this time without an answer, a notification takes the place of the dialog.
  private static let patience = Duration.seconds(120)

  /// The dialog of a desktop.
  init(_ bus: DBusConnection.Bus, _ backends: PortalBackends) {
    self.bus = bus
    service = Mutex(backends.service(for: Self.interface))
  }

  /// Shows a question.
  ///
  /// - Parameter done: Called once, on another thread.
  /// - Returns: False without a dialog, and while another question is shown.
  func ask(_ question: AccessQuestion, _ done: @escaping @Sendable (Outcome) -> Void) -> Bool {
    guard let service = service.withLock(\.self), let stop = try? WakeUp() else { return false }
    let isFree = shown.withLock { shown in
      guard shown == nil else { return false }
      shown = Shown(key: question.notificationKey, stop: stop)
      return true
    }
    guard isFree else { return false }
    do {
      try SystemThread.start("access dialog") { [self] in
        let outcome = show(question, service, stop.descriptor)
        shown.withLock { $0 = nil }
        if outcome == .unavailable { self.service.withLock { $0 = nil } }
        done(outcome)
      }
      return true
    } catch {
      shown.withLock { $0 = nil }
      return false
    }
  }

  /// Closes the dialog if its question is one of these.
  func withdraw(_ keys: some Collection<String>) {
    shown.withLock { shown in
      if let shown, keys.contains(shown.key) { shown.stop.signal() }
    }
  }

  /// Closes the dialog.
  func stop() { shown.withLock { $0?.stop.signal() } }

  private func show(_ question: AccessQuestion, _ service: String, _ stop: Int32) -> Outcome {
    let handle = "/org/freedesktop/portal/desktop/request/fencepost/\(UInt64.random(in: 1...UInt64.max))"
    do throws(DBusFailure) {
      let connection = try DBusConnection(bus)
      let reply = try connection.call(
        service, path: "/org/freedesktop/portal/desktop", interface: Self.interface, "AccessDialog",
        Self.arguments(question, handle: handle), until: .now + Self.patience, stop: stop)
      guard let reply else {
        let wasWithdrawn = Readiness.now(stop) != []
        _ = try? connection.call(
          service, path: handle, interface: "org.freedesktop.impl.portal.Request", "Close", timeout: 1)
        return wasWithdrawn ? .withdrawn : .unanswered
      }
      return Self.outcome(reply, of: question)
    } catch {
      return .unavailable
    }
  }

  /// The name of the choice between levels of access.
  private static let choice = "level"

  /// The arguments of `AccessDialog`.
  private static func arguments(_ question: AccessQuestion, handle: String) -> [DBusValue] {
    let granted = question.answers.filter { $0 != .denied }
    var options: [(String, DBusValue)] = [
      ("modal", .bool(false)), ("icon", .string("appointment-new")),
      ("deny_label", .string(DesktopNotification.label(of: .denied))), ("grant_label", .string("Allow")),
    ]
    if granted.count > 1 {
      let levels = granted.map {
        DBusValue.structure([.string($0.word), .string(DesktopNotification.label(of: $0))])
      }
      let choice = DBusValue.structure([
        .string(choice), .string("Access"), .array(levels, of: "(ss)"), .string(granted[0].word),
      ])
      options.append(("choices", .array([choice], of: "(ssa(ss)s)")))
    }
    return [
      .objectPath(handle), .string(""), .string(""), .string("Access to your \(question.subject.word)"),
      .string(question.title), .string(question.details.joined(separator: "\n")), .dictionary(options),
    ]
  }

  /// What a reply means: 0 allows, 1 refuses, 2 is an end without an answer.
  private static func outcome(_ reply: [DBusValue], of question: AccessQuestion) -> Outcome {
    guard case .uint32(let code)? = reply.first, code <= 1 else { return .unanswered }
    if code == 1 { return .answered(.denied) }
    let granted = question.answers.filter { $0 != .denied }
    let chosen = reply.count > 1 ? reply[1]["choices"]?.elements ?? [] : []
    let word = chosen.compactMap(\.elements).first { $0.first?.text == choice }?.last?.text
    if let word { return granted.first { $0.word == word }.map(Outcome.answered) ?? .unanswered }
    // A dialog that does not show choices allows the least.
    return granted.last.map(Outcome.answered) ?? .unanswered
  }
}
