public import CalendarModel
public import CalendarStore
public import ICalendar
public import Recurrence

/// Merges items from a file or server into the store, one by one, within one transaction of the caller.
///
/// The UID identifies an item; a detached occurrence also needs its RECURRENCE-ID. The later revision wins: the greater
/// SEQUENCE, then the later LAST-MODIFIED or DTSTAMP (RFC 5546, section 2.1.5); if both are equal, the new one. If only
/// these differ, nothing is written. So reading a file again changes no data and no due time, and wakes no process.
///
/// A message (RFC 5546) only changes the items that it refers to: see ``SchedulingMessage``. Other components are kept
/// with the calendar for the file's events.
///
/// Cost: some tens of microseconds an item; with pruning, memory for the identifiers of the items so far.
public struct CalendarMerge {
  /// The target calendars of items.
  public enum Destination: Sendable {
    /// Merges everything into this calendar and ignores copies in other calendars. The new version always wins. For
    /// subscriptions.
    case only(Identifier<ItemCalendar>)
    /// Moves everything into one calendar for each kind of item, even from other calendars.
    case move
    /// Adds new items to the calendar that their file names, which is created if needed, otherwise to one calendar for
    /// each kind of item. Known items stay where they are.
    case keep
  }

  let destination: Destination
  let resolver: TimeResolver
  private let prunes: Bool
  /// The current time.
  private let now: Instant
  private let calendar: (Bool, borrowing StoreWriter) throws -> Identifier<ItemCalendar>
  private var calendars: [Bool: Identifier<ItemCalendar>] = [:]
  private var defaultCalendars: [Bool: Identifier<ItemCalendar>] = [:]
  private var namedCalendars = NamedCalendars()
  private var hasTooManyNames = false
  /// Something to report with the next change.
  private var warning: String?
  private var isWritable: [Identifier<ItemCalendar>: Bool] = [:]
  private var seen: Set<Identifier<CalendarItem>> = []
  private var seenComponents: Set<PreservedComponent> = []
  private var header = ICalendarHeader()
  /// True if the store had no items before the first one; `nil` before that.
  private var wasEmpty: Bool?
  /// The number of items for each outcome.
  public internal(set) var counts = MergeCounts()
  /// True after a message. A file with messages is not a complete calendar to prune by.
  public internal(set) var hasMessages = false

  /// Creates a merge.
  ///
  /// - Parameters:
  ///   - destination: The target calendars of items.
  ///   - prunes: True if you will call ``prune(_:in:_:)``.
  ///   - now: The current time. Items that were due before do not ring by the setting of their list.
  ///   - resolver: Resolves the times of occurrences.
  ///   - calendar: Returns the calendar for new events (`true`) or reminders (`false`). Called at most once for each
  /// kind,
  ///     if the destination does not decide.
  public init(
    _ destination: Destination, prunes: Bool = false, at now: Instant,
    resolver: TimeResolver = TimeResolver(),
    calendar: @escaping (_ isEvent: Bool, _ writer: borrowing StoreWriter) throws -> Identifier<ItemCalendar>
  ) {
    self.destination = destination
    self.prunes = prunes
    self.now = now
    self.resolver = resolver
    self.calendar = calendar
  }

  /// Creates a merge into one calendar.
  public init(only calendar: Identifier<ItemCalendar>, prunes: Bool, at now: Instant) {
    self.init(.only(calendar), prunes: prunes, at: now) { _, _ in calendar }
  }

  /// Merges a part of a file and passes each change to `body`. There may be none or several.
  public mutating func take(
    _ part: ICalendarPart, in writer: borrowing StoreWriter,
    _ body: (MergeChange) throws -> Void = { _ in }
  ) throws {
    switch part {
    case .header(let header):
      if header != self.header { calendars = [:] }
      self.header = header
    case .item(let item):
      var change = try take(item, in: writer)
      if let warning {
        self.warning = nil
        change.warning = warning
        try body(change)
        change.warning = nil
      }
      try body(change)
    case .message(let message): try follow(message, in: writer, body)
    case .other(let component): try keep(component, in: writer)
    }
  }

  /// Merges an item. Replaces its identifier and calendar by those of the store.
  @discardableResult
  public mutating func take(
    _ read: CalendarItem, in writer: borrowing StoreWriter
  ) throws -> MergeChange {
    var item = read
    item.arrived = now
    if try isFirst(&item, in: writer) {
      counts[.added] += 1
      if prunes { seen.insert(item.id) }
      return MergeChange(outcome: .added, item: item.id, title: item.title, calendar: item.calendar)
    }
    let known = try known(item, in: writer)
    let outcome: MergeOutcome
    if let known {
      outcome = try update(&item, known, in: writer)
    } else {
      item.calendar = try calendar(forEvents: item.isEvent, in: writer)
      try add(&item, in: writer)
      outcome = .added
    }
    counts[outcome] += 1
    if prunes { seen.insert(item.id) }
    return MergeChange(outcome: outcome, item: item.id, title: item.title, calendar: item.calendar)
  }

  /// Adds an item that its calendar does not have.
  func add(_ item: inout CalendarItem, in writer: borrowing StoreWriter) throws {
    if try writer.add(item) { return }
    // The identifier is taken by a copy in another calendar, or by another program.
    item.id = Identifier(rawValue: "\(item.id)@\(item.calendar)")
    try writer.save(item)
  }

