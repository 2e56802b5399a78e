import FencepostCalDAVClient
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostReconciliation
import FoundationEssentials

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
    try learnScheduling(&learned)
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
    try step { sync, pair in try sync.compare(isNews: isNews(pair), changeTag: pair.remote.changeTag) }
    // What is gone from one calendar may be in another one, so all that is new is taken before anything is
    // removed.
    let members = all.map(\.sync.member) + gone.map { Siblings.Member(collection: $0, gone: nil) }
    for (sync, _) in working {
      sync.siblings.members = members.filter { $0.collection.number != sync.collection.number }
    }
    try step { sync, _ in try sync.pullChanges() }
    try step { sync, _ in try sync.pullRemovals() }
    for collection in gone { try removeGone(collection, &counts) }
    // First what is deleted, so that an item that moved between calendars is not twice on a server that
    // allows a UID once.
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

  /// Asks once what the server does about invitations. Without an answer it does nothing.
  private func learnScheduling(_ learned: inout ServerCapabilities) throws {
    guard ServerCapabilities(of: account).schedules == nil else { return }
    let scheduling: CalDAVScheduling?
    do {
      scheduling = try home.scheduling()
    } catch let failure as DAVFailure where failure.kind != .unauthorized && failure.kind != .later {
      scheduling = nil
    }
    guard let scheduling else { return }
    learned.schedules = scheduling.isAutomatic
    learned.addresses = scheduling.addresses
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

// The calendars of the account as such: which there are, and what they are called.
extension AccountRun {
  /// Creates the calendars on the server that were made here. The name follows from the identifier, so that a
  /// request that is sent again creates nothing twice.
  ///
  /// - Returns: True if there were any.
  func createMissing(
    _ remote: [RemoteCalendar], _ counts: inout SyncCounts, _ learned: inout ServerCapabilities
  ) throws -> Bool {
    let (known, here) = try knownAndHere()
    let names = Set(known.map(\.name))
    // One of the same title that is new on both sides is taken for the same.
    let titles = Set(remote.filter { !names.contains($0.name) }.compactMap(\.title))
    let new = here.filter { calendar in
      !known.contains { $0.calendar == calendar.id } && !titles.contains(calendar.title)
    }
    for calendar in new {
      var components: [String] = []
      if calendar.entities.contains(.events) { components.append("VEVENT") }
      if calendar.entities.contains(.reminders) { components.append("VTODO") }
      do {
        let name = try home.create(
          calendar.id.rawValue.lowercased().filter {
            $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-")
          },
          title: calendar.title, color: calendar.color?.hexadecimal, components: components)
        try store.write { writer in
          var collection = SyncedCalendar(account: account.number, calendar: calendar.id, name: name)
          collection.title = calendar.title
          collection.color = calendar.color?.hexadecimal
          try writer.save(&collection)
        }
        learned.createsLists = true
      } catch let failure as DAVFailure where failure.kind == .forbidden || failure.kind == .unsupported {
        counts.failed += 1
        learned.createsLists = false
      }
    }
    return !new.isEmpty
  }

  /// Finds the calendar here for each one of the server, and creates those that are new.
  func pair(_ remote: [RemoteCalendar], _ counts: inout SyncCounts) throws -> [Pair] {
    let (known, here) = try knownAndHere()
    let byName = Dictionary(known.map { ($0.name, $0) }) { first, _ in first }
    let calendars = Dictionary(here.map { ($0.id, $0) }) { first, _ in first }
    var free = here.filter { calendar in !known.contains { $0.calendar == calendar.id } }
    var pairs: [Pair] = []
    for one in remote {
      if let collection = byName[one.name], let calendar = calendars[collection.calendar] {
        pairs.append(Pair(collection: collection, calendar: calendar, remote: one))
      } else if options.isDryRun {
        counts.pulled += try home.objects(of: one).changes(since: nil).listing.tags.count
      } else {
        let index = free.firstIndex { $0.title == one.title }
        let calendar = index.map { free.remove(at: $0) } ?? newCalendar(one)
        var collection = SyncedCalendar(account: account.number, calendar: calendar.id, name: one.name)
        collection.title = one.title ?? calendar.title
        collection.color = one.color
        collection.origin = one.origin
        try store.write { writer in
          try writer.save(calendar)
          try writer.save(&collection)
        }
        pairs.append(Pair(collection: collection, calendar: calendar, remote: one))
      }
    }
    return pairs
  }

  /// The calendars of the server, without those that are copies of lists of this store: the server is this
  /// store's own, or the two follow each other.
  func calendars() throws -> [RemoteCalendar] {
    let names = Set(try knownAndHere().known.map(\.name))
    return try home.calendars().filter { calendar in
      guard let origin = calendar.origin, !names.contains(calendar.name) else { return true }
      return try !store.read { try $0.hasList(ofOrigin: origin) }
    }
  }

  /// The calendars that the server has no more.
  func gone(_ remote: [RemoteCalendar]) throws -> [SyncedCalendar] {
    let names = Set(remote.map(\.name))
    return try knownAndHere().known.filter { !names.contains($0.name) }
  }

  /// Removes a calendar that is gone on the server. One with items only where somebody has agreed; one that
  /// was changed here since then is made there again.
  func removeGone(_ collection: SyncedCalendar, _ counts: inout SyncCounts) throws {
    let count = try store.read { try $0.uids(in: collection.calendar) }.count
    guard count == 0 || options.allowsLargeRemovals else {
      counts.waitingRemovals += count
      return
    }
    counts.pulled += count
    if options.isDryRun { return }
    try store.write { writer in
      let changes = try LocalScan(collection, isWritable: true, at: now, in: writer.reader).changes
      // Without this note the calendar is new here.
      try writer.removeSyncedCalendar(collection.number)
      if changes.changed.isEmpty && changes.added.isEmpty { try writer.remove(collection.calendar) }
    }
  }

  /// Removes the calendars on the server that were removed here. One that the server has changed since the
  /// last time comes back, and so does one that the server keeps.
  func removeRemoved(_ remote: inout [RemoteCalendar], _ counts: inout SyncCounts) throws {
    for removal in try store.read({ try $0.syncRemovals(of: account.number) }) {
      let isBack = try store.read { try $0.calendar(removal.calendar) } != nil
      let index = remote.firstIndex { $0.name == removal.name }
      if let index, !isBack {
        let tags = try home.objects(of: remote[index]).changes(since: nil).listing.tags
        if tags != removal.tags {
          counts.returned.append(removal.title)
        } else if try options.isDryRun || remove(remote[index], &counts) {
          remote.remove(at: index)
          counts.pushed += 1
        } else {
          counts.returned.append(removal.title)
        }
      }
      if options.isDryRun { continue }
      try store.write { writer in
        try writer.removeSyncRemoval(named: removal.name, of: account.number)
        // The removal was undone.
        guard let index, isBack, try writer.reader.syncedCalendar(of: removal.calendar) == nil else { return }
        var collection = SyncedCalendar(
          account: account.number, calendar: removal.calendar, name: removal.name)
        collection.title = remote[index].title
        collection.color = remote[index].color
        try writer.save(&collection)
      }
    }
  }

  /// - Returns: False if the server keeps it.
  private func remove(_ calendar: RemoteCalendar, _ counts: inout SyncCounts) throws -> Bool {
    guard calendar.isWritable else { return false }
    do {
      try home.remove(calendar)
      return true
    } catch let failure as DAVFailure where failure.kind == .forbidden || failure.kind == .unsupported {
      counts.failed += 1
      return false
    }
  }

  private func knownAndHere() throws -> (known: [SyncedCalendar], here: [ItemCalendar]) {
    try store.read { reader in
      (try reader.syncedCalendars(of: account.number), try reader.calendars(of: source))
    }
  }

  private func newCalendar(_ remote: RemoteCalendar) -> ItemCalendar {
    let last = remote.url.lastPathComponent
    return ItemCalendar(
      source: source, kind: .calDAV, title: remote.title ?? (last.isEmpty ? "Calendar" : last),
      color: remote.color.flatMap { Color(hexadecimal: $0) }, entities: Self.entities(remote),
      allowsContentModifications: remote.isWritable, isImmutable: !remote.isWritable)
  }

  private static func entities(_ remote: RemoteCalendar) -> ItemCalendar.Entities {
    var entities: ItemCalendar.Entities = []
    if remote.takesEvents { entities.insert(.events) }
    if remote.takesReminders { entities.insert(.reminders) }
    return entities
  }

  /// Makes name and colour the same on both sides: what changed on one side goes to the other, and the server
  /// wins.
  func describe(_ pair: Pair) throws -> (SyncedCalendar, ItemCalendar) {
    var (collection, calendar, remote) = (pair.collection, pair.calendar, pair.remote)
    let agreedColor = collection.color.flatMap { Color(hexadecimal: $0) }
    var title: String?
    var color: String?
    if let name = remote.title, name != collection.title {
      calendar.title = name
    } else if calendar.title != collection.title, remote.title != nil {
      title = calendar.title
    }
    if remote.color != collection.color {
      calendar.color = remote.color.flatMap { Color(hexadecimal: $0) } ?? calendar.color
    } else if let own = calendar.color, own.hexadecimal != agreedColor?.hexadecimal {
      color = own.hexadecimal
    }
    calendar.entities = Self.entities(remote)
    calendar.allowsContentModifications = remote.isWritable
    calendar.isImmutable = !remote.isWritable
    if title != nil || color != nil, remote.isWritable,
      try home.change(remote.url, title: title, color: color)
    {
      remote.title = title ?? remote.title
      remote.color = color ?? remote.color
    }
    collection.title = remote.title ?? collection.title
    collection.color = remote.color
    collection.origin = remote.origin
    if calendar != pair.calendar || collection != pair.collection {
      try store.write { writer in
        if calendar != pair.calendar { try writer.save(calendar) }
        try writer.save(&collection)
      }
    }
    return (collection, calendar)
  }
}
