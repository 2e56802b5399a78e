import FencepostSpatiotemporal

/// One traveller's other flight or train within a booking.
extension Reservation {
  /// True if both are of one booking and go the same way, but with another flight, train, bus or boat: one of
  /// another number or another day. A flight or train that only leaves later stays the same for all.
  public func isOtherRun(than other: Reservation) -> Bool {
    guard kind == other.kind, kind.isTrip, let start, let theirs = other.start,
      relation(to: other) == .update
    else { return false }
    guard start.civil.day == theirs.civil.day else { return true }
    return number == nil || other.number == nil || !hasAgreeingTrain(other)
  }

  /// Whether this, said after `earlier`, moves some of its travellers to another flight or train, and others
  /// stay.
  public func movesSome(of earlier: Reservation) -> Bool {
    let moved = people.compactMap(\.name)
    return !moved.isEmpty && isOtherRun(than: earlier)
      && earlier.travellers.contains { name in !moved.contains { NameMatching.people($0, name) } }
  }

  /// What says that travellers whom `other` names too do not come any more; `nil` if it names none of them.
  public func leaving(with other: Reservation) -> Reservation? {
    let moved = other.people.compactMap(\.name)
    let names = travellers.filter { name in moved.contains { NameMatching.people($0, name) } }
    if names.isEmpty { return nil }
    var leaving = Reservation(kind: kind)
    leaving.reference = reference
    leaving.status = .cancelled
    leaving.people = names.map { ReservationPerson(name: $0) }
    leaving.settlePeople()
    return leaving
  }

  /// How many travellers both have.
  func sharedTravellers(_ other: Reservation) -> Int {
    let mine = travellers
    return other.travellers.count { name in mine.contains { NameMatching.people($0, name) } }
  }
}
