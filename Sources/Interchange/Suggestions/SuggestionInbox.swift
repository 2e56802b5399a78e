public import CalendarModel
public import CalendarStore
import JSON
public import Recurrence
public import Reservations

/// The inbox: compares what a document brings with what is known, and does what people answer.
///
/// Nothing goes into a calendar without an answer, and no event that was accepted changes without one, unless the sender is
/// trusted and has signed, or the caller says so. What people changed in an event stays: an update is merged with it as a
/// later revision of an item from elsewhere is (``CalendarMerge``).
///
/// Each call is within a transaction of the caller. Confined to one thread.
public final class SuggestionInbox {
  /// What a document did.
  public enum Outcome: String, Hashable, Sendable {
    /// A new suggestion waits for an answer.
    case proposed
    /// A suggestion, or the event of an accepted one, has new details.
    case updated
    /// A suggestion, or the event of an accepted one, was cancelled.
    case cancelled
    /// Nothing new.
    case unchanged
  }

  /// What became of one suggestion.
  public struct Change: Hashable, Sendable {
    /// What happened.
    public var outcome: Outcome
    /// The suggestion as it is now.
    public var suggestion: Suggestion
  }

  /// A suggestion and the reservation in it; `nil` for a calendar.
  struct Known {
    var suggestion: Suggestion
    var reservation: Reservation?
  }

  let reader: ReservationReader
  let resolver: TimeResolver
  private let alarms: ReservationAlarms
  let now: Instant
  private let acceptsUpdates: Bool
  /// Those that something may be compared with, the ones that were found last first. A suggestion that an update waits for
  /// is not among them: the update stands for it.
  var known: [Known] = []
  var superseded: [Identifier<Suggestion>: Known] = [:]
  private let trusted: Set<String>

  /// An inbox.
  ///
  /// - Parameters:
  ///   - store: The store, for what is known.
  ///   - reader: Reads reservations.
  ///   - resolver: Resolves times.
  ///   - alarms: Which alarms events get.
  ///   - now: The current time.
  ///   - acceptsUpdates: True to take updates and cancellations of accepted suggestions from anyone.
  public init(
    _ store: borrowing StoreReader, reader: ReservationReader, resolver: TimeResolver,
    alarms: ReservationAlarms = ReservationAlarms(), at now: Instant, acceptsUpdates: Bool = false
  ) throws(StoreError) {
    self.reader = reader
    self.resolver = resolver
    self.alarms = alarms
    self.now = now
    self.acceptsUpdates = acceptsUpdates
    trusted = Set(try store.trustedSenders())
    for suggestion in try store.suggestions() {
      let reservation =
        suggestion.isCalendar ? nil : reader.reservations(inJSON: Array(suggestion.content.utf8)).first
      known.append(Known(suggestion: suggestion, reservation: reservation))
    }
    let replaced = Set(
      known.compactMap { $0.suggestion.state == .superseded ? nil : $0.suggestion.replaces })
    for entry in known where entry.suggestion.state == .superseded || replaced.contains(entry.suggestion.id) {
      superseded[entry.suggestion.id] = entry
    }
    known.removeAll { superseded[$0.suggestion.id] != nil }
  }

  /// Takes what a document has.
  ///
  /// - Returns: A change for each reservation and calendar, also if it brings nothing new. A cancellation of something that
  ///   is not known brings none.
  public func take(
    _ document: ScannedDocument, in writer: borrowing StoreWriter
  ) throws -> [Change] {
    var changes: [Change] = []
    if document.reservations.isEmpty && document.calendars.isEmpty { return [] }
    let incoming = document.reservations
    let matches = ReservationMatcher.matches(of: incoming, in: known.map { $0.reservation ?? Self.none })
    let before = known
    for (reservation, matches) in zip(incoming, matches) {
      let hash = Self.hash("\(document.messageID ?? "")\n\(reservation.jsonLD.line)")
      let isSeen = try writer.reader.hasSeenSuggestion(hash)
      if matches.isEmpty && !isSeen {
        guard reservation.status != .cancelled else { continue }
        changes.append(try propose(reservation, from: document, replacing: nil, in: writer))
      }
      for match in matches {
        let id = before[match.index].suggestion.id
        guard let index = known.firstIndex(where: { $0.suggestion.id == id }) else { continue }
        if isSeen {
          changes.append(Change(outcome: .unchanged, suggestion: known[index].suggestion))
        } else {
          changes.append(
            try update(at: index, with: reservation, match.relation, from: document, in: writer))
        }
      }
      try writer.noteSeenSuggestion(hash)
    }
    for calendar in document.calendars {
      if let change = try take(calendar, from: document, in: writer) { changes.append(change) }
    }
    return changes
  }

  /// A reservation that is like no other.
  private static let none = Reservation(kind: .event)

  // MARK: Reservations

  private func propose(
    _ reservation: Reservation, from document: ScannedDocument, replacing replaced: Known?,
    in writer: borrowing StoreWriter
  ) throws -> Change {
    var suggestion = Suggestion(kind: reservation.kind.rawValue, title: "", content: "", found: now)
    suggestion.replaces = replaced?.suggestion.id
    suggestion.item = replaced?.suggestion.item
    let index = known.startIndex
    known.insert(Known(suggestion: suggestion, reservation: nil), at: index)
    if let replaced {
      known.removeAll { $0.suggestion.id == replaced.suggestion.id }
      superseded[replaced.suggestion.id] = replaced
    }
    try set(reservation, at: index, from: document, in: writer)
    return Change(outcome: .proposed, suggestion: known[index].suggestion)
  }

