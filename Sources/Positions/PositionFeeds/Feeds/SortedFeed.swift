public import FencepostSpatiotemporal

/// Sorts the fixes of one trace by time, in bounded memory.
///
/// Some programs export the newest position first, or the newest day. As long as each device's fixes come in
/// order, they pass unchanged. Otherwise they are sorted: within a window of fixes, or all of them, if the
/// trace is a file that is longer and runs backwards in its first window. Then sorted runs go through a
/// temporary file. A pipe may be live, so a window of it ends when no bytes come for a moment.
///
/// A fix that comes more than a window late stays where it is, and is counted.
public final class SortedFeed: PositionFeed {
  private let reader: TraceReader
  private let window: Int
  private var order = FixOrder()
  /// The fixes that were read and not yet returned, in order unless ``isDisordered``.
  private var queue: [[Fix]] = []
  /// How many fixes ``queue`` has, and how many of its first part were returned.
  private var queued = 0
  private var returned = 0
  private var isDisordered = false
  /// The fixes after a clock was set back. They wait until all before them were returned.
  private var nextSection: [Fix] = []
  /// Whether some fixes of this section were returned.
  private var hasBegun = false
  private var hasEnded = false
  /// The error that ended the trace, until all fixes before it were returned.
  private var failure: FeedError?
  /// All fixes of a section that is sorted on disk.
  private var runs: FixRuns?
  /// The fixes that came after a later one of their device.
  private var late = 0
  /// Those of them that were returned after a later one.
  private var unsorted = 0
  private var returnedOrder = FixOrder()

  /// The fixes that are looked at together by default: 8 MB.
  public static let usualWindow = 65_536

  /// The fixes that are read at once.
  private static let batch = 4_096
  /// How long a window of a pipe waits for more bytes, and in all. An alarm of a live pipe comes that much
  /// later.
  private static let pause = Duration.milliseconds(100)
  private static let patience = Duration.milliseconds(500)

  /// Sorts what `reader` reads, `window` fixes (1 or more) at a time.
  public init(_ reader: TraceReader, window: Int = usualWindow) {
    self.reader = reader
    self.window = max(1, window)
  }

  /// The reader's reports. The first one counts the fixes that were out of order.
  public var reports: [TraceReport] {
    var reports = reader.reports
    if !reports.isEmpty {
      reports[0].late = late
      reports[0].unsorted = unsorted
    }
    return reports
  }

  /// See ``PositionFeed/read(into:limit:)``.
  public func read(into fixes: inout [Fix], limit: Int = 4_096) throws(FeedError) -> Bool {
    guard try readSorted(into: &fixes, limit: limit) else { return false }
    var start = 0
    while start < fixes.count {
      let (end, late) = returnedOrder.add(fixes[start...])
      unsorted += late
      if end < fixes.count { returnedOrder = FixOrder() }
      start = end
    }
    return true
  }

  private func readSorted(into fixes: inout [Fix], limit: Int) throws(FeedError) -> Bool {
    fixes.removeAll(keepingCapacity: true)
    let limit = max(1, limit)
    while true {
      if let runs {
        if try runs.read(into: &fixes, limit: limit) { return true }
        self.runs = nil
      }
      try fill()
      if runs != nil { continue }
      if queued > 0 {
        returnFirst(limit, into: &fixes)
        return true
      }
      if let failure {
        self.failure = nil
        throw failure
      }
      if hasEnded { return false }
    }
  }

  /// Whether nothing more can be read before the fixes in memory were returned.
  private var sectionHasEnded: Bool { nextSection.isEmpty ? hasEnded : queued > 0 }

  /// Fills the window, and sorts it.
  private func fill() throws(FeedError) {
    var deadline: ContinuousClock.Instant?
    while queued < window && !sectionHasEnded {
      if queued > 0, !reader.isFile {
        let end = deadline ?? .now + SortedFeed.patience
        deadline = end
        guard reader.hasMore(until: min(end, .now + SortedFeed.pause)) else { break }
      }
      addBatch()
    }
    guard isDisordered else { return }
    sortQueue()
    if !hasBegun, reader.isFile, !sectionHasEnded { try sortOnDisk() }
  }

  /// Reads more fixes into the queue, up to the end of the section.
  private func addBatch() {
    var batch: [Fix] = []
    if nextSection.isEmpty {
      do throws(FeedError) {
        if try !reader.read(into: &batch, limit: min(window, SortedFeed.batch)) { hasEnded = true }
      } catch {
        failure = error
        hasEnded = true
      }
    } else {
      swap(&batch, &nextSection)
      order = FixOrder()
      hasBegun = false
    }
    let (end, late) = order.add(batch[...])
    self.late += late
    if late > 0 { isDisordered = true }
    if end < batch.count {
      nextSection = Array(batch[end...])
      batch.removeSubrange(end...)
    }
    if batch.isEmpty { return }
    queued += batch.count
    queue.append(batch)
  }

  /// Makes one sorted array of the queue.
  private func sortQueue() {
    if returned > 0 { queue[0].removeFirst(returned) }
    returned = 0
    var all = queue.flatMap(\.self)[...]
    all.sortByTime()
    queue = [Array(all)]
    isDisordered = false
  }

  /// Reads the rest of the section into sorted runs on disk.
  private func sortOnDisk() throws(FeedError) {
    let runs = try FixRuns(trace: reader.report.name)
    while queued > 0 {
      sortQueue()
      try runs.add(queue[0])
      queue.removeAll()
      queued = 0
      while queued < window, !hasEnded, nextSection.isEmpty { addBatch() }
    }
    isDisordered = false
    self.runs = runs
  }

  private func returnFirst(_ limit: Int, into fixes: inout [Fix]) {
    hasBegun = true
    let count = min(limit, queue[0].count - returned)
    if count == queue[0].count {
      swap(&fixes, &queue[0])
    } else {
      fixes.append(contentsOf: queue[0][returned..<returned + count])
    }
    returned += count
    queued -= count
    if queue[0].isEmpty || returned == queue[0].count {
      queue.removeFirst()
      returned = 0
    }
  }
}