  /// Keeps another component with the calendar for its file's events.
  private mutating func keep(_ component: PreservedComponent, in writer: borrowing StoreWriter) throws {
    let calendar = try calendar(forEvents: true, in: writer)
    counts.preserved[component.name, default: 0] += 1
    if prunes { seenComponents.insert(component) }
    if let known = try writer.reader.preservedComponent(named: component.name, component.id, in: calendar) {
      if known == component || mayBeOlder && component.isOlder(than: known) {
        if prunes { seenComponents.insert(known) }
        return
      }
    }
    try writer.save(component, in: calendar)
    counts.isPreservedChange = true
  }

  /// Removes the items of a calendar that were not merged.
  public mutating func prune(
    _ calendar: Identifier<ItemCalendar>, in writer: borrowing StoreWriter,
    _ body: (MergeChange) throws -> Void = { _ in }
  ) throws {
    for (id, title) in try writer.reader.itemTitles(in: calendar) where !seen.contains(id) {
      try writer.remove(id)
      counts[.removed] += 1
      try body(MergeChange(outcome: .removed, item: id, title: title, calendar: calendar))
    }
    for component in try writer.reader.preservedComponents(in: calendar)
    where !seenComponents.contains(component) {
      try writer.remove(component, from: calendar)
      counts.isPreservedChange = true
    }
  }

  /// Adds an item to a store that was empty before this merge. Only its identifier can already exist, so one check is
  /// enough.
  ///
  /// - Returns: False, without a change, if the item may be known.
  private mutating func isFirst(_ item: inout CalendarItem, in writer: borrowing StoreWriter) throws -> Bool {
    if wasEmpty == nil { wasEmpty = try writer.reader.itemCount() == 0 }
    guard wasEmpty == true else { return false }
    item.calendar = try calendar(forEvents: item.isEvent, in: writer)
    return try writer.add(item)
  }

  private mutating func update(
    _ item: inout CalendarItem, _ known: CalendarItem, in writer: borrowing StoreWriter
  ) throws -> MergeOutcome {
    var destination = known.calendar
    if case .move = self.destination {
      destination = try calendar(forEvents: item.isEvent, in: writer)
    }
    let isMoved = destination != known.calendar
    if mayBeOlder && item.isOlder(than: known) {
      item = known
      guard isMoved else { return .older }
      item.calendar = destination
      try writer.save(item)
      return .updated
    }
    item.id = known.id
    item.calendar = destination
    item.keepAlarms(of: known)
    item.arrived = known.arrived
    item.keepReplies(of: known)
    if !isMoved && item.isEquivalent(to: known) { return .unchanged }
    if item.start != known.start || item.reminder?.due != known.reminder?.due { item.arrived = now }
    try writer.save(item)
    return .updated
  }

  /// False if another program owns the items and decides their values. Then the user can only answer alarms here.
  private var mayBeOlder: Bool {
    if case .only = destination { false } else { true }
  }

  /// The earlier revision of this item in the store.
  private mutating func known(
    _ item: CalendarItem, in writer: borrowing StoreWriter
  ) throws -> CalendarItem? {
    let copies = try writer.reader.items(uid: item.uid, occurrence: item.detachment?.occurrence)
      .filter { $0.isEvent == item.isEvent }
    if copies.isEmpty { return nil }
    switch destination {
    case .only(let calendar): return copies.first { $0.calendar == calendar }
    case .move:
      let calendar = try calendar(forEvents: item.isEvent, in: writer)
      if let there = copies.first(where: { $0.calendar == calendar }) { return there }
    case .keep: break
    }
    for copy in copies where try isWritable(copy.calendar, in: writer) { return copy }
    return nil
  }

  /// The calendar for new events or reminders.
  mutating func calendar(
    forEvents isEvent: Bool, in writer: borrowing StoreWriter
  ) throws -> Identifier<ItemCalendar> {
    if case .only(let calendar) = destination { return calendar }
    if let known = calendars[isEvent] { return known }
    var named: NamedCalendars.Result = .unnamed
    if case .keep = destination {
      named = try namedCalendars.calendar(named: header, forEvents: isEvent, in: writer)
    }
    let found: Identifier<ItemCalendar>
    switch named {
    case .found(let calendar): found = calendar.id
    case .unnamed: found = try defaultCalendar(forEvents: isEvent, in: writer)
    case .tooMany:
      if !hasTooManyNames {
        warning =
          "the file names more than \(NamedCalendars.most) new calendars: what is in the others went to the default one"
      }
      hasTooManyNames = true
      found = try defaultCalendar(forEvents: isEvent, in: writer)
    }
    calendars[isEvent] = found
    return found
  }

  private mutating func defaultCalendar(
    forEvents isEvent: Bool, in writer: borrowing StoreWriter
  ) throws -> Identifier<ItemCalendar> {
    if let known = defaultCalendars[isEvent] { return known }
    let found = try calendar(isEvent, writer)
    defaultCalendars[isEvent] = found
    return found
  }

  /// False for a subscription or another read-only calendar. A file must not change its items.
  mutating func isWritable(
    _ calendar: Identifier<ItemCalendar>, in writer: borrowing StoreWriter
  ) throws -> Bool {
    if let known = isWritable[calendar] { return known }
    let found = try writer.reader.calendar(calendar)?.allowsContentModifications ?? false
    isWritable[calendar] = found
    return found
  }
}

extension CalendarItem {
  /// True if `other` is a later revision of the same item. A file has whole seconds.
  ///
  /// An item without a time of revision is older than one that was changed here since its arrival, because that change
  /// has a time.
  func isOlder(than other: CalendarItem) -> Bool {
    if sequence != other.sequence { return sequence < other.sequence }
    guard let theirs = other.revised else { return false }
    return (revised ?? .epoch).wholeSeconds < theirs.wholeSeconds
  }
}
