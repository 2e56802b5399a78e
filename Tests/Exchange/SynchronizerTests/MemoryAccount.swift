import FencepostCalDAV
import FencepostCalendarModel
import FencepostReconciliation
import Foundation

@testable import FencepostCalDAVClient
@testable import FencepostSynchronizer

/// A server with lists in memory.
final class MemoryAccount: CalendarHome {
  private(set) var lists: [String: (title: String, server: MemoryServer)] = [:]
  let habits: MemoryServer.Habits
  /// Called before and after the work of each request. If it throws, the client gets no answer.
  var interrupt: (_ isDone: Bool) throws -> Void = { _ in }
  /// The lists of which it has copies, by path.
  var origins: [String: String] = [:]
  /// The kinds of items that its lists take.
  var kinds: ItemCalendar.Entities = [.events, .reminders]
  /// False if lists can't be removed.
  var removesLists = true

  init(habits: MemoryServer.Habits = .init()) { self.habits = habits }

  private func answer<Result>(_ work: () throws -> Result) throws -> Result {
    try interrupt(false)
    let result = try work()
    try interrupt(true)
    return result
  }

  func calendars() throws -> [RemoteCalendar] {
    try answer {
      lists.sorted { $0.key < $1.key }.compactMap { name, list in
        URL(string: "http://server\(name)").map { url in
          RemoteCalendar(
            url: url, name: name, title: list.title, color: nil, takesEvents: kinds.contains(.events),
            takesReminders: kinds.contains(.reminders),
            isWritable: true, changeTag: habits.hasNoTokens ? "\(list.server.number)" : nil,
            token: habits.hasNoTokens ? nil : "\(list.server.number)", canSync: !habits.hasNoTokens,
            canPush: canPush, pushKey: pushKey, origin: origins[name])
        }
      }
    }
  }

  func create(_ segment: String, title: String, color: String?, components: [String]) throws -> String {
    try answer {
      let name = "/\(segment)/"
      if lists[name] == nil { add(name, title) }
      return name
    }
  }

  /// Adds a list as another program would.
  func add(_ name: String, _ title: String) {
    let server = MemoryServer()
    server.habits = habits
    server.interrupt = { [unowned self] in try interrupt($0) }
    lists[name] = (title, server)
  }

  func change(_ calendar: URL, title: String?, color: String?) throws -> Bool {
    try answer {
      if let title { lists[calendar.path + "/"]?.title = title }
      return true
    }
  }

  func remove(_ calendar: RemoteCalendar) throws {
    try answer {
      guard removesLists else { throw DAVFailure(.forbidden, "not allowed") }
      lists[calendar.name] = nil
    }
  }

  /// What it was asked to push, by the path of the list.
  private(set) var pushes: [String: PushRegistration] = [:]
  /// The paths of all registrations so far.
  private(set) var registrations: [String] = []
  /// How it answers to registrations: when they end, in seconds; `nil` refuses.
  var pushTerm: Double? = 86_400
  /// Whether lists say that they push.
  var canPush = false
  /// The key by which it signs what it pushes.
  var pushKey: String?
  var now = Instant(seconds: 1_800_000_000)

  func register(
    _ registration: PushRegistration, for calendar: RemoteCalendar
  ) throws -> (address: URL, expires: Instant?) {
    try answer {
      guard let pushTerm, let address = URL(string: "http://server/registrations\(calendar.name)") else {
        throw DAVFailure(.forbidden, "not allowed")
      }
      pushes[calendar.name] = registration
      registrations.append(calendar.name)
      return (address, now.adding(seconds: pushTerm))
    }
  }

  func unregister(_ address: URL) throws {
    try answer { pushes[String(address.absoluteString.dropFirst("http://server/registrations".count))] = nil }
  }

  func objects(of calendar: RemoteCalendar) -> any SyncPeer { lists[calendar.name]?.server ?? MemoryServer() }
}
