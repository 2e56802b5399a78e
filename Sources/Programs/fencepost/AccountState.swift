import FencepostCalendarModel
import FencepostCalendarStore
import FencepostJSON
import FencepostSynchronizer

/// An account as `accounts list` and `status` show it.
struct AccountState {
  let account: SyncAccount
  let name: String
  /// The number of its lists.
  let lists: Int
  /// The number of removals that wait for an answer.
  let waiting: Int
  /// The number of its lists whose changes the server pushes.
  let pushing: Int
  /// The items that the server refuses.
  let refusals: [RefusedItem]
  /// The number of objects that are on the server and not here.
  let left: Int
  /// The objects that the server lists and does not give.
  let unread: [(name: String, calendar: String)]
  let server: ServerCapabilities

  static func all(in reader: borrowing StoreReader) throws -> [AccountState] {
    try reader.syncAccounts().map { account in
      let lists = try reader.syncedCalendars(of: account.number)
      return AccountState(
        account: account, name: try reader.accountName(account), lists: lists.count,
        waiting: lists.reduce(0) { $0 + $1.waitingRemovals + $1.waitingDeletions },
        pushing: try reader.syncRegistrations(of: account.number).count { $0.address != nil },
        refusals: try reader.refusedItems(of: account.number),
        left: try reader.countOfLeftObjects(of: account.number),
        unread: try reader.unreadObjects(of: account.number), server: ServerCapabilities(of: account))
    }
  }

  /// What people should know of it: the last failure, removals that wait, limits of the server.
  var remarks: [String] {
    var remarks = account.failure.map { ["failed: \($0)"] } ?? []
    if waiting > 0 { remarks.append("\(waiting) removals wait") }
    if let refusal = refusals.first {
      remarks.append("only here: \(refusals.count) (\(refusal.reason))")
    }
    if left > 0 {
      remarks.append("only there: \(left) (can't be read, or there twice)")
    }
    if !unread.isEmpty { remarks.append("not given: \(unread.count) (the server lists them)") }
    return remarks + server.limits
  }

  /// Adds its keys to an object.
  func json(_ line: JSONLine) -> JSONLine {
    var line = line
    line.add("name", name)
    line.add("kind", account.kind.rawValue)
    line.add("address", account.address)
    line.add("user", account.user)
    line.add("lists", lists)
    line.add("checked", account.checked?.rfc3339())
    line.add("succeeded", account.succeeded?.rfc3339())
    line.add("next", account.next.rfc3339())
    line.add("failures", account.failures)
    line.add("failure", account.failure)
    line.add("waiting", waiting)
    line.add("pushing", pushing)
    line.add("only_here", refusals.count)
    line.add(
      "refused",
      refusals.map { item in
        var refused = JSONLine()
        refused.add("uid", item.uid)
        refused.add("title", item.title)
        refused.add("list", item.calendar)
        refused.add("reason", item.reason)
        refused.add("time", item.refused.rfc3339())
        return refused
      })
    line.add("only_there", left)
    line.add(
      "not_given",
      unread.map { object in
        var one = JSONLine()
        one.add("name", object.name)
        one.add("list", object.calendar)
        return one
      })
    line.add("server", json: server.json)
    return line
  }

  /// The items that the server refuses, and the objects that it does not give, one a line; of many the first
  /// ones.
  var refused: [String] {
    let lines =
      refusals.map { "only here, in \($0.calendar): \($0.title) (\($0.reason))" }
      + unread.map { "not given, in \($0.calendar): \($0.name) (the server lists it)" }
    let more = lines.count - Self.maximumShown
    let rest = more > 0 ? ["and \(more) more at \(name); 'accounts list --json' has all"] : []
    return (lines.prefix(Self.maximumShown) + rest).map { FiringTable.plain($0) }
  }
  private static let maximumShown = 20

  /// Its line in `status`.
  func line(_ times: TimeText) -> String {
    let last = account.succeeded.map { "synchronized \(times.text($0))" } ?? "never synchronized"
    let again = account.failure == nil ? "" : "; again \(times.text(account.next))"
    return "account \(name): \(([last] + remarks).joined(separator: "; "))\(again)"
  }
}

extension StoreReader {
  /// The name of an account: that of its source, otherwise its address.
  func accountName(_ account: SyncAccount) throws -> String {
    try account.source.flatMap { try source($0)?.title } ?? account.address
  }
}
