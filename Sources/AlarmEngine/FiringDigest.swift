import CalendarModel

/// A firing's key in memory, valid only in this process: a million keys as text take 100 MB.
///
/// Two firings share one only if they have the same microsecond, and 64 bits of the rest collide.
struct FiringDigest: Hashable {
  private let time: Instant
  private let others: Int

  init(_ firing: Firing) {
    time = firing.time
    var hasher = Hasher()
    hasher.combine(firing.item)
    hasher.combine(firing.alarm)
    hasher.combine(firing.kind)
    hasher.combine(firing.crossing?.device)
    others = hasher.finalize()
  }

  /// Feeds the part that is already a hash.
  func hash(into hasher: inout Hasher) { hasher.combine(others) }
}
