public import CalendarModel
public import CalendarStore
internal import ICalendar

/// Merges items that come from elsewhere into the store, one by one, within one transaction of the caller's.
///
/// An item is known by its UID, and a detached occurrence by which one it is besides. Of one that is known, the
/// later revision wins: the greater SEQUENCE, then the later LAST-MODIFIED or DTSTAMP (RFC 5546, section 2.1.5);
/// where both are the same, what comes last. Nothing is written where nothing but these is different, so that
/// reading a file again changes nothing, arms nothing and wakes nobody.
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
    /// New ones into one calendar for each kind of item; those that are known stay where they are.
    case keep
  }

  private let destination: Destination
  private let prunes: Bool
  private let calendar: (Bool, borrowing StoreWriter) throws -> Identifier<ItemCalendar>
  private var calendars: [Bool: Identifier<ItemCalendar>] = [:]
  private var isWritable: [Identifier<ItemCalendar>: Bool] = [:]
  private var seen: Set<Identifier<CalendarItem>> = []
  /// Whether the store had no items at all before the first one; `nil` before that.
  private var wasEmpty: Bool?
  /// How often each outcome came about.
  public private(set) var counts = MergeCounts()

  /// A merge.
  ///
  /// - Parameters:
  ///   - destination: Where items go.
  ///   - prunes: Whether ``prune(_:in:_:)`` will be asked for.
  ///   - calendar: The calendar for new events (`true`) or reminders (`false`); asked once for each kind, where
  ///     there is one and the destination does not say it.
  public init(
    _ destination: Destination, prunes: Bool = false,
    calendar: @escaping (_ isEvent: Bool, _ writer: borrowing StoreWriter) throws -> Identifier<ItemCalendar>
  ) {
    self.destination = destination
    self.prunes = prunes
    self.calendar = calendar
  }

  /// A merge into one calendar.
  public init(only calendar: Identifier<ItemCalendar>, prunes: Bool) {
    self.init(.only(calendar), prunes: prunes) { _, _ in calendar }
  }

  /// Takes an item; its identifier and calendar are those of the file, and are made the store's.
  @discardableResult
  public mutating func take(
    _ read: CalendarItem, in writer: borrowing StoreWriter
  ) throws -> MergeChange {
    var item = read
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
      item.calendar = try calendar(for: item, in: writer)
      if try !writer.add(item) {
        // Another calendar has a copy, or a program gave its own identifiers.
        item.id = Identifier(rawValue: "\(item.id)@\(item.calendar)")
        try writer.save(item)
      }
      outcome = .added
    }
    counts[outcome] += 1
    if prunes { seen.insert(item.id) }
    return MergeChange(outcome: outcome, item: item.id, title: item.title, calendar: item.calendar)
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
  }

  /// Adds an item to a store that was empty, where nothing can be known but what came before it: that it has its
  /// identifier is all there is to look for.
  ///
  /// - Returns: False, and nothing is done, where it may be known.
  private mutating func isFirst(_ item: inout CalendarItem, in writer: borrowing StoreWriter) throws -> Bool {
    if wasEmpty == nil { wasEmpty = try writer.reader.itemCount() == 0 }
    guard wasEmpty == true else { return false }
    item.calendar = try calendar(for: item, in: writer)
    return try writer.add(item)
  }

  private mutating func update(
    _ item: inout CalendarItem, _ known: CalendarItem, in writer: borrowing StoreWriter
  ) throws -> MergeOutcome {
    var destination = known.calendar
    if case .move = self.destination { destination = try calendar(for: item, in: writer) }
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
    if !isMoved && item.isTold(like: known) { return .unchanged }
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
      let calendar = try calendar(for: item, in: writer)
      if let there = copies.first(where: { $0.calendar == calendar }) { return there }
    case .keep: break
    }
    for copy in copies where try isWritable(copy.calendar, in: writer) { return copy }
    return nil
  }

  private mutating func calendar(
    for item: CalendarItem, in writer: borrowing StoreWriter
  ) throws -> Identifier<ItemCalendar> {
    if case .only(let calendar) = destination { return calendar }
    if let known = calendars[item.isEvent] { return known }
    let found = try calendar(item.isEvent, writer)
    calendars[item.isEvent] = found
    return found
  }

  /// False for a calendar that is kept from elsewhere: what is in it is not for a file to change.
  private mutating func isWritable(
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
