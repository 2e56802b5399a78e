import FencepostSpatiotemporal

/// Pairs new reservations with known ones.
public enum ReservationMatcher {
  /// For each of `incoming`, in order, the indices of the matching known ones, and the relation to them.
  ///
  /// An equal leg wins over an equal booking, and each known leg is updated by at most one new leg: a booking
  /// may have the same way twice. A cancellation with a number alone cancels all legs of its booking.
  public static func matches(
    of incoming: [Reservation], in known: [Reservation]
  ) -> [[(index: Int, relation: Reservation.Relation)]] {
    var matches: [[(index: Int, relation: Reservation.Relation)]] = Array(
      repeating: [], count: incoming.count)
    var taken: Set<Int> = []
    for wanted in [Reservation.Relation.same, .update, .cancellation] {
      for (position, reservation) in incoming.enumerated() where matches[position].isEmpty {
        for (index, stored) in known.enumerated() where !taken.contains(index) {
          guard reservation.relation(to: stored) == wanted else { continue }
          matches[position].append((index, wanted))
          if wanted == .cancellation { continue }
          taken.insert(index)
          break
        }
      }
    }
    return matches
  }
}

extension Reservation {
  /// This one with the changes of `incoming`. The later `modified` wins; if one has none, `incoming` does.
  /// What the winner does not say stays.
  public func updated(by incoming: Reservation) -> Reservation {
    if let modified, let theirs = incoming.modified, theirs < modified { return overlaying(incoming) }
    return incoming.overlaying(self)
  }

  /// Both joined: one entry of a calendar for all travellers.
  func joined(with other: Reservation) -> Reservation {
    var joined = updated(by: other)
    joined.travellers = ReservationReader.unique(travellers + other.travellers)
    joined.seats = ReservationReader.unique(seats + other.seats)
    joined.tickets = ReservationReader.unique(tickets + other.tickets)
    // If one traveller cancels, the others stay.
    if status != other.status, Set(travellers) != Set(other.travellers),
      status == .confirmed || other.status == .confirmed
    {
      joined.status = .confirmed
    }
    return joined
  }

  /// This one, with missing details taken from `older`.
  private func overlaying(_ older: Reservation) -> Reservation {
    var result = self
    func fill<Value>(_ field: WritableKeyPath<Reservation, Value?>) {
      result[keyPath: field] = result[keyPath: field] ?? older[keyPath: field]
    }
    fill(\.status)
    fill(\.reference)
    fill(\.provider)
    fill(\.title)
    fill(\.phrase)
    fill(\.number)
    fill(\.start)
    fill(\.boarding)
    fill(\.checkIn)
    fill(\.partySize)
    fill(\.modified)
    result.place = place?.filled(from: older.place) ?? older.place
    result.destination = destination?.filled(from: older.destination) ?? older.destination
    let isUnmoved = result.start == older.start
    if end == nil || (isEndAssumed && !older.isEndAssumed && isUnmoved) {
      // The old end may be before the new start.
      let keepsEnd = isUnmoved || start == nil
      result.end = keepsEnd ? older.end : end
      result.isEndAssumed = keepsEnd ? older.isEndAssumed : isEndAssumed
    }
    if travellers.isEmpty { result.travellers = older.travellers }
    if seats.isEmpty { result.seats = older.seats }
    if tickets.isEmpty { result.tickets = older.tickets }
    result.details = older.details.merging(details) { $1 }
    result.links = older.links.merging(links) { $1 }
    result.isOffer = isOffer && older.isOffer
    return result
  }
}

extension ReservationPlace {
  /// This place, with missing details from `older` if both are the same.
  fileprivate func filled(from older: ReservationPlace?) -> ReservationPlace {
    guard let older, isSame(as: older) else { return self }
    return ReservationPlace(
      name: name ?? older.name, code: code ?? older.code, address: address ?? older.address,
      locality: locality ?? older.locality, country: country ?? older.country,
      coordinate: coordinate ?? older.coordinate)
  }
}

extension Reservation {
  /// True if a calendar has enough data: what, where and when, in the right order.
  ///
  /// A hotel needs both times; a trip needs a name at both ends. A cancellation that names its booking is
  /// valid too.
  public var isValid: Bool {
    if isMinimalCancellation { return true }
    guard let start else { return false }
    if let end, !isOrdered(start, end) { return false }
    switch kind {
    case .flight, .train, .bus, .boat: return place?.label != nil && destination?.label != nil
    case .hotel: return title != nil && end != nil
    case .restaurant, .event: return title != nil
    case .car: return title != nil || place?.label != nil
    case .taxi: return place?.label != nil
    }
  }

  /// The end, if it is not before the start. A trip's end on the day of its start was meant for the next one;
  /// other wrong ends are left out, because people write the wrong month or year of an end more often than of
  /// a start.
  var orderedEnd: ReservationTime? {
    guard let start, let end, !isOrdered(start, end) else { return end }
    let next = end.adding(seconds: 86_400)
    return kind.isTrip && !end.isDay && end.civil.day == start.civil.day && isOrdered(start, next)
      ? next : nil
  }

  /// False if `end` is certainly before `start`. Clocks of two places can't be compared without their
  /// offsets.
  private func isOrdered(_ start: ReservationTime, _ end: ReservationTime) -> Bool {
    if start.isDay || end.isDay {
      return end.civil.day.dayNumber >= start.civil.day.dayNumber - (kind.isTrip ? 1 : 0)
    }
    if let from = start.instant, let to = end.instant { return from <= to }
    // Clocks on Earth differ by at most 26 hours.
    let isOneClock = !kind.isTrip || start.zone != nil && start.zone == end.zone
    return start.civil <= (isOneClock ? end.civil : end.civil.adding(seconds: 26 * 3600))
  }
}
