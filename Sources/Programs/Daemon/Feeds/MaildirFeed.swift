import FencepostCalendarModel
import FencepostInterchange
import FencepostSystem

/// Finds bookings in the mails of a Maildir, and puts them into the inbox of suggestions.
///
/// It scans all mails that were not scanned before, and sleeps until a mail arrives in `new` (inotify(7)). Each mail is read
/// once, also after a restart.
final class MaildirFeed: LiveFeed {
  private let path: String
  private let inbox: MailInbox
  private let interrupter: Int32

  init(_ path: String, inbox: MailInbox, interruptedBy interrupter: Int32) {
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
      try inbox.scan(at: .wallClock()).run(
        path, skipped: { desk.note(.debug, "\($0)") }, progress: { _, _ in }
      ) { inbox.note($0, desk) }
    } while Readiness.wait(for: watch.descriptor, interruptedBy: interrupter) != .interrupted
  }
}
