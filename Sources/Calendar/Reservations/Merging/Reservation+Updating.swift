extension Reservation {
  /// This one with the changes of `incoming`. The later `modified` wins; if one has none, `incoming` does. What the winner
  /// does not say stays.
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
