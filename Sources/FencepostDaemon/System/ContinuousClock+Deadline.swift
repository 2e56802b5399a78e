extension ContinuousClock.Instant {
  /// Milliseconds until then, for poll(2): rounded up, so that it has come when they have passed; 1 where it has.
  var millisecondsLeft: Int64 {
    let (seconds, attoseconds) = max(self - .now, .zero).components
    return seconds * 1_000 + attoseconds / 1_000_000_000_000_000 + 1
  }
}
