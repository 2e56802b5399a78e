import FencepostSpatiotemporal

/// Pairs new reservations with known ones.
public enum ReservationMatcher {
  /// For each of `incoming`, in order, the indices of the matching known ones, and the relation to them.
  ///
  /// An equal leg wins over an equal booking, and each known leg is updated by at most one new leg: a booking
  /// may have the same way twice. Of several legs that it may be about, it is that of its travellers. A
  /// cancellation with a number alone cancels all legs of its booking. What has no date adds to a leg only if it
  /// can be no other one.
  public static func matches(
    of incoming: [Reservation], in known: [Reservation]
  ) -> [[(index: Int, relation: Reservation.Relation)]] {
    var matches: [[(index: Int, relation: Reservation.Relation)]] = Array(
      repeating: [], count: incoming.count)
    var taken: Set<Int> = []
    for wanted in [Reservation.Relation.same, .update, .cancellation, .addition] {
      for (position, reservation) in incoming.enumerated() where matches[position].isEmpty {
        var found = known.indices.filter { index in
          !taken.contains(index) && reservation.relation(to: known[index]) == wanted
        }
        if wanted == .addition {
          let own = found.filter { reservation.sharedTravellers(known[$0]) > 0 }
          if !own.isEmpty { found = own }
          if found.count > 1 { continue }
        } else if wanted != .cancellation, found.count > 1 {
          let shared = found.map { reservation.sharedTravellers(known[$0]) }
          found = [found[shared.firstIndex(of: shared.max() ?? 0) ?? 0]]
        }
        matches[position] = found.map { ($0, wanted) }
        // Several tickets may be for one leg.
        if wanted == .same || wanted == .update { taken.formUnion(found) }
      }
    }
    return matches
  }
}
