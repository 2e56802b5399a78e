internal import Glibc

/// Cuts pieces of bytes into lines, which end in LF or CR LF.
///
/// A line that lies within one piece is handed on where it lies; only one that a piece breaks is copied.
/// Longer lines than ``maximumLength`` are handed on as empty and marked, so that no input eats memory.
struct LineSplitter {
  /// The longest line that is kept, in bytes.
  static let maximumLength = 65_536

  /// A line without its end.
  struct Line {
    /// Its bytes; they go away when the next line comes.
    var bytes: UnsafeBufferPointer<UInt8>
    /// From 1.
    var number: Int
    /// False where the trace ended before the line did.
    var isComplete: Bool
    /// True where it was too long to keep.
    var isTooLong: Bool
  }

  private var carried: [UInt8] = []
  private var isTooLong = false
  private var number = 0

  /// Hands the lines that `bytes` complete to `body`.
  mutating func split<Failure: Error>(
    _ bytes: UnsafeBufferPointer<UInt8>, _ body: (Line) throws(Failure) -> Void
  ) throws(Failure) {
    guard let base = bytes.baseAddress else { return }
    var start = 0
    while start < bytes.count, let found = memchr(base + start, 0x0A, bytes.count - start) {
      let end = UnsafeRawPointer(base).distance(to: UnsafeRawPointer(found))
      let piece = UnsafeBufferPointer(start: base + start, count: end - start)
      start = end + 1
      number += 1
      if carried.isEmpty && !isTooLong {
        try body(line(piece))
      } else {
        carry(piece)
        try handOnCarried(isComplete: true, body)
      }
    }
    carry(UnsafeBufferPointer(start: base + start, count: bytes.count - start))
  }

  /// Hands a last line that has no end to `body`.
  mutating func finish<Failure: Error>(_ body: (Line) throws(Failure) -> Void) throws(Failure) {
    guard !carried.isEmpty || isTooLong else { return }
    number += 1
    try handOnCarried(isComplete: false, body)
  }

  private mutating func carry(_ piece: UnsafeBufferPointer<UInt8>) {
    if carried.count + piece.count > LineSplitter.maximumLength { isTooLong = true }
    if isTooLong { carried.removeAll(keepingCapacity: true) } else { carried.append(contentsOf: piece) }
  }

  private mutating func handOnCarried<Failure: Error>(
    isComplete: Bool, _ body: (Line) throws(Failure) -> Void
  ) throws(Failure) {
    let wasTooLong = isTooLong
    isTooLong = false
    let bytes = carried
    carried.removeAll(keepingCapacity: true)
    try bytes.withUnsafeBufferPointer { (buffer) throws(Failure) in
      var line = line(buffer)
      line.isComplete = isComplete
      line.isTooLong = wasTooLong
      try body(line)
    }
  }

  /// A complete line of `piece`, without a CR at its end.
  private func line(_ piece: UnsafeBufferPointer<UInt8>) -> Line {
    let hasReturn = piece.last == 0x0D
    let bytes = hasReturn ? UnsafeBufferPointer(rebasing: piece.dropLast()) : piece
    return Line(bytes: bytes, number: number, isComplete: true, isTooLong: false)
  }
}
