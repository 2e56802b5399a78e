import FencepostActions
import FencepostAlarmEngine
import FencepostCalendarModel
public import FencepostCalendarStore
import FencepostDBus
import FencepostRecurrence
import FencepostSystem
import Foundation

/// Shows each notice as a desktop notification with actions.
///
/// Done completes the reminder, Snooze snoozes the alarm, Join opens the event's conference, Ticket the page
/// with the ticket, and closing the notification acknowledges it, as with `fencepost alarms` (RFC 9074). The
/// notification disappears if the user responds elsewhere. Without a desktop, it retries.
///
/// It also asks about apps that wait for access to the store: in the desktop's dialog, else by notifications.
public final class DesktopChannel: Channel {
  private let address: DesktopAddress
  private let words: NoticeWords
  private let resolver: TimeResolver
  private let joinHosts: JoinHosts
  private let bus: DBusConnection.Bus
  private let answer: NotificationService.Handler
  private let canAnswerSuggestions: Bool
  /// Whether there is a page to show tickets.
  private let hasTickets: Bool
  /// `nil` before the first use.
  private var service: NotificationService?
  /// The keys of the questions about access that were shown. Each is shown once, also if the user only closed
  /// it.
  private var asked: Set<String> = []
  private var dialog: AccessDialog
  private let answerApp: @Sendable (AccessQuestion, AccessLevel) -> Void

  /// A channel that writes responses to `context.store`.
  init(
    _ address: DesktopAddress, _ context: ChannelContext, bus: DBusConnection.Bus = .session,
    backends: PortalBackends = PortalBackends(environment: ProcessInfo.processInfo.environment),
    clock: @escaping @Sendable () -> Instant = Instant.wallClock,
    open: @escaping @Sendable (String) -> Void = { DesktopChannel.openInBrowser($0) }
  ) {
    self.address = address
    self.bus = bus
    words = NoticeWords(resolver: context.resolver)
    resolver = context.resolver
    joinHosts = context.joinHosts
    canAnswerSuggestions = context.answerSuggestion != nil
    hasTickets = context.answers != nil
    dialog = AccessDialog(bus, backends)
    answerApp = { question, level in
      DesktopChannel.answer(question, .access(level), at: clock(), context)
    }
    answer = { key, answer, show in
      let now = clock()
      if case .suggestion(let choice, let revision) = answer {
        return DesktopChannel.answer(key, choice, revision, context) { title, refusal in
          show(
            DesktopNotification(
              key: "", title: title, lines: [refusal], urgency: address.urgency, sound: nil))
        }
      }
      if let question = AccessQuestion(notification: key) {
        return DesktopChannel.answer(question, answer, at: now, context)
      }
      let response: AlarmResponse =
        switch answer {
        case .done: .complete
        case .snooze: .snooze(until: now.adding(seconds: address.snooze))
        case .seen, .join, .ticket, .suggestion, .access: .acknowledge
        }
      do {
        if answer == .join, let entry = try context.store.read({ try $0.firing(key: key) }),
          let address = entry.context?.details.joinAddress(at: context.joinHosts)
        {
          open(address)
        }
        if answer == .ticket, let notice = try context.store.read({ try $0.notice(key: key) }),
          let address = context.answers?.ticket(notice)
        {
          open(address)
        }
        try context.store.write { writer in
          _ = try writer.respond(response, to: key, at: now, resolver: context.resolver)
        }
      } catch {
        context.log(.error, "desktop: can't save a response: \(error)")
      }
    }
  }

  deinit {
    service?.stop()
    dialog.stop()
  }

  /// Answers a suggestion, on a thread of its own because a server may be asked for its place.
  ///
  /// - Parameter say: Tells the person that the suggestion with this title was not answered, and why.
  private static func answer(
    _ key: String, _ choice: SuggestionAnswer, _ revision: String, _ context: ChannelContext,
    say: @escaping @Sendable (_ title: String, _ refusal: String) -> Void
  ) {
    guard choice != .later, let handler = context.answerSuggestion else { return }
    do {
      try SystemThread.start("answer") {
        do {
          guard case .suggestion(let suggestion)? = try context.store.read({ try $0.notice(key: key) }) else {
            return
          }
          guard let refusal = try handler(suggestion.id, choice, revision) else { return }
          say(suggestion.title.withoutControls, refusal)
        } catch {
          context.log(.error, "desktop: can't answer a suggestion: \(error)")
        }
      }
    } catch {
      context.log(.error, "desktop: can't answer a suggestion: \(error)")
    }
  }

  /// Answers an app. Whoever only closes the question has not answered it: the app goes on waiting.
  private static func answer(
    _ question: AccessQuestion, _ answer: NotificationService.Answer, at now: Instant,
    _ context: ChannelContext
  ) {
    guard case .access(let level) = answer else { return }
    do {
      guard try context.store.write({ try $0.answer(question, level, at: now) }) != nil else { return }
      context.log(
        .notice, "access of \(question.app.withoutControls): \(level.word) (\(question.subject.word))")
    } catch {
      context.log(.error, "desktop: can't save an answer about access: \(error)")
    }
  }

