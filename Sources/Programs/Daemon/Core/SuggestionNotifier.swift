import FencepostCalendarModel
import FencepostCalendarStore
import FencepostItems
import FencepostRecurrence
import FencepostSystem

/// Tells new suggestions over the channels that ask for them, no matter which program found them.
///
/// Each is told once, and again if a channel fails.
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

  /// Gives channels new suggestions that are not past.
  ///
  /// Cost: microseconds without a new one.
  ///
  /// - Returns: Whether a channel has something to tell.
  mutating func record(
    at now: Instant, resolver: TimeResolver, channels: (Notice) -> [String]
  ) throws -> Bool {
    let latest = try store.read { try $0.lastSuggestion() }
    guard latest != last else { return false }
    let lines = SuggestionJSON(resolver: resolver)
    // Where no daemon has looked before, nothing is new.
    let new = try last.map { last in try store.read { try $0.suggestions(after: last) } } ?? []
    // Also what a trusted sender changed in an event without a question.
    let waiting = new.filter { suggestion in
      let isApplied = suggestion.replaces != nil && [.accepted, .cancelled].contains(suggestion.state)
      return (suggestion.state == .proposed || isApplied) && !lines.isPast(suggestion, at: now)
    }
    if waiting.count > Self.maximumAtOnce {
      log(.notice, "\(waiting.count) new suggestions; telling \(Self.maximumAtOnce) of them")
    }
    let told = waiting.prefix(Self.maximumAtOnce).map { ($0.id, channels: channels(.suggestion($0))) }
    try store.write { writer in
      try writer.setQuietly(String(latest), for: Self.setting)
      for (suggestion, channels) in told { try writer.addDeliveries(of: suggestion, over: channels, at: now) }
    }
    last = latest
    return told.contains { !$0.channels.isEmpty }
  }
}
