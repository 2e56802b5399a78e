import FencepostCalendarModel
import FencepostCalendarStore
import FencepostItems
import FencepostRecurrence
import FencepostReservations

/// Suggestions as rows of tables and as text.
struct SuggestionTexts {
  private let times: TimeText
  private let resolver: TimeResolver
  private let objects: SuggestionLines

  init(context: CommandContext) {
    times = TimeText(context: context)
    resolver = context.resolver
    objects = SuggestionLines(resolver: context.resolver)
  }

  /// Identifier, time, title, booking and sender.
  func cells(_ suggestion: Suggestion) -> [String] {
    let booking = [suggestion.provider, suggestion.reference].filter { !$0.isEmpty }.joined(separator: " ")
    let mail = suggestion.sender.map { "from \($0)\(suggestion.isSigned ? " (signed)" : "")" }
    let sender = mail ?? suggestion.app.map { "from the app \($0)" } ?? ""
    let title = suggestion.title + (suggestion.replaces == nil ? "" : " (update)")
    return [
      String(suggestion.id.rawValue.prefix(8)), suggestion.start.map(times.brief) ?? "", title, booking,
      sender,
    ]
  }

  /// The details for people, one line each.
  func details(_ suggestion: Suggestion) -> [String] {
    var lines = [suggestion.title, "State: \(suggestion.state.rawValue)"]
    func add(_ label: String, _ text: String?) {
      if let text, !text.isEmpty { lines.append("\(label): \(text)") }
    }
    add("Starts", suggestion.start.map(times.text))
    let calendar = Identifier<ItemCalendar>(rawValue: "")
    if let reservation = objects.reservation(suggestion),
      let event = reservation.event(in: calendar, uid: "", zones: resolver.zones)
    {
      add("Ends", event.event.map { times.text($0.end) })
      add("Where", event.location)
      lines += event.notes?.split(separator: "\n").map(String.init) ?? []
      add("URL", event.url)
      for alarm in event.alarms { add("Alarm", times.text(alarm)) }
    }
    if let sender = suggestion.sender {
      add("Sender", "\(sender), \(suggestion.isSigned ? "signed" : "not signed")")
    }
    add("App", suggestion.app)
    add("Update of", suggestion.replaces.map { String($0.rawValue.prefix(8)) })
    add("Event", suggestion.item?.rawValue)
    add("Identifier", suggestion.id.rawValue)
    return lines
  }
}
