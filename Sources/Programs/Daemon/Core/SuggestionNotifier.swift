import FencepostSystem
import FencepostAlarmEngine
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostItems
import FencepostJSON
import FencepostRecurrence
import FencepostReservations

/// Tells new suggestions over the channels that ask for them, no matter which program found them.
///
/// A told suggestion is in the ledger like an alarm, so each is told once, and again if a channel fails.
struct SuggestionNotifier {
  private let store: CalendarStore
  private let log: Log
  /// The number of the last suggestion that was looked at; `nil` before the first look.
  private var last: Int64?

  /// The setting in the store with ``last``.
  private static let setting = "told-suggestions"
  /// The most suggestions that are told at once: the first look into an old mailbox finds many.
  static let maximumAtOnce = 20

  init(store: CalendarStore, log: Log) throws {
    self.store = store
    self.log = log
    last = try store.read { try $0.setting(Self.setting) }.flatMap { Int64($0) }
  }

  /// Puts new suggestions that are not past into the ledger.
  ///
  /// Cost: microseconds without a new one.
  ///
  /// - Returns: Whether a channel has something to tell.
  mutating func record(
    at now: Instant, resolver: TimeResolver, channels: (LedgerEntry) -> [String]
  ) throws -> Bool {
    let latest = try store.read { try $0.lastSuggestion() }
    guard latest != last else { return false }
    let lines = SuggestionLines(resolver: resolver)
    // Where no daemon has looked before, nothing is new.
    let new = try last.map { last in try store.read { try $0.suggestions(after: last) } } ?? []
    let waiting = new.filter { $0.state == .proposed && !lines.isPast($0, at: now) }
    if waiting.count > Self.maximumAtOnce {
      log(.notice, "\(waiting.count) new suggestions; telling \(Self.maximumAtOnce) of them")
    }
    let told = waiting.prefix(Self.maximumAtOnce).map { suggestion in
      (
        firing: Firing(
          kind: .suggestion, time: suggestion.found, alarm: Identifier(rawValue: "suggestion"),
          item: Identifier(rawValue: suggestion.id.rawValue)),
        context: FiringContext(suggestion, lines)
      )
    }.filter { !channels(LedgerEntry(number: 0, firing: $0.firing, context: $0.context)).isEmpty }
    try store.write { writer in
      try writer.setQuietly(String(latest), for: Self.setting)
      for (firing, context) in told {
        try writer.record(firing, context, now: now, channels: channels)
      }
    }
    last = latest
    return !told.isEmpty
  }
}

extension FiringContext {
  /// What channels tell of a suggestion.
  fileprivate init(_ suggestion: Suggestion, _ lines: SuggestionLines) {
    let sender = suggestion.sender.map { "From \($0)\(suggestion.isSigned ? " (signed)" : "")" }
    self.init(
      itemTitle: suggestion.title, isReminder: false, list: Identifier(rawValue: ""), listTitle: "",
      message: sender ?? suggestion.app.map { "From the app \($0)" })
    let reservation = lines.reservation(suggestion)
    details.start = suggestion.start
    details.location = reservation?.place?.label
    details.url = reservation?.links[.page]
    details.notes = "To accept it: fencepost suggestions accept \(suggestion.id.rawValue.prefix(8))"
  }
}
