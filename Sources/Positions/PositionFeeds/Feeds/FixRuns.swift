import FencepostAlgorithms
internal import FencepostSpatiotemporal
internal import Glibc

/// Sorted runs of fixes in a temporary file without a name, and their merger by time.
///
/// A fix holds no references, so its bytes are written as they are; only this process reads them.
final class FixRuns {
  /// Where a run goes on in the file, and its fixes that were read from it and not yet returned.
  private struct Run {
    var position: Int
    var end: Int
    var fixes: ArraySlice<Fix> = []
  }

  /// The time of the next fix of a run. Fixes of one time are in the order of their runs.
  private struct Turn: Comparable {
    var time: Instant
    let run: Int

    static func < (a: Turn, b: Turn) -> Bool { (a.time, a.run) < (b.time, b.run) }
  }

  private let trace: String
  private let descriptor: Int32
  private var runs: [Run] = []
  private var turns = Heap<Turn>()
  private var hasBegun = false

  /// The fixes of a run that are in memory at once.
  private static let batch = 512
  private static let stride = MemoryLayout<Fix>.stride

  /// An empty file in the folder for temporary files.
  init(trace: String) throws(FeedError) {
    self.trace = trace
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/var/tmp"
    var path = Array("\(folder)/fencepost-sort.XXXXXX".utf8CString)
    descriptor = mkstemp(&path)
    guard descriptor >= 0 else { throw FeedError(trace: trace, problem: .cannotSort(errno)) }
    // It disappears with this process.
    unlink(path)
  }

  deinit { close(descriptor) }

  /// Adds fixes that are sorted by time, and come after those of the runs before if their times are equal.
  func add(_ fixes: [Fix]) throws(FeedError) {
    let start = runs.last?.end ?? 0
    let failure = fixes.withUnsafeBytes { bytes in
      FixRuns.transfer(bytes.count) { done in
        pwrite(descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done, start + done)
      }
    }
    if let failure { throw FeedError(trace: trace, problem: .cannotSort(failure)) }
    runs.append(Run(position: start, end: start + fixes.count * FixRuns.stride))
  }

  /// Puts the next fixes into the empty `fixes`. False at the end.
  func read(into fixes: inout [Fix], limit: Int) throws(FeedError) -> Bool {
    if !hasBegun {
      hasBegun = true
      for run in runs.indices {
        if let time = try nextTime(of: run) { turns.insert(Turn(time: time, run: run)) }
      }
    }
    while fixes.count < limit, let first = turns.first {
      if let fix = runs[first.run].fixes.popFirst() { fixes.append(fix) }
      if let time = try nextTime(of: first.run) {
        turns.updateFirst { $0.time = time }
      } else {
        turns.popFirst()
      }
    }
    return !fixes.isEmpty
  }

  /// The time of a run's next fix, which is read if necessary; `nil` at its end.
  private func nextTime(of index: Int) throws(FeedError) -> Instant? {
    if let fix = runs[index].fixes.first { return fix.time }
    let count = min(FixRuns.batch, (runs[index].end - runs[index].position) / FixRuns.stride)
    guard count > 0 else { return nil }
    let (position, descriptor) = (runs[index].position, descriptor)
    var failure: Int32?
    let fixes = [Fix](unsafeUninitializedCapacity: count) { buffer, filled in
      let bytes = UnsafeMutableRawBufferPointer(buffer)
      let size = count * FixRuns.stride
      failure = FixRuns.transfer(size) { done in
        pread(descriptor, bytes.baseAddress.map { $0 + done }, size - done, position + done)
      }
      filled = failure == nil ? count : 0
    }
    if let failure { throw FeedError(trace: trace, problem: .cannotSort(failure)) }
    runs[index].position += count * FixRuns.stride
    runs[index].fixes = fixes[...]
    return fixes.first?.time
  }

  /// Reads or writes `size` bytes by calls that say how many they did. Returns the error number of a failure.
  private static func transfer(_ size: Int, _ some: (_ done: Int) -> Int) -> Int32? {
    var done = 0
    while done < size {
      let count = some(done)
      if count > 0 {
        done += count
      } else if count == 0 || errno != EINTR {
        return count == 0 ? EIO : errno
      }
    }
    return nil
  }
}