  /// Puts a reservation into the suggestion at `index` and saves it.
  private func set(
    _ reservation: Reservation, at index: Int, from document: ScannedDocument?,
    in writer: borrowing StoreWriter
  ) throws {
    var suggestion = known[index].suggestion
    suggestion.title = reservation.eventTitle
    suggestion.provider = reservation.provider ?? ""
    suggestion.reference = reservation.reference ?? ""
    suggestion.leg = reservation.leg
    suggestion.start = reservation.start?.calendarTime(in: resolver.zones)
    suggestion.content = reservation.jsonLD.line
    if let document {
      suggestion.sender = document.sender?.domain
      suggestion.isSigned = document.sender?.isSigned ?? false
      suggestion.message = document.messageID
    }
    suggestion.changed = now
    known[index] = Known(suggestion: suggestion, reservation: reservation)
    try writer.save(suggestion)
  }

  private func update(
    at index: Int, with incoming: Reservation, _ relation: Reservation.Relation,
    from document: ScannedDocument,
    in writer: borrowing StoreWriter
  ) throws -> Change {
    let entry = known[index]
    guard let old = entry.reservation else {
      return Change(outcome: .unchanged, suggestion: entry.suggestion)
    }
    var new = relation == .cancellation ? old : old.updated(by: incoming)
    if relation == .cancellation {
      new.status = .cancelled
      new.modified = incoming.modified
    }
    guard new != old else { return Change(outcome: .unchanged, suggestion: entry.suggestion) }
    let isCancelled = new.status == .cancelled
    switch entry.suggestion.state {
    case .proposed where entry.suggestion.replaces == nil, .cancelled where entry.suggestion.item == nil:
      known[index].suggestion.state = isCancelled ? .cancelled : .proposed
      try set(new, at: index, from: document, in: writer)
      return Change(outcome: isCancelled ? .cancelled : .updated, suggestion: known[index].suggestion)
    case .proposed:
      try set(new, at: index, from: document, in: writer)
      return Change(outcome: .updated, suggestion: known[index].suggestion)
    case .rejected:
      let isMoved = new.start.map { start in !(old.start?.isSame(as: start) ?? false) } ?? false
      // What was refused can only be called off if it was an update of something that is in a calendar.
      guard isCancelled ? entry.suggestion.replaces != nil : isMoved else {
        return Change(outcome: .unchanged, suggestion: entry.suggestion)
      }
      var replaced = entry
      replaced.suggestion.state = .superseded
      replaced.suggestion.changed = now
      try writer.save(replaced.suggestion)
      // An update that was refused stands for the accepted one still.
      let base = replaced.suggestion.replaces.flatMap { superseded[$0] }
      known.remove(at: index)
      superseded[replaced.suggestion.id] = replaced
      return try propose(new, from: document, replacing: base, in: writer)
    case .accepted, .cancelled:
      guard acceptsUpdates || isTrusted(document) else {
        return try propose(new, from: document, replacing: entry, in: writer)
      }
      try set(new, at: index, from: document, in: writer)
      try apply(at: index, in: writer)
      return Change(outcome: isCancelled ? .cancelled : .updated, suggestion: known[index].suggestion)
    case .superseded: return Change(outcome: .unchanged, suggestion: entry.suggestion)
    }
  }

  func isTrusted(_ document: ScannedDocument) -> Bool {
    guard let sender = document.sender, sender.isSigned else { return false }
    return trusted.contains { sender.domain == $0 || sender.domain.hasSuffix("." + $0) }
  }

  // MARK: Events

  /// Brings the event of the suggestion at `index` up to date, and its state. An event that was removed stays removed.
  func apply(at index: Int, in writer: borrowing StoreWriter) throws {
    let entry = known[index]
    guard let reservation = entry.reservation, let id = entry.suggestion.item else { return }
    known[index].suggestion.state = reservation.status == .cancelled ? .cancelled : .accepted
    known[index].suggestion.changed = now
    if let item = try writer.reader.item(id) {
      try merge(reservation, uid: item.uid, sequence: item.sequence + 1, into: item.calendar, in: writer)
    }
    try writer.save(known[index].suggestion)
  }

  /// Merges the event of a reservation into a calendar.
  ///
  /// - Returns: Its identifier in the store.
  @discardableResult
  func merge(
    _ reservation: Reservation, uid: String, sequence: Int, into calendar: Identifier<ItemCalendar>,
    in writer: borrowing StoreWriter
  ) throws -> Identifier<CalendarItem> {
    guard var item = reservation.event(in: calendar, uid: uid, zones: resolver.zones, alarms: alarms) else {
      throw InterchangeError("'\(reservation.eventTitle)' has no time")
    }
    item.sequence = sequence
    item.created = now
    item.lastModified = now
    var merge = CalendarMerge(.keep, at: now, resolver: resolver) { _, _ in calendar }
    return try merge.take(item, in: writer).item
  }

  /// FNV-1a (G. Fowler, L. C. Noll, K.-P. Vo) with 64 bits: equal for equal texts, in every run.
  public static func hash(_ text: String) -> Int64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    return Int64(bitPattern: hash)
  }
}
