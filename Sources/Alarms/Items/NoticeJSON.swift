import FencepostAlarmEngine
public import FencepostCalendarModel
public import FencepostCalendarStore
import FencepostJSON
public import FencepostRecurrence

/// What channels tell, as JSON: the same object that the command line prints.
public struct NoticeJSON {
  private let firings: FiringJSON
  private let suggestions: SuggestionJSON

  /// Lines with times in `resolver`'s floating zone. Use it on one thread.
  ///
  /// - Parameter joinHosts: Hosts whose links are all to meetings.
  public init(resolver: TimeResolver, joinHosts: JoinHosts = JoinHosts()) {
    firings = FiringJSON(resolver: resolver, joinHosts: joinHosts)
    suggestions = SuggestionJSON(resolver: resolver, joinHosts: joinHosts)
  }

  /// What happened to a suggestion when it came into the inbox.
  private static func outcome(_ suggestion: Suggestion) -> String {
    switch suggestion.state {
    case .proposed, .rejected, .superseded: "proposed"
    case .accepted: "updated"
    case .cancelled: "cancelled"
    }
  }

  /// The line of a notice, without a line end.
  public func line(_ notice: Notice) -> String {
    switch notice {
    case .firing(let entry): firings.line(entry)
    case .suggestion(let suggestion):
      suggestions.object(suggestion, outcome: Self.outcome(suggestion)).line
    }
  }
}
