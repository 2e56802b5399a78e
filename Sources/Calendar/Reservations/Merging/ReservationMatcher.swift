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
