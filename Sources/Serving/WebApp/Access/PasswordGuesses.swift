import FencepostWebServer

/// Limits how often a password may be tried: from one address, and from all together, because somebody with
/// many addresses could otherwise try without end.
struct PasswordGuesses {
  /// Five at once, and one in ten seconds.
  private var byAddress = RateLimit<PeerAddress>(rate: 0.1, burst: 5)
  /// Thirty at once, and one in five seconds: no password of ten characters is found so. This machine has a
  /// limit of its own, so that others can't use up its tries.
  private var overall = RateLimit<Bool>(rate: 0.2, burst: 30)

  /// Counts a try; false if there were too many.
  mutating func admit(_ sender: HTTPSender?, at now: ContinuousClock.Instant) -> Bool {
    guard let sender else { return true }
    // One client must not lock out others that come from the same address.
    guard byAddress.take(sender.mayBeMany ? 0.04 : 1, of: sender.address, at: now) else { return false }
    return sender.mayBeMany || overall.take(of: true, at: now)
  }
}
