import FencepostAlgorithms
import FencepostCalendarModel
import FencepostCalendarStore
package import FencepostClients
import FencepostReservations

/// How a phone that gets a notification can answer its alarm or suggestion: by a request to the API of this
/// machine, with a token that allows answering this one for a week.
package struct AnswerLinks: Sendable {
  private let server: String
  private let clients: ClientRegistry

  /// Links to a server.
  ///
  /// - Parameters:
  ///   - server: The address of the web app for phones, without a path.
  ///   - clients: Makes the tokens.
  package init(server: String, clients: ClientRegistry) {
    self.server = server
    self.clients = clients
  }

  /// The page that a notice opens: the ticket that it offers, otherwise what rings now.
  func page(_ notice: Notice) -> String { server + (notice.ticketPath ?? "/now") }

  /// A POST request of the API: its address, headers and JSON body.
  struct Request {
    var url: String
    var headers: [(name: String, value: String)]
    var body: String
  }

  /// Completes the reminder, or acknowledges an event's alarm.
  func done(_ entry: LedgerEntry) throws -> Request { try request("complete", entry, "{}") }

  /// Snoozes an alarm.
  func snooze(_ entry: LedgerEntry, seconds: Double) throws -> Request {
    try request("snooze", entry, "{\"minutes\":\(max(1, Int((seconds / 60).rounded(.up))))}")
  }

  /// Answers a suggestion that still waits and has not changed.
  func answer(_ suggestion: Suggestion, _ answer: SuggestionAnswer) throws -> Request {
    try request(
      "suggestions", suggestion.id.rawValue, answer.rawValue, "{}", revision: suggestion.revision)
  }

  /// The address of the ticket that an alarm offers; `nil` without one.
  func ticket(_ notice: Notice) -> String? { notice.ticketPath.map { server + $0 } }

  private func request(_ action: String, _ entry: LedgerEntry, _ body: String) throws -> Request {
    // Not the firing's key, because it has the device's name.
    try request("firings", entry.id(hidingDevices: true), action, body)
  }

  private func request(
    _ kind: String, _ id: String, _ action: String, _ body: String, revision: String? = nil
  ) throws -> Request {
    Request(
      url: "\(server)/api/v1/\(kind)/\(id)/\(action)",
      headers: [
        ("Authorization", "Bearer \(try clients.answerToken(for: id, revision: revision))"),
        ("Content-Type", "application/json"),
      ], body: body)
  }
}

extension Notice {
  /// The path of the page with the ticket that an alarm offers; `nil` without one.
  var ticketPath: String? {
    guard let firing, ReservationAlarms.isTicket(firing.firing.alarm) else { return nil }
    return "/suggestions?ticket=\(PercentEncoding.encode(firing.firing.item.rawValue))"
  }
}
