import FencepostSpatiotemporal

/// Pairs new reservations with known ones.
public enum ReservationMatcher {
  /// For each of `incoming`, in order, the indices of the matching known ones, and the relation to them.
  ///
  /// An equal leg wins over an equal booking, and each known leg is updated by at most one new leg: a booking
  /// may have the same way twice. With the way back between both, it has, unless one mail named the known leg
  /// and the way back: then that was the whole trip, and the leg moves. Of several legs that it may be about, it
  /// is that of its travellers, then the one nearest in time. A cancellation with a number alone cancels all legs
  /// of its booking. What has no date adds to a leg only if it can be no other one.
  ///
  /// - Parameter areTogether: Whether one mail named both of two known ones, by their indices.
  public static func matches(
    of incoming: [Reservation], in known: [Reservation],
    areTogether: (Int, Int) throws -> Bool = { _, _ in false }
  ) rethrows -> [[(index: Int, relation: Reservation.Relation)]] {
    var matches: [[(index: Int, relation: Reservation.Relation)]] = Array(
      repeating: [], count: incoming.count)
    var taken: Set<Int> = []
    for wanted in [Reservation.Relation.same, .update, .cancellation, .addition] {
      for (position, reservation) in incoming.enumerated() where matches[position].isEmpty {
        var found = known.indices.filter { index in
          !taken.contains(index) && reservation.relation(to: known[index]) == wanted
        }
        if wanted == .update {
          found = try found.filter { leg in
            try reservation.ways(backFrom: known[leg], in: incoming, known).allSatisfy { back in
              try back.map { try areTogether(leg, $0) } ?? false
            }
          }
        }
        if wanted == .addition {
          let own = found.filter { reservation.sharedTravellers(known[$0]) > 0 }
          if !own.isEmpty { found = own }
          if found.count > 1 { continue }
        } else if wanted != .cancellation, found.count > 1 {
          let fits = found.map { index in
            (index, reservation.sharedTravellers(known[index]), reservation.distance(to: known[index]))
          }
          found = fits.max { ($0.1, -$0.2) < ($1.1, -$1.2) }.map { [$0.0] } ?? []
        }
        matches[position] = found.map { ($0, wanted) }
        // Several tickets may be for one leg.
        if wanted == .same || wanted == .update { taken.formUnion(found) }
      }
    }
    return matches
  }
}

extension Reservation {
  /// The seconds between the starts of both.
  fileprivate func distance(to other: Reservation) -> Int64 {
    guard let start, let theirs = other.start else { return .max }
    return abs(start.civil.secondsSinceEpoch - theirs.civil.secondsSinceEpoch)
  }

  /// The ways back of the same booking that lie between both: with one, no traveller moved from one to the
  /// other, and both take place.
  ///
  /// - Parameters:
  ///   - incoming: What a mail says of the booking now.
  ///   - known: What is known of it; the mail's word counts instead.
  /// - Returns: Their indices in `known`; `nil` for those of the mail.
  fileprivate func ways(
    backFrom other: Reservation, in incoming: [Reservation], _ known: [Reservation]
  ) -> [Int?] {
    guard kind.isTrip, let start, let theirs = other.start, !start.isSame(as: theirs) else { return [] }
    let (first, last) = (min(start.civil, theirs.civil), max(start.civil, theirs.civil))
    func isBack(_ leg: Reservation) -> Bool {
      guard let time = leg.start?.civil, first < time, time < last, leg.status != .cancelled else {
        return false
      }
      return leg.kind == kind && leg.referenceKey == referenceKey
        && leg.place?.isSame(as: destination) ?? false && leg.destination?.isSame(as: place) ?? false
    }
    let now: [Int?] = incoming.filter(isBack).map { _ in nil }
    return now
      + known.indices.filter { index in
        isBack(known[index])
          && !incoming.contains { [.same, .update].contains($0.relation(to: known[index])) }
      }
  }
}
