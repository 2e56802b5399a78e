package import FencepostCalendarModel
package import FencepostCalendarStore
package import FencepostInterchange
package import FencepostRecurrence
package import FencepostReservations
import FencepostSystem

/// What a feed of mails fills: the inbox of suggestions of a store.
package struct MailInbox: Sendable {
  /// The store with the inbox.
  package var store: CalendarStore
  /// The zones of times.
  package var resolver: TimeResolver
  /// The alarms of bookings that trusted senders change.
  package var alarms = ReservationAlarms()
  /// Reads PDFs; `nil` if that program is not installed.
  package var extractor: BookingExtractor?

  package init(
    store: CalendarStore, resolver: TimeResolver, alarms: ReservationAlarms = ReservationAlarms(),
    extractor: BookingExtractor? = nil
  ) {
    self.store = store
    self.resolver = resolver
    self.alarms = alarms
    self.extractor = extractor
  }

  /// A scan for the inbox.
  package func scan(at now: Instant) throws -> SuggestionScan {
    try SuggestionScan(store, resolver: resolver, alarms: alarms, at: now, extractor: extractor)
  }

  /// Logs what a mail changed.
  package func log(_ change: SuggestionInbox.Change, _ output: FeedOutput) {
    guard change.outcome != .unchanged else { return }
    output.log(.info, "\(change.outcome.rawValue): \(change.suggestion.title)")
  }
}

/// Finds bookings in the mails of a Maildir, and puts them into the inbox of suggestions.
///
/// It scans all mails that were not scanned before, and sleeps until a mail arrives in `new` (inotify(7)).
/// Each mail is read once, also after a restart.
final class MaildirFeed: LiveFeed {
  private let path: String
  private let inbox: MailInbox
  private let interrupter: Int32

  init(_ path: String, inbox: MailInbox, interruptedBy interrupter: Int32) {
    self.path = path
    self.inbox = inbox
    self.interrupter = interrupter
  }

  func run(_ output: FeedOutput) throws {
    // Each name in it, because all names begin with nothing.
    let watch = try FileWatch(path: "\(path)/new/", .family)
    output.opened()
    repeat {
      _ = watch.drain()
      try inbox.scan(at: .wallClock()).run(
        path, skipped: { output.log(.debug, "\($0)") }, progress: { _, _ in }
      ) { inbox.log($0, output) }
    } while Readiness.wait(for: watch.descriptor, interruptedBy: interrupter) != .interrupted
  }
}
