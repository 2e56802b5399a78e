import CalendarStore
import Interchange
import Recurrence
import Reservations
import System

/// Finds bookings in the mails of a Maildir, and puts them into the inbox of suggestions.
///
/// It scans all mails that were not scanned before, and sleeps until a mail arrives in `new` (inotify(7)). Each mail is read
/// once, also after a restart.
final class MaildirFeed: LiveFeed {
  private let path: String
  private let inbox: Inbox
  private let interrupter: Int32

  /// The store with the inbox, and the zones of times.
  struct Inbox: Sendable {
    var store: CalendarStore
    var resolver: TimeResolver
    var alarms = ReservationAlarms()
  }

  init(_ path: String, inbox: Inbox, interruptedBy interrupter: Int32) {
    self.path = path
    self.inbox = inbox
    self.interrupter = interrupter
  }

  func run(_ desk: FeedDesk) throws {
    // Each name in it, because all names begin with nothing.
    let watch = try FileWatch(path: "\(path)/new/", .family)
    desk.opened()
    repeat {
      _ = watch.drain()
      let scan = try SuggestionScan(
        inbox.store, resolver: inbox.resolver, alarms: inbox.alarms, at: .wallClock())
      try scan.run(path, skipped: { desk.note(.debug, "\($0)") }, progress: { _, _ in }) { change in
        guard change.outcome != .unchanged else { return }
        desk.note(.info, "\(change.outcome.rawValue): \(change.suggestion.title)")
      }
    } while Readiness.wait(for: watch.descriptor, interruptedBy: interrupter) != .interrupted
  }
}
