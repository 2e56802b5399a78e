import FencepostCalendarModel
import FencepostCalendarStore
package import FencepostClients

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

  /// The page that shows what rings now.
  var page: String { server + "/now" }

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

  /// Answers a suggestion that still waits.
  func answer(_ suggestion: Suggestion, _ answer: SuggestionAnswer) throws -> Request {
    try request("suggestions", suggestion.id.rawValue, answer.rawValue, "{}")
  }

  private func request(_ action: String, _ entry: LedgerEntry, _ body: String) throws -> Request {
    // Not the firing's key, because it has the device's name.
    try request("firings", entry.id(hidingDevices: true), action, body)
  }

  private func request(_ kind: String, _ id: String, _ action: String, _ body: String) throws -> Request {
    Request(
      url: "\(server)/api/v1/\(kind)/\(id)/\(action)",
      headers: [
        ("Authorization", "Bearer \(try clients.answerToken(for: id))"),
        ("Content-Type", "application/json"),
      ], body: body)
  }
}
