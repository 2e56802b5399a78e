public import CalendarModel
public import CalendarStore
public import ICalendar
public import Recurrence

/// Merges items that come from elsewhere into the store, one by one, within one transaction of the caller's.
///
/// An item is known by its UID, and a detached occurrence by which one it is besides. Of one that is known, the
/// later revision wins: the greater SEQUENCE, then the later LAST-MODIFIED or DTSTAMP (RFC 5546, section 2.1.5);
/// where both are the same, what comes last. Nothing is written where nothing but these is different, so that
/// reading a file again changes nothing, arms nothing and wakes nobody.
///
/// Messages (RFC 5546) change what they are about and nothing else: see ``SchedulingMessage``. Components of other kinds
/// are kept with the calendar that events of their file go into.
///
/// Cost: some tens of microseconds an item; memory for the identifiers of what was seen, where it is to prune.
public struct CalendarMerge {
  /// Where items go.
  public enum Destination: Sendable {
    /// All into this calendar, and only what is in it is known: copies in other calendars are let be. What comes
    /// counts, whatever its revision. What a subscription wants.
    case only(Identifier<ItemCalendar>)
    /// All into one calendar for each kind of item, from wherever they were.
    case move
    /// New ones into the calendar that their file names, made if need be, or else into one for each kind of item; those
    /// that are known stay where they are.
    case keep
  }

  let destination: Destination
  let resolver: TimeResolver
  private let prunes: Bool
  /// What time it is.
  private let now: Instant
  private let calendar: (Bool, borrowing StoreWriter) throws -> Identifier<ItemCalendar>
  private var calendars: [Bool: Identifier<ItemCalendar>] = [:]
  private var isWritable: [Identifier<ItemCalendar>: Bool] = [:]
  private var seen: Set<Identifier<CalendarItem>> = []
  private var seenComponents: Set<PreservedComponent> = []
  private var header = ICalendarHeader()
  /// Whether the store had no items at all before the first one; `nil` before that.
  private var wasEmpty: Bool?
  /// How often each outcome came about.
  public internal(set) var counts = MergeCounts()
  /// True once a message was taken: what brings messages is no calendar to prune by.
  public internal(set) var hasMessages = false

  /// A merge.
  ///
  /// - Parameters:
  ///   - destination: Where items go.
  ///   - prunes: Whether ``prune(_:in:_:)`` will be asked for.
  ///   - now: What time it is: what was due before does not ring by the setting of its list.
  ///   - resolver: What the times of occurrences are read by.
  ///   - calendar: The calendar for new events (`true`) or reminders (`false`); asked once for each kind, where
  ///     there is one and the destination does not say it.
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

  /// A merge into one calendar.
  public init(only calendar: Identifier<ItemCalendar>, prunes: Bool, at now: Instant) {
    self.init(.only(calendar), prunes: prunes, at: now) { _, _ in calendar }
  }

  /// Takes a part of a file, and hands what became of it to `body`: nothing, or one or more changes.
  public mutating func take(
    _ part: ICalendarPart, in writer: borrowing StoreWriter,
    _ body: (MergeChange) throws -> Void = { _ in }
  ) throws {
    switch part {
    case .header(let header):
      if header != self.header { calendars = [:] }
      self.header = header
    case .item(let item): try body(try take(item, in: writer))
    case .message(let message): try follow(message, in: writer, body)
    case .other(let component): try keep(component, in: writer)
    }
  }

  /// Takes an item; its identifier and calendar are those of the file, and are made the store's.
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
    // Another calendar has a copy, or a program gave its own identifiers.
    item.id = Identifier(rawValue: "\(item.id)@\(item.calendar)")
    try writer.save(item)
  }

  /// Keeps a component that is no item with the calendar of its file's events.
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

  /// Removes what is in a calendar and was not taken.
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

  /// Adds an item to a store that was empty, where nothing can be known but what came before it: that it has its
  /// identifier is all there is to look for.
  ///
  /// - Returns: False, and nothing is done, where it may be known.
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
    if !isMoved && item.isTold(like: known) { return .unchanged }
    if item.start != known.start || item.reminder?.due != known.reminder?.due { item.arrived = now }
    try writer.save(item)
    return .updated
  }

  /// False where the items are another's, who says what is so: nothing but alarms is answered here.
  private var mayBeOlder: Bool {
    if case .only = destination { false } else { true }
  }

  /// The item in the store that this one is a revision of.
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
    var named: ItemCalendar?
    if case .keep = destination { named = try writer.calendar(named: header, forEvents: isEvent) }
    let found = try named?.id ?? calendar(isEvent, writer)
    calendars[isEvent] = found
    return found
  }

  /// False for a calendar that is kept from elsewhere: what is in it is not for a file to change.
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
  /// True where `other` is a later revision of the same item. A file tells whole seconds.
  ///
  /// What says nothing of when it was revised is older than what was changed since it came: a change here says when.
  func isOlder(than other: CalendarItem) -> Bool {
    if sequence != other.sequence { return sequence < other.sequence }
    guard let theirs = other.revised else { return false }
    return (revised ?? .epoch).wholeSeconds < theirs.wholeSeconds
  }
}
