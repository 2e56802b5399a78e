import FencepostAlgorithms
public import FencepostCalendarModel
public import FencepostCalendarStore
import FencepostGeodesy
import FencepostJSON
public import FencepostRecurrence
public import FencepostReservations

/// The inbox. It compares a document with known suggestions, and applies the user's answers.
///
/// Without an answer, nothing goes into a calendar and no accepted event changes. The exceptions are signed
/// mails of trusted senders, and callers that ask for updates. Local changes of an event stay: an update is
/// merged like a later revision of an item from elsewhere (``CalendarMerge``).
///
/// Each call is within a transaction of the caller. Confined to one thread.
public final class SuggestionInbox {
  /// The effect of a document.
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

  /// The effect on one suggestion.
  public struct Change: Hashable, Sendable {
    /// The effect.
    public var outcome: Outcome
    /// The suggestion after the change.
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
  /// The suggestions for comparison, the latest first. A suggestion with a waiting update is not in the list;
  /// the update represents it.
  var known: [Known] = []
  var superseded: [Identifier<Suggestion>: Known] = [:]
  private let trusted: Set<String>
  /// The owner's mail servers, whose word about signatures counts.
  private let mailServers: Set<String>

  /// An inbox.
  ///
  /// - Parameters:
  ///   - store: The store with known suggestions.
  ///   - resolver: Resolves times, and finds zones by places.
  ///   - alarms: The alarms of events: the setting `suggestion-alarms`.
  ///   - now: The current time.
  ///   - acceptsUpdates: True to apply updates and cancellations of accepted suggestions from anyone.
  public init(
    _ store: borrowing StoreReader, resolver: TimeResolver, alarms: ReservationAlarms, at now: Instant,
    acceptsUpdates: Bool = false
  ) throws(StoreError) {
    let reader = ReservationReader(finder: ZoneFinder(zones: resolver.zones))
    self.reader = reader
    self.resolver = resolver
    self.alarms = alarms
    self.now = now
    self.acceptsUpdates = acceptsUpdates
    trusted = Set(try store.trustedSenders())
    mailServers = Set(try store.mailServers())
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

  /// Adds the content of a document.
  ///
  /// - Returns: A change for each reservation and calendar, even without news. The cancellation of something
  ///   unknown returns no change.
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
      let isSeen = try document.app == nil && writer.reader.hasSeenSuggestion(hash)
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
      if document.app == nil { try writer.noteSeenSuggestion(hash) }
    }
    for calendar in document.calendars {
      if let change = try take(calendar, from: document, in: writer) { changes.append(change) }
    }
    return changes
  }

  /// A reservation that equals no other.
  private static let none = Reservation(kind: .event)

  // MARK: Reservations

  private func propose(
    _ reservation: Reservation, from document: ScannedDocument, replacing replaced: Known?,
    in writer: borrowing StoreWriter
  ) throws -> Change {
    var suggestion = Suggestion(kind: reservation.kind.rawValue, title: "", content: "", found: now)
    suggestion.replaces = replaced?.suggestion.id
    suggestion.item = replaced?.suggestion.item
    suggestion.app = replaced?.suggestion.app
    let index = known.startIndex
    known.insert(Known(suggestion: suggestion, reservation: nil), at: index)
    if let replaced {
      known.removeAll { $0.suggestion.id == replaced.suggestion.id }
      superseded[replaced.suggestion.id] = replaced
    }
    try set(reservation, at: index, from: document, in: writer)
    return Change(outcome: .proposed, suggestion: known[index].suggestion)
  }

  /// Updates the suggestion at `index` with a reservation, and saves it.
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
    if let app = document?.app {
      suggestion.app = app
    } else if let document {
      suggestion.sender = document.sender?.domain
      suggestion.isSigned = isSigned(document)
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
      // A cancellation changes a rejected suggestion only if that was an update of an accepted event.
      guard isCancelled ? entry.suggestion.replaces != nil : isMoved else {
        return Change(outcome: .unchanged, suggestion: entry.suggestion)
      }
      var replaced = entry
      replaced.suggestion.state = .superseded
      replaced.suggestion.changed = now
      try writer.save(replaced.suggestion)
      // The next update after a rejected one still belongs to the accepted suggestion.
      let base = replaced.suggestion.replaces.flatMap { superseded[$0] }
      known.remove(at: index)
      superseded[replaced.suggestion.id] = replaced
      return try propose(new, from: document, replacing: base, in: writer)
    case .accepted, .cancelled:
      guard acceptsUpdates || isTrusted(document) || isOwn(document, entry.suggestion) else {
        return try propose(new, from: document, replacing: entry, in: writer)
      }
      try set(new, at: index, from: document, in: writer)
      try apply(at: index, in: writer)
      return Change(outcome: isCancelled ? .cancelled : .updated, suggestion: known[index].suggestion)
    case .superseded: return Change(outcome: .unchanged, suggestion: entry.suggestion)
    }
  }

  /// True if the document is from the app of the suggestion. An app may update its own bookings after the
  /// user accepted them.
  private func isOwn(_ document: ScannedDocument, _ suggestion: Suggestion) -> Bool {
    document.app != nil && document.app == suggestion.app && suggestion.sender == nil
  }

  /// Whether a mail server of the owner says that the mail has a valid signature of its sender's domain.
  func isSigned(_ document: ScannedDocument) -> Bool {
    document.sender?.verifier.map(mailServers.contains) ?? false
  }

  func isTrusted(_ document: ScannedDocument) -> Bool {
    guard let sender = document.sender, isSigned(document) else { return false }
    return trusted.contains { sender.domain == $0 || sender.domain.hasSuffix("." + $0) }
  }

  // MARK: Events

  /// Updates the event and the state of the suggestion at `index`. A removed event stays removed.
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
    let position = try lastPosition(in: writer.reader)
    guard
      var item = reservation.event(
        in: calendar, uid: uid, zones: resolver.zones, alarms: alarms, from: position)
    else {
      throw InterchangeError("'\(reservation.eventTitle)' has no time")
    }
    item.sequence = sequence
    item.created = now
    item.lastModified = now
    var merge = CalendarMerge(.keep, at: now, resolver: resolver) { _, _ in calendar }
    return try merge.apply(item, in: writer).item
  }

  /// The latest position of any device; `nil` if all are older than a week.
  private func lastPosition(in reader: borrowing StoreReader) throws -> Coordinate? {
    guard let fix = try reader.devices().latest?.fix, fix.time > now.adding(seconds: -7 * 86_400) else {
      return nil
    }
    return fix.coordinate
  }

  /// A hash of a text that is the same in every run.
  public static func hash(_ text: String) -> Int64 { Int64(bitPattern: StableHash(of: text).value) }
}
