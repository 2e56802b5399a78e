import FencepostCalDAVClient
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostReconciliation

/// One synchronization of an account: its list of calendars, then their contents.
struct AccountRun {
  let store: CalendarStore
  let account: SyncAccount
  let source: Identifier<Source>
  let home: any CalendarHome
  let options: SyncOptions
  let now: Instant

  /// A calendar here and on the server.
  struct Pair {
    var collection: SyncedCalendar
    var calendar: ItemCalendar
    var remote: RemoteCalendar
  }

  /// Synchronizes.
  ///
  /// - Parameter learned: What was seen of the server, also if this throws.
  func run(learning learned: inout ServerCapabilities) throws -> SyncCounts {
    var counts = SyncCounts()
    var remote = try calendars()
    learned.learn(Self.capabilities(remote))
    try removeRemoved(&remote, &counts)
    if !options.isDryRun, try createMissing(remote, &counts, &learned) { remote = try calendars() }
    let registrations = try store.read { try $0.syncRegistrations(of: account.number) }
    let pairs = try pair(remote, &counts).map { pair in
      var pair = pair
      pair.remote.registration = registrations.first { $0.collection == pair.collection.number }?.address
      return pair
    }
    let gone = try gone(remote)
    let all = try pairs.map { (sync: try sync($0), pair: $0) }
    // A failure of one calendar does not stop the others.
    var failure: DAVFailure?
    var working = all
    func step(_ body: (CollectionSync, Pair) throws -> Void) throws {
      working = try working.filter { sync, pair in
        do {
          try body(sync, pair)
          return true
        } catch let problem as DAVFailure where problem.concernsOneCalendar {
          failure = failure ?? problem
          return false
        }
      }
    }
    try step { sync, pair in try sync.look(isNews: isNews(pair), changeTag: pair.remote.changeTag) }
    // What is gone from one calendar may be in another one, so all that is new is taken before anything is removed.
    let members = all.map(\.sync.member) + gone.map { Siblings.Member(collection: $0, gone: nil) }
    for (sync, _) in working {
      sync.siblings.members = members.filter { $0.collection.number != sync.collection.number }
    }
    try step { sync, _ in try sync.takeChanges() }
    try step { sync, _ in try sync.takeRemovals() }
    for collection in gone { try removeGone(collection, &counts) }
    // First what is deleted, so that an item that moved between calendars is not twice on a server that allows a UID once.
    try step { sync, _ in try sync.pushDeletions() }
    try step { sync, _ in try sync.pushChanges() }
    for (sync, _) in working { learned.learn(sync.learned) }
    if case .to(let base) = options.pushes, !options.isDryRun {
      try PushRegistrar(store: store, account: account.number, home: home, now: now)
        .update(base, pairs.map { ($0.collection.number, $0.remote) })
    }
    if let failure { throw failure }
    for (sync, _) in working { counts += sync.counts }
    return counts
  }

  private func sync(_ pair: Pair) throws -> CollectionSync {
    let (collection, calendar) = options.isDryRun ? (pair.collection, pair.calendar) : try describe(pair)
    return CollectionSync(
      store: store, peer: home.objects(of: pair.remote), collection: collection,
      isWritable: calendar.allowsContentModifications && pair.remote.isWritable, options: options, now: now)
  }

  private static func capabilities(_ remote: [RemoteCalendar]) -> ServerCapabilities {
    var said = ServerCapabilities()
    guard !remote.isEmpty else { return said }
    said.mixesKinds = remote.contains { $0.takesEvents && $0.takesReminders }
    if remote.contains(where: \.canSync) {
      said.changes = .syncCollection
    } else {
      said.changes = remote.contains { $0.changeTag != nil || $0.token != nil } ? .collectionTag : .entityTags
    }
    return said
  }

  /// False if the server says that the calendar is as it was the last time.
  private func isNews(_ pair: Pair) -> Bool {
    let (collection, remote) = (pair.collection, pair.remote)
    if let token = remote.token { return token != collection.token }
    return remote.changeTag == nil || remote.changeTag != collection.changeTag
  }
}
