import FencepostCalendarModel

extension Firing {
  /// The key of the firing as a number, valid only in this process: a million keys as text take 100 MB. Of a million
  /// firings, two share a number with a probability of 3 in 100 million.
  var digest: Int {
    var hasher = Hasher()
    hasher.combine(time)
    if let fence = subject.fence { hasher.combine(fence) } else { hasher.combine(subject) }
    hasher.combine(kind)
    hasher.combine(crossing?.device)
    return hasher.finalize()
  }
}
