import FencepostActions
import FencepostAlarmEngine
import FencepostCalendarModel
public import FencepostCalendarStore
import FencepostDBus
import FencepostRecurrence
import FencepostSystem

/// Shows each notice as a desktop notification with actions.
///
/// Done completes the reminder, Snooze snoozes the alarm, Join opens the event's conference, and closing the
/// notification acknowledges it, as with `fencepost alarms` (RFC 9074). The notification disappears if the
/// user responds elsewhere. Without a desktop, it retries.
public final class DesktopChannel: Channel {
  private let address: DesktopAddress
  private let words: NoticeWords
  private let resolver: TimeResolver
  private let bus: DBusConnection.Bus
  private let answer: NotificationService.Handler
  private let canAnswerSuggestions: Bool
  /// `nil` before the first use.
  private var service: NotificationService?

  /// A channel that writes responses to `context.store`.
  init(
    _ address: DesktopAddress, _ context: ChannelContext, bus: DBusConnection.Bus = .session,
    clock: @escaping @Sendable () -> Instant = Instant.wallClock,
    open: @escaping @Sendable (String) -> Void = { DesktopChannel.openInBrowser($0) }
  ) {
    self.address = address
    self.bus = bus
    words = NoticeWords(resolver: context.resolver)
    resolver = context.resolver
    canAnswerSuggestions = context.answerSuggestion != nil
    answer = { key, answer in
      let now = clock()
      if case .suggestion(let choice) = answer {
        return DesktopChannel.answer(key, choice, context)
      }
      let response: AlarmResponse =
        switch answer {
        case .done: .complete
        case .snooze: .snooze(until: now.adding(seconds: address.snooze))
        case .seen, .join, .suggestion: .acknowledge
        }
      do {
        if answer == .join, let entry = try context.store.read({ try $0.firing(key: key) }),
          let address = entry.context?.details.joinAddress
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

  deinit { service?.stop() }

  /// Answers a suggestion, on a thread of its own because a server may be asked for its place.
  private static func answer(_ key: String, _ choice: SuggestionAnswer, _ context: ChannelContext) {
    guard let handler = context.answerSuggestion else { return }
    do {
      try SystemThread.start("answer") {
        do {
          guard case .suggestion(let suggestion)? = try context.store.read({ try $0.notice(key: key) }) else {
            return
          }
          _ = try handler(suggestion.id, choice)
        } catch {
          context.log(.error, "desktop: can't answer a suggestion: \(error)")
        }
      }
    } catch {
      context.log(.error, "desktop: can't answer a suggestion: \(error)")
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
    predecessor.service = nil
    service?.answer(answer)
  }

  /// Shows the notice.
  public func deliver(_ delivery: Delivery, line: String) throws(DeliveryFailure) {
    let notice = delivery.notice
    guard !notice.isAnswered else { return }
    var notification = DesktopNotification(
      key: notice.key, title: words.title(notice), lines: words.lines(notice),
      urgency: delivery.isQuiet ? .low : address.urgency, sound: delivery.isQuiet ? nil : address.sound)
    if canAnswerSuggestions { notification.answers = words.buttons(notice) }
    if let entry = notice.firing {
      notification.isAlarm = true
      notification.isReminder = entry.context?.isReminder ?? true
      notification.isJoinable = entry.context?.details.joinAddress != nil
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
    guard let service else { return }
    let shown = service.shown
    guard !shown.isEmpty else { return }
    let answered = try store.read { reader in
      // What a trial showed stays for its reader, though its firing is gone.
      try shown.filter { key in
        guard let notice = try reader.notice(key: key) else { return !Trial.isKey(key) }
        return try reader.isSettled(notice, resolver: resolver)
      }
    }
    if !answered.isEmpty { service.close(answered) }
  }
}
