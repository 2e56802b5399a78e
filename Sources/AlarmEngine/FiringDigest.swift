import CalendarModel

/// What stands for a firing's key in memory, good for this process alone: a million keys as texts take 100 MB.
///
/// Two firings share one where they are of the same microsecond, and 64 bits of all else agree by chance.
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
}
