import FencepostCalDAVClient
import FencepostICalendar
import FencepostReconciliation

/// A server with one collection in memory, with the habits and failures that a test wants.
final class MemoryServer: SyncPeer, @unchecked Sendable {
  /// What is wrong with it.
  struct Habits {
    /// It writes objects again in another order.
    var rewrites = false
    /// It cuts unknown values at the first comma, as Radicale does.
    var cutsValues = false
    /// It knows no e-mail alarms, and makes notifications of them.
    var knowsNoEmails = false
    /// It says no tag after a change.
    var omitsTags = false
    /// It has no tokens.
    var hasNoTokens = false
    /// It forgets old tokens at once.
    var forgetsTokens = false
    /// It accepts objects, and does not keep them.
    var forgetsWrites = false
    /// The objects that it lists and does not give.
    var hidden: Set<String> = []
    /// The objects that it does not take.
    var refused: Set<String> = []
    /// True if it has a problem.
    var isDown = false
    /// True if it does not say that an object has changed.
    var hidesChanges = false
    /// The objects that it has a problem with.
    var failing: Set<String> = []
  }

  struct Lost: Error {}

  var habits = Habits()
  private(set) var objects: [String: (tag: String, text: String)] = [:]
  private var log: [(name: String, number: Int)] = []
  private(set) var number = 0
  private(set) var requests = 0
  /// Called with the number of each request before and after its work. If it throws, the client gets no
  /// answer.
  var interrupt: (_ isDone: Bool) throws -> Void = { _ in }

  private func answer<Result>(_ work: () throws -> Result) throws -> Result {
    requests += 1
    try interrupt(false)
    let result = try work()
    try interrupt(true)
    return result
  }

  func changes(since token: String?) throws -> PeerChanges {
    try answer {
      if habits.isDown { throw DAVFailure(.later, "the server answered 500") }
      let all = objects.mapValues(\.tag)
      if habits.hasNoTokens { return PeerChanges(listing: Listing(all: all), token: nil) }
      let now = "\(number)"
      guard let token, let seen = Int(token), !habits.forgetsTokens else {
        return PeerChanges(listing: Listing(all: all), token: now)
      }
      let names = Set(log.filter { $0.number > seen }.map(\.name))
      return PeerChanges(
        listing: Listing(changed: all.filter { names.contains($0.key) }, gone: names.subtracting(all.keys)),
        token: now)
    }
  }

  func read(_ names: [String]) throws -> [PeerObject] {
    if names.isEmpty { return [] }
    return try answer {
      names.filter { !habits.hidden.contains($0) }.compactMap { name in
        objects[name].map { PeerObject(name: name, tag: $0.tag, text: Array($0.text.utf8)) }
      }
    }
  }

  func create(uid: String, text: String) throws -> PeerWrite {
    try answer {
      let name = ObjectName.fileName(of: uid)
      return objects[name] == nil ? try accept(name, text) : .changedMeanwhile
    }
  }

  func replace(_ name: String, tag: String?, text: String) throws -> PeerWrite {
    try answer {
      guard let known = objects[name] else { return .gone }
      return known.tag == tag ? try accept(name, text) : .changedMeanwhile
    }
  }

  private func accept(_ name: String, _ text: String) throws -> PeerWrite {
    if habits.refused.contains(name) { return .refused("the server answered 403") }
    if habits.failing.contains(name) { throw DAVFailure(.later, "the server answered 500") }
    return habits.forgetsWrites ? .done(name: name, tag: nil) : put(name, text)
  }

  func delete(_ name: String, tag: String?) throws -> PeerWrite {
    try answer {
      guard let known = objects[name] else { return .gone }
      guard known.tag == tag else { return .changedMeanwhile }
      remove(name)
      return .done(name: name, tag: nil)
    }
  }

  /// Puts an object as another program would.
  @discardableResult
  func put(_ name: String, _ text: String) -> PeerWrite {
    number += 1
    if !habits.hidesChanges { log.append((name, number)) }
    objects[name] = ("\"\(number)\"", kept(text))
    return .done(name: name, tag: habits.omitsTags ? nil : "\"\(number)\"")
  }

  func remove(_ name: String) {
    number += 1
    log.append((name, number))
    objects[name] = nil
  }

  func removeAll() { for name in objects.keys { remove(name) } }

  private func kept(_ text: String) -> String {
    guard habits.rewrites || habits.cutsValues || habits.knowsNoEmails, var tree = ComponentTree(text) else {
      return text
    }
    rewrite(&tree)
    return tree.text
  }

  private func rewrite(_ tree: inout ComponentTree) {
    if habits.rewrites { tree.lines.sort() }
    if habits.knowsNoEmails, let index = tree.lines.firstIndex(of: "ACTION:EMAIL") {
      tree.lines[index] = "ACTION:DISPLAY"
      tree.lines.removeAll { $0.hasPrefix("ATTENDEE") || $0.hasPrefix("SUMMARY") }
    }
    if habits.cutsValues {
      tree.lines = tree.lines.map { line in
        guard line.hasPrefix("X-"), let colon = line.lastIndex(of: ":"),
          let comma = line[colon...].firstIndex(of: ","),
          line[line.index(before: comma)] != "\\"
        else { return line }
        return String(line[..<comma])
      }
    }
    for index in tree.components.indices { rewrite(&tree.components[index]) }
  }
}
