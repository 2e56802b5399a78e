import FencepostSpatiotemporal

/// Decides whether two reservations are about the same thing.
///
/// Uses the rules of KItinerary (mergeutil.cpp): fields that both have must not conflict, and for each kind
/// both must have certain fields with equal values.
extension Reservation {
  /// The relation of a new reservation to a known one.
  public enum Relation: Hashable, Sendable {
    /// The same leg, at the same time.
    case same
    /// The same leg of the same booking, at another time or place.
    case update
    /// A cancellation of the known one, without other details.
    case cancellation
    /// Another one.
    case different
  }

  /// The relation of this new reservation to `known`.
  public func relation(to known: Reservation) -> Relation {
    guard kind == known.kind else { return .different }
    if isMinimalCancellation {
      // It must be from before the start, because providers reuse booking numbers over the years.
      guard hasEqualReference(known), hasAgreeingProvider(known), let modified, let start = known.start,
        modified < start.instant ?? Instant(seconds: start.civil.secondsSinceEpoch)
      else { return .different }
      return .cancellation
    }
    if isSameLeg(as: known) { return .same }
    let isUpdate = hasEqualReference(known) && hasAgreeingProvider(known) && leg == known.leg
    return isUpdate ? .update : .different
  }

  /// True if no detail conflicts: they are one leg of the same traveller.
  public func isSame(as other: Reservation) -> Bool {
    Self.agree(travellers, other.travellers) && Self.agree(seats, other.seats) && isSameLeg(as: other)
  }

  /// True if both are one entry in a calendar, possibly of several travellers.
  public func isSameLeg(as other: Reservation) -> Bool {
    guard kind == other.kind, Self.agree(reference, other.reference) else { return false }
    switch kind {
    case .flight:
      guard isSameDay(other) else { return false }
      if let number, let theirs = other.number { return PlainText.key(number) == PlainText.key(theirs) }
      return place?.isSame(as: other.place) ?? false && destination?.isSame(as: other.destination) ?? false
    case .train, .bus, .boat:
      return Self.agree(number, other.number) && isSameStart(other)
        && place?.isSame(as: other.place) ?? false && destination?.isSame(as: other.destination) ?? false
    case .hotel: return hasEqualTitle(other) && isSameDay(other)
    case .car: return Self.agree(title, other.title) && isSameDay(other)
    case .restaurant: return hasEqualTitle(other) && isSameDay(other)
    case .event:
      if title == nil || other.title == nil { return hasEqualReference(other) }
      return hasEqualTitle(other) && isSameDay(other) && !differsInTime(other)
    case .taxi:
      return isSameStart(other) && (place?.isSame(as: other.place) ?? (other.place == nil))
    }
  }

  /// Identifies the leg within its booking, independent of its time. Empty for kinds with one leg.
  public var leg: String {
    switch kind {
    case .flight, .train, .bus, .boat:
      "\(place?.key ?? "")-\(destination?.key ?? "")"
    case .hotel: PlainText.key(title ?? "")
    case .restaurant, .car, .event, .taxi: ""
    }
  }

  /// The number of its booking in the form in which numbers are compared; `nil` if it has none. Two with
  /// different numbers are never related (``relation(to:)``).
  public var referenceKey: String? { reference.map(PlainText.key) }

  // MARK: Parts

  private func hasEqualReference(_ other: Reservation) -> Bool {
    guard let reference, let theirs = other.reference else { return false }
    return PlainText.key(reference) == PlainText.key(theirs)
  }

  private func hasAgreeingProvider(_ other: Reservation) -> Bool { Self.agree(provider, other.provider) }

  private func hasEqualTitle(_ other: Reservation) -> Bool {
    guard let title, let theirs = other.title else { return false }
    return PlainText.key(title) == PlainText.key(theirs)
  }

  private func isSameStart(_ other: Reservation) -> Bool {
    guard let start, let theirs = other.start else { return false }
    return start.isSame(as: theirs)
  }

  private func isSameDay(_ other: Reservation) -> Bool {
    guard let start, let theirs = other.start else { return false }
    return start.civil.day == theirs.civil.day || start.isSame(as: theirs)
  }

  /// True if both have a time of day and the times differ: two shows on one day.
  private func differsInTime(_ other: Reservation) -> Bool {
    reference == nil && other.reference == nil && !isSameStart(other)
  }

  /// True unless both exist and differ.
  private static func agree(_ a: String?, _ b: String?) -> Bool {
    guard let a, let b else { return true }
    return PlainText.key(a) == PlainText.key(b)
  }

  private static func agree(_ a: [String], _ b: [String]) -> Bool {
    a.isEmpty || b.isEmpty || !Set(a.map(PlainText.key)).isDisjoint(with: b.map(PlainText.key))
  }
}

extension ReservationPlace {
  /// Its key among places of its kind: the code of an airport, else its name.
  var key: String { code ?? PlainText.key(label ?? "") }

  /// True if both are the same airport or station.
  func isSame(as other: ReservationPlace?) -> Bool {
    guard let other else { return false }
    if let code, let theirs = other.code { return code == theirs }
    return !key.isEmpty && PlainText.key(name ?? key) == PlainText.key(other.name ?? other.key)
  }
}
