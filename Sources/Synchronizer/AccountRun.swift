import CalDAVClient
import CalendarModel
import CalendarStore
import FoundationEssentials
import ICalendar
import Reconciliation

/// One synchronization of an account: its list of calendars, then their contents.
struct AccountRun {
  let keeper: AccountKeeper
  let account: SyncAccount
  let options: SyncOptions
  let now: Instant

  private var store: CalendarStore { keeper.store }

  func run() throws -> SyncCounts {
    guard let origin = URL(string: account.address), let home = account.home.flatMap({ URL(string: $0) }),
      let source = account.source
    else { throw SyncFailure("the account is damaged; remove it and add it again") }
    let password = try keeper.secrets.password(of: account.number)
    let credentials = account.user.map { DAVCredentials(user: $0, password: password ?? "") }
    let session = try DAVSession(origin: origin, credentials: credentials, willSend: keeper.willSend)
    let calendars = CalDAVHome(session: session, url: home)
    var remote = try calendars.calendars()
    var counts = SyncCounts()
    if !options.isDryRun, try createMissing(in: calendars, source, remote, &counts) {
      remote = try calendars.calendars()
    }
    let pairs = try pair(remote, source, session, &counts)
    var syncs: [CollectionSync] = []
    for pair in pairs {
      let (collection, calendar) =
        options.isDryRun ? (pair.collection, pair.calendar) : try describe(pair, calendars)
      let remote = pair.remote
      let sync = CollectionSync(
        store: store, peer: CalDAVCollection(session: session, calendar: remote), collection: collection,
        isWritable: calendar.allowsContentModifications && remote.isWritable, options: options, now: now)
      let hasMark = remote.token != nil || remote.changeTag != nil
      let isNews =
        !hasMark || collection.token == nil && collection.changeTag == nil
        || remote.token.map { $0 != collection.token } ?? false
        || remote.token == nil && remote.changeTag != collection.changeTag
      try sync.pull(isNews: isNews, changeTag: remote.changeTag)
      syncs.append(sync)
    }
    // Deletions first. Otherwise an item that moved between calendars would be there twice, and some servers
    // allow a UID once.
    for sync in syncs { try sync.pushDeletions() }
    for sync in syncs { try sync.pushChanges() }
    for sync in syncs { counts += sync.counts }
    return counts
  }

  // MARK: Calendars

  /// A calendar here with its counterpart on the server.
  private struct Pair {
    var collection: SyncedCalendar
    var calendar: ItemCalendar
    var remote: RemoteCalendar
  }

  /// Creates the server's counterparts of new calendars here. The name follows from the identifier, so that a
  /// retry does not create the calendar twice.
  ///
  /// - Returns: True if there were new calendars.
  private func createMissing(
    in home: CalDAVHome, _ source: Identifier<Source>, _ remote: [RemoteCalendar], _ counts: inout SyncCounts
  ) throws -> Bool {
    let known = Set(try store.read { try $0.syncedCalendars(of: account.number) }.map(\.calendar))
    let titles = Set(remote.compactMap(\.title))
    let new = try store.read { try $0.calendars(of: source) }.filter {
      // A calendar with the same title counts as the same.
      !known.contains($0.id) && !titles.contains($0.title)
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
      } catch let failure as DAVFailure where failure.kind == .forbidden || failure.kind == .unsupported {
        counts.failed += 1
      }
    }
    return !new.isEmpty
  }

  /// Pairs each calendar of the server with the one here, creates new ones, and removes those that are gone
  /// there.
  private func pair(
    _ remote: [RemoteCalendar], _ source: Identifier<Source>, _ session: DAVSession,
    _ counts: inout SyncCounts
  ) throws -> [Pair] {
    let (known, here) = try store.read { reader in
      (try reader.syncedCalendars(of: account.number), try reader.calendars(of: source))
    }
    let byName = Dictionary(known.map { ($0.name, $0) }) { first, _ in first }
    let calendars = Dictionary(here.map { ($0.id, $0) }) { first, _ in first }
    var free = here.filter { calendar in !known.contains { $0.calendar == calendar.id } }
    var pairs: [Pair] = []
    for one in remote {
      if let collection = byName[one.name], let calendar = calendars[collection.calendar] {
        pairs.append(Pair(collection: collection, calendar: calendar, remote: one))
      } else if options.isDryRun {
        counts.pulled += try CalDAVCollection(session: session, calendar: one).changes(since: nil).listing
          .tags.count
      } else {
        let index = free.firstIndex { $0.title == one.title }
        let calendar = index.map { free.remove(at: $0) } ?? newCalendar(one, source)
        var collection = SyncedCalendar(account: account.number, calendar: calendar.id, name: one.name)
        collection.title = one.title ?? calendar.title
        collection.color = one.color
        try store.write { writer in
          try writer.save(calendar)
          try writer.save(&collection)
        }
        pairs.append(Pair(collection: collection, calendar: calendar, remote: one))
      }
    }
    let names = Set(remote.map(\.name))
    for collection in known where !names.contains(collection.name) {
      try removeGone(collection, &counts)
    }
    return pairs
  }

  /// Removes a calendar that is gone on the server. One with items only after a confirmation.
  private func removeGone(_ collection: SyncedCalendar, _ counts: inout SyncCounts) throws {
    let count = try store.read { try $0.uids(in: collection.calendar) }.count
    guard count == 0 || options.allowsLargeRemovals else {
      counts.waitingRemovals += count
      return
    }
    if options.isDryRun {
      counts.pulled += count
    } else {
      _ = try store.write { try $0.remove(collection.calendar) }
      counts.pulled += count
    }
  }

  private func newCalendar(_ remote: RemoteCalendar, _ source: Identifier<Source>) -> ItemCalendar {
    var entities: ItemCalendar.Entities = []
    if remote.takesEvents { entities.insert(.events) }
    if remote.takesReminders { entities.insert(.reminders) }
    let last = remote.url.lastPathComponent
    return ItemCalendar(
      source: source, kind: .calDAV, title: remote.title ?? (last.isEmpty ? "Calendar" : last),
      color: remote.color.flatMap { Color(hexadecimal: $0) }, entities: entities,
      allowsContentModifications: remote.isWritable)
  }

  /// Synchronizes name and colour. A change on one side goes to the other; if both changed, the server wins.
  private func describe(_ pair: Pair, _ home: CalDAVHome) throws -> (SyncedCalendar, ItemCalendar) {
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
    calendar.allowsContentModifications = remote.isWritable
    if title != nil || color != nil, remote.isWritable,
      try home.change(remote.url, title: title, color: color)
    {
      remote.title = title ?? remote.title
      remote.color = color ?? remote.color
    }
    collection.title = remote.title ?? collection.title
    collection.color = remote.color
    if calendar != pair.calendar || collection != pair.collection {
      try store.write { writer in
        if calendar != pair.calendar { try writer.save(calendar) }
        try writer.save(&collection)
      }
    }
    return (collection, calendar)
  }
}