  /// Opens an address with the desktop's program for it.
  private static func openInBrowser(_ address: String) {
    // It may take a while, and must be waited for.
    try? SystemThread.start("join") {
      _ = try? ChildProgram(path: "xdg-open", arguments: [address]).run(input: [], timeout: 60, output: 2)
    }
  }

  /// Keeps the shown notifications, so that users can still respond.
  public func takeOver(from predecessor: any Channel) {
    guard let predecessor = predecessor as? DesktopChannel else { return }
    service?.stop()
    service = predecessor.service
    asked = predecessor.asked
    predecessor.service = nil
    (dialog, predecessor.dialog) = (predecessor.dialog, dialog)
    service?.answer(answer)
  }

  /// Shows the notice.
  public func deliver(_ delivery: Delivery, line: String) throws(DeliveryFailure) {
    let notice = delivery.notice
    guard !notice.isAnswered else { return }
    var notification = DesktopNotification(
      key: notice.key, title: words.title(notice), lines: words.lines(notice),
      urgency: delivery.isQuiet ? .low : address.urgency, sound: delivery.isQuiet ? nil : address.sound)
    if canAnswerSuggestions {
      notification.answers = words.buttons(notice)
      notification.revision = notice.revision ?? ""
    }
    if let entry = notice.firing {
      notification.isAlarm = true
      notification.isReminder = entry.context?.isReminder ?? true
      notification.isJoinable = entry.context?.details.joinAddress(at: joinHosts) != nil
      notification.hasTicket = hasTickets && notice.ticketPath != nil
      notification.isLate = entry.firing.isLate
    }
    do {
      if let failure = try startedService().show(notification) { throw failure }
    } catch {
      throw DeliveryFailure("\(error)")
    }
  }

  private func startedService() throws -> NotificationService {
    if let service { return service }
    let made = try NotificationService(bus, answer: answer)
    service = made
    return made
  }

  /// Closes notifications with a response elsewhere, also in another program, and those of completed
  /// reminders.
  public func review(_ store: CalendarStore) throws {
    try reviewQuestions(in: store)
    guard let service else { return }
    let shown = service.shown
    guard !shown.isEmpty else { return }
    let answered = try store.read { reader in
      // What a trial showed stays for its reader, though its firing is gone.
      try shown.filter { key in
        if AccessQuestion(notification: key) != nil { return false }
        guard let notice = try reader.notice(key: key) else { return !Trial.isKey(key) }
        return try reader.isSettled(notice, resolver: resolver)
      }
    }
    if !answered.isEmpty { service.close(answered) }
  }

  /// Shows the questions of apps that have begun to wait, and closes those that were answered elsewhere.
  private func reviewQuestions(in store: CalendarStore) throws {
    let questions = try store.read { try $0.accessQuestions() }
    guard !questions.isEmpty || !asked.isEmpty else { return }
    let answered = asked.subtracting(questions.map(\.notificationKey))
    if !answered.isEmpty {
      service?.close(Array(answered))
      dialog.withdraw(answered)
    }
    asked.subtract(answered)
    for question in questions.prefix(Self.maximumQuestions) where !asked.contains(question.notificationKey) {
      var notification = DesktopNotification(
        key: question.notificationKey, title: question.title, lines: question.details,
        urgency: address.urgency, sound: address.sound)
      notification.accessAnswers = question.answers
      if try askInDialog(question, orShow: notification) { continue }
      // Without a desktop, it is shown at the next change, and "fencepost access answer" asks too.
      if try startedService().show(notification) != nil { return }
      asked.insert(question.notificationKey)
    }
  }

  /// Shows a question in the desktop's dialog, and as a notification if nobody answers there.
  ///
  /// - Returns: False if there is no dialog now.
  private func askInDialog(
    _ question: AccessQuestion, orShow notification: DesktopNotification
  ) throws -> Bool {
    guard address.asksInDialog else { return false }
    let (service, answerApp) = (try startedService(), answerApp)
    let isShown = dialog.ask(question) { outcome in
      switch outcome {
      case .answered(let level): answerApp(question, level)
      case .unanswered, .unavailable: service.tell(notification)
      case .withdrawn: break
      }
    }
    if isShown { asked.insert(question.notificationKey) }
    return isShown
  }

  /// The most questions that are shown: programs with many names can't fill the desktop.
  private static let maximumQuestions = 5
}

extension AccessQuestion {
  private static let keyPrefix = "access:"

  /// The key of its notification.
  var notificationKey: String { "\(Self.keyPrefix)\(subject.word):\(app)" }

  /// The question of a notification; `nil` for another notification.
  fileprivate init?(notification key: String) {
    guard key.hasPrefix(Self.keyPrefix) else { return nil }
    let parts = key.dropFirst(Self.keyPrefix.count).split(separator: ":", maxSplits: 1)
    guard parts.count == 2, let subject = AccessSubject.allCases.first(where: { $0.word == parts[0] }) else {
      return nil
    }
    self.init(app: String(parts[1]), subject: subject, known: nil)
  }
}
