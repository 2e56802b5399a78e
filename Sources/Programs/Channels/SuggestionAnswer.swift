package import FencepostCalendarModel
package import FencepostCalendarStore
import FencepostICalendar
import FencepostItems

/// A button of a suggestion's notification.
package enum SuggestionAnswer: String, Sendable, CaseIterable {
  case accept, tentative, decline
  /// The suggestion goes on waiting.
  case later

  /// Answers a suggestion for a channel, as it was with the revision that the person saw. May block for
  /// seconds.
  ///
  /// - Returns: Why it was not answered, for the person; `nil` if it was.
  package typealias Handler =
    @Sendable (
      _ suggestion: Identifier<Suggestion>, _ answer: SuggestionAnswer, _ revision: String
    ) throws -> String?

  /// The text of the button.
  var label: String {
    switch self {
    case .accept: "Accept"
    case .tentative: "Tentative"
    case .decline: "Decline"
    case .later: "Not now"
    }
  }

  /// What the person is told after it.
  var outcome: String {
    switch self {
    case .accept: "Accepted"
    case .tentative: "Accepted tentatively"
    case .decline: "Declined"
    case .later: "It waits in the list of suggestions"
    }
  }

  /// The buttons of a suggestion: an invitation is answered, a booking can wait.
  static func buttons(of suggestion: Suggestion, _ objects: SuggestionJSON) -> [SuggestionAnswer] {
    guard suggestion.state == .proposed else { return [] }
    let isInvitation = objects.invitation(suggestion)?.isAnswerable ?? false
    return isInvitation ? [.accept, .tentative, .decline] : [.accept, .later]
  }
}
