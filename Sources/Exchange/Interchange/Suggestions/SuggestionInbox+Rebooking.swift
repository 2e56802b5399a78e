import FencepostCalendarModel
import FencepostCalendarStore
import FencepostJSON
import FencepostRecurrence
import FencepostReservations

/// One traveller's other flight or train: a leg of their own, while the others stay.
extension SuggestionInbox {
  /// Makes a leg of its own of what moves only some travellers of a known booking, or of an older mail about
  /// those who stayed.
  ///
  /// - Parameter stated: What says it, and then what came before it.
  /// - Returns: `nil` if it moves nobody, or all.
  func split(
    _ reservation: Reservation, off entry: Known, _ stated: [SuggestionSource],
    from document: ScannedDocument, in writer: borrowing StoreWriter
  ) throws -> [Change]? {
    guard let source = stated.first, let known = entry.reservation, reservation.isOtherRun(than: known)
    else { return nil }
    let said = try sources(of: entry.suggestion, in: writer.reader)
    if isStranger(document, among: said.map(\.sender)), !acceptsUpdates, entry.suggestion.item == nil {
      return nil
    }
    let last = lastSaid(said, about: reservation)
    if ReservationStatement(reservation, at: source.date).time >= last {
      guard reservation.movesSome(of: known) else { return nil }
      let new = try propose(
        merged(stated) ?? reservation, stated, from: document, replacing: nil, in: writer)
      var changes = reservation.status == .cancelled ? [] : [new]
      if let left = self.left(reservation, entry.reservation, source) {
        changes.append(try update(entry, with: left, from: document, in: writer))
      }
      return changes
    }
    // It is older than what others left for.
    guard known.movesSome(of: reservation) else { return nil }
    let moved = (said.max { $0.date < $1.date } ?? source).moved(to: last)
    let sources = stated + [left(known, reservation, moved)].compactMap(\.self)
    let change = try propose(
      merged(sources) ?? reservation, sources, from: document, replacing: nil, in: writer)
    return reservation.status == .cancelled ? [] : [change]
  }

  /// Takes who is new on a leg out of the other flight or train of the booking on which they were, or will
  /// be: the later mail counts.
  ///
  /// - Parameters:
  ///   - entry: The leg before its change.
  ///   - changed: The leg after it.
  func follow(
    _ reservation: Reservation, from entry: Known, to changed: Suggestion, _ source: SuggestionSource,
    among known: [Candidate], from document: ScannedDocument, in writer: borrowing StoreWriter
  ) throws -> [Change] {
    guard reservation.kind.isTrip, reservation.status != .cancelled, let before = entry.reservation else {
      return []
    }
    var new = reservation
    new.people.removeAll { person in before.travellers.contains { person.isNamed($0) } }
    if new.travellers.isEmpty { return [] }
    let time = ReservationStatement(reservation, at: source.date).time
    var changes: [Change] = []
    for other in known where other.suggestion.id != entry.suggestion.id {
      guard reservation.isOtherRun(than: other.reservation),
        let there = try self.known(other.suggestion.id, in: writer.reader),
        try isCurrent(there.suggestion, in: writer.reader)
      else { continue }
      let last = lastSaid(try sources(of: there.suggestion, in: writer.reader), about: new)
      if time >= last {
        if let left = self.left(new, there.reservation, source) {
          let change = try update(there, with: left, from: document, in: writer)
          changes.append(change)
          changes += try takePlace(of: there, changed.id, in: writer)
        }
      } else if let theirs = there.reservation, let left = self.left(theirs, new, source.moved(to: last)),
        let here = try self.known(changed.id, in: writer.reader)
      {
        changes.append(try update(here, with: left, from: document, in: writer))
      }
    }
    return changes
  }

  /// Puts a leg that waits in the place of the one that its last travellers just left for it: the booking moved,
  /// and none is called off.
  private func takePlace(
    of left: Known, _ id: Identifier<Suggestion>, in writer: borrowing StoreWriter
  ) throws -> [Change] {
    guard let new = try known(id, in: writer.reader), let here = new.reservation?.travellers,
      let people = left.reservation?.people.compactMap(\.name),
      people.allSatisfy({ name in here.contains { ReservationPerson(name: $0).isNamed(name) } })
    else { return [] }
    var leg = new.suggestion
    guard leg.state == .proposed, leg.item == nil, leg.replaces == nil else { return [] }
    // What is known of the other leg now: an update of an accepted one waits.
    let pending = try writer.reader.update(of: left.suggestion.id)
    guard var gone = try pending ?? writer.reader.suggestion(left.suggestion.id) else { return [] }
    let accepted = try gone.replaces.flatMap { try writer.reader.suggestion($0) }
    guard gone.state == .cancelled || gone.state == .proposed && accepted != nil else { return [] }
    leg.replaces = accepted?.id
    leg.item = accepted?.item
    leg.previous = accepted?.content ?? gone.previous ?? left.suggestion.content
    gone.state = .superseded
    (leg.changed, gone.changed) = (now, now)
    try writer.save(gone)
    try writer.save(leg)
    try writer.copyTickets(of: gone.id, to: leg.id)
    return [Change(outcome: .updated, suggestion: leg)]
  }

  /// What says that travellers of a leg left for another one.
  ///
  /// - Parameters:
  ///   - reservation: The other leg.
  ///   - leg: The leg that they left.
  private func left(
    _ reservation: Reservation, _ leg: Reservation?, _ source: SuggestionSource
  ) -> SuggestionSource? {
    guard let leaving = leg?.leaving(with: reservation) else { return nil }
    var left = source
    left.content = leaving.jsonLD.line
    return left
  }

  /// When sources last said something of a reservation's travellers.
  private func lastSaid(_ sources: [SuggestionSource], about reservation: Reservation) -> Instant {
    let names = reservation.people.compactMap(\.name)
    return sources.compactMap(statement).filter { statement in
      let people = statement.reservation.people.filter { $0.name != nil }
      return names.isEmpty || people.isEmpty || people.contains { names.contains(where: $0.isNamed) }
    }.map(\.time).max() ?? .epoch
  }
}
