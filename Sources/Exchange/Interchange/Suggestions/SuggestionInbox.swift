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
  }

  /// A suggestion of the store; `nil` if it does not exist.
  func known(_ id: Identifier<Suggestion>, in reader: borrowing StoreReader) throws -> Known? {
    try reader.suggestion(id).map(known)
  }

  private func known(_ suggestion: Suggestion) -> Known {
    Known(
      suggestion: suggestion,
      reservation: suggestion.isCalendar
        ? nil : reader.reservations(inJSON: Array(suggestion.content.utf8)).first)
  }

  /// The suggestions that reservations may be about, the latest first.
  private func candidates(
    for incoming: [Reservation], in writer: borrowing StoreWriter
  ) throws -> [(id: Identifier<Suggestion>, reservation: Reservation)] {
    var found: [(id: Identifier<Suggestion>, reservation: Reservation)] = []
    var seen: Set<Identifier<Suggestion>> = []
    for reservation in incoming {
      let all = try writer.reader.suggestions(
        kind: reservation.kind.rawValue, key: reservation.referenceKey, near: reservation.start?.civil.day)
      for var suggestion in all where seen.insert(suggestion.id).inserted {
        let reservation = known(suggestion).reservation
        if suggestion.key == nil {
          // Of an earlier version.
          suggestion.key = reservation.map { $0.referenceKey ?? "" } ?? suggestion.reference
          try writer.save(suggestion)
        }
        if let reservation { found.append((suggestion.id, reservation)) }
      }
    }
    return found
  }

  /// Adds the content of a document.
  ///
  /// Cost: some milliseconds for a reservation, however many suggestions there are.
  ///
  /// - Returns: A change for each reservation and calendar, even without news. The cancellation of something
  ///   unknown returns no change.
  public func take(
    _ document: ScannedDocument, in writer: borrowing StoreWriter
  ) throws -> [Change] {
    var changes: [Change] = []
    if document.reservations.isEmpty && document.calendars.isEmpty { return [] }
    let incoming = document.reservations
    let candidates = try candidates(for: incoming, in: writer)
    let matches = ReservationMatcher.matches(of: incoming, in: candidates.map(\.reservation))
    for (reservation, matches) in zip(incoming, matches) {
      let hash = Self.hash("\(document.messageID ?? "")\n\(reservation.jsonLD.line)")
      let isSeen = try document.app == nil && writer.reader.hasSeenSuggestion(hash)
      if matches.isEmpty && !isSeen {
        guard reservation.status != .cancelled else { continue }
        changes.append(try propose(reservation, from: document, replacing: nil, in: writer))
      }
      for match in matches {
        // An earlier reservation of the document may have replaced it.
        guard let entry = try known(candidates[match.index].id, in: writer.reader),
          try isCurrent(entry.suggestion, in: writer.reader)
        else { continue }
        changes.append(
          isSeen
            ? Change(outcome: .unchanged, suggestion: entry.suggestion)
            : try update(entry, with: reservation, match.relation, from: document, in: writer))
      }
      if document.app == nil { try writer.noteSeenSuggestion(hash) }
    }
    for calendar in document.calendars {
      if let change = try take(calendar, from: document, in: writer) { changes.append(change) }
    }
    return changes
  }

  /// Whether a suggestion stands for itself: it is not superseded, and has no update.
  func isCurrent(_ suggestion: Suggestion, in reader: borrowing StoreReader) throws -> Bool {
    try suggestion.state != .superseded && reader.update(of: suggestion.id) == nil
  }

  // MARK: Reservations

  private func propose(
    _ reservation: Reservation, from document: ScannedDocument, replacing replaced: Known?,
    in writer: borrowing StoreWriter
  ) throws -> Change {
    var suggestion = Suggestion(kind: reservation.kind.rawValue, title: "", content: "", found: now)
    suggestion.replaces = replaced?.suggestion.id
    suggestion.item = replaced?.suggestion.item
    suggestion.app = replaced?.suggestion.app
    return Change(
      outcome: .proposed, suggestion: try set(reservation, in: suggestion, from: document, in: writer))
  }

  /// Updates a suggestion with a reservation, and saves it.
  private func set(
    _ reservation: Reservation, in suggestion: Suggestion, from document: ScannedDocument?,
    in writer: borrowing StoreWriter
  ) throws -> Suggestion {
    var suggestion = suggestion
    suggestion.title = reservation.eventTitle
    suggestion.provider = reservation.provider ?? ""
    suggestion.reference = reservation.reference ?? ""
    suggestion.key = reservation.referenceKey ?? ""
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
    try writer.save(suggestion)
    return suggestion
  }

  private func update(
    _ entry: Known, with incoming: Reservation, _ relation: Reservation.Relation,
    from document: ScannedDocument,
    in writer: borrowing StoreWriter
  ) throws -> Change {
    var suggestion = entry.suggestion
    guard let old = entry.reservation else { return Change(outcome: .unchanged, suggestion: suggestion) }
    var new = relation == .cancellation ? old : old.updated(by: incoming)
    if relation == .cancellation {
      new.status = .cancelled
      new.modified = incoming.modified
    }
    guard new != old else { return Change(outcome: .unchanged, suggestion: suggestion) }
    let isCancelled = new.status == .cancelled
    switch suggestion.state {
    case .proposed where suggestion.replaces == nil, .cancelled where suggestion.item == nil:
      suggestion.state = isCancelled ? .cancelled : .proposed
      suggestion = try set(new, in: suggestion, from: document, in: writer)
      return Change(outcome: isCancelled ? .cancelled : .updated, suggestion: suggestion)
    case .proposed:
      return Change(
        outcome: .updated, suggestion: try set(new, in: suggestion, from: document, in: writer))
    case .rejected:
      let isMoved = new.start.map { start in !(old.start?.isSame(as: start) ?? false) } ?? false
      // A cancellation changes a rejected suggestion only if that was an update of an accepted event.
      guard isCancelled ? suggestion.replaces != nil : isMoved else {
        return Change(outcome: .unchanged, suggestion: suggestion)
      }
      suggestion.state = .superseded
      suggestion.changed = now
      try writer.save(suggestion)
      // The next update after a rejected one still belongs to the accepted suggestion.
      let base = try suggestion.replaces.flatMap { try known($0, in: writer.reader) }
      return try propose(new, from: document, replacing: base, in: writer)
    case .accepted, .cancelled:
      guard acceptsUpdates || isTrusted(document) || isOwn(document, suggestion) else {
        return try propose(new, from: document, replacing: entry, in: writer)
      }
      suggestion = try set(new, in: suggestion, from: document, in: writer)
      suggestion = try apply(Known(suggestion: suggestion, reservation: new), in: writer)
      return Change(outcome: isCancelled ? .cancelled : .updated, suggestion: suggestion)
    case .superseded: return Change(outcome: .unchanged, suggestion: suggestion)
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

  /// Updates the event and the state of a suggestion. A removed event stays removed.
  func apply(_ entry: Known, in writer: borrowing StoreWriter) throws -> Suggestion {
    var suggestion = entry.suggestion
    guard let reservation = entry.reservation, let id = suggestion.item else { return suggestion }
    suggestion.state = reservation.status == .cancelled ? .cancelled : .accepted
    suggestion.changed = now
    if let item = try writer.reader.item(id) {
      try merge(reservation, uid: item.uid, sequence: item.sequence + 1, into: item.calendar, in: writer)
    }
    try writer.save(suggestion)
    return suggestion
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
