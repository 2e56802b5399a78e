extension RandomAccessCollection {
  /// The first index whose element `belongs` to the second part of a partitioned collection; `endIndex` if
  /// none does.
  ///
  /// - Parameter belongs: False for all elements before some index, true for all from it on.
  /// - Complexity: O(log *n*) calls of `belongs`.
  @inlinable
  public func partitioningIndex(where belongs: (Element) -> Bool) -> Index {
    var low = startIndex
    var left = count
    while left > 0 {
      let half = left / 2
      let middle = index(low, offsetBy: half)
      if belongs(self[middle]) {
        left = half
      } else {
        low = index(after: middle)
        left -= half + 1
      }
    }
    return low
  }
}
