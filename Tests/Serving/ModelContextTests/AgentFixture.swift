import FencepostAlarmEngine
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostJSON
import FencepostRecurrence
import FencepostTestSupport
import Testing

@testable import FencepostModelContext

/// A store, and an agent that speaks a transcript with it.
final class AgentFixture {
  let directory: TemporaryDirectory
  let store: CalendarStore
  /// Friday, 1 May 2026, 12:30 UTC.
  let now = Instant(microseconds: 1_777_638_600_000_000)

  init() throws {
    directory = try TemporaryDirectory()
    store = try CalendarStore(path: directory.path("calendar.sqlite"))
  }

  /// Decides about the agent.
  func decide(_ level: AccessLevel, _ subjects: AccessSubject...) throws {
    try store.write { writer in
      for subject in subjects {
        try writer.save(
          AccessDecision(app: "mcp:test", entity: subject.rawValue, status: level.rawValue, decided: now))
      }
    }
  }

  /// Saves a reminder or an event of an hour.
  @discardableResult
  func save(_ title: String, isEvent: Bool = false) throws -> CalendarItem {
    try store.write { writer in
      let start = CalendarTime(now.adding(seconds: 3_600))
      let end = CalendarTime(now.adding(seconds: 7_200))
      let item = CalendarItem(
        calendar: try writer.defaultCalendar(for: isEvent ? .events : .reminders).id, title: title,
        details: isEvent
          ? .event(EventDetails(start: start, end: end)) : .reminder(ReminderDetails(due: start)))
      try writer.save(item)
      return item
    }
  }

  func titles() throws -> [String] {
    try store.read { try $0.items(ItemSelection(), offset: 0, limit: 100).page.map(\.title) }
  }

  /// What the server sends for these lines.
  func speak(_ lines: [String], allowsDeletions: Bool = false) throws -> [String] {
    var input = lines[...]
    var output: [String] = []
    let resolver = TimeResolver(zones: TimeZoneDatabase(), floating: .utc)
    let server = AgentServer(
      store: store, name: "test", schedule: AlarmSchedule(resolver: resolver, defaults: AlarmDefaults()),
      allowsDeletions: allowsDeletions, clock: { [now] in now })
    try AgentSession(server, receive: { input.popFirst() }, send: { output.append($0) }).run()
    return output
  }

  /// The first message of a client that can ask its person, or not.
  static func greeting(canAsk: Bool = false) -> String {
    #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","clientInfo":"#
      + #"{"name":"Tester","version":"1"},"capabilities":{\#(canAsk ? #""elicitation":{}"# : "")}}}"#
  }

  /// A call of a tool, as a message.
  static func call(_ tool: String, _ arguments: String = "{}") -> String {
    #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"\#(tool)","arguments":\#(arguments)}}"#
  }

  /// The result of a call after a greeting.
  func call(
    _ tool: String, _ arguments: String = "{}", allowsDeletions: Bool = false
  ) throws -> (result: JSONValue, isError: Bool, line: String) {
    let output = try speak(
      [Self.greeting(), Self.call(tool, arguments)], allowsDeletions: allowsDeletions)
    let line = try #require(output.last)
    let result = try #require(JSONValue(reading: Array(line.utf8), maxDepth: 32)["result"])
    return (result, result["isError"]?.flag == true, line)
  }
}
