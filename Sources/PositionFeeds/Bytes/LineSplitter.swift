internal import Glibc

/// Cuts pieces of bytes into lines, which end in LF or CR LF.
///
/// A line that lies within one piece is handed on where it lies; only one that a piece breaks is copied.
/// Longer lines than ``maximumLength`` are handed on as empty and marked, so that no input eats memory.
final class LineSplitter {
  /// The longest line that is kept, in bytes.
  static let maximumLength = 65_536

  /// A line without its end.
  struct Line {
    /// Its bytes; they go away when the next line is asked for.
    var bytes: UnsafeBufferPointer<UInt8>
    /// From 1.
    var number: Int
    /// False where the trace ended before the line did.
    var isComplete = true
    /// True where it was too long to keep.
    var isTooLong = false
  }

  /// The beginning of a line whose end is still to come.
  private let carried = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: maximumLength)
  private var carriedCount = 0
  private var isTooLong = false
  private var number = 0

  deinit { carried.deallocate() }

  /// Takes the next line off the front of `bytes`. `nil` where they hold no more line ends; what is left of
  /// them is kept for the next piece.
  func next(_ bytes: inout UnsafeBufferPointer<UInt8>) -> Line? {
    guard let base = bytes.baseAddress, let found = memchr(base, 0x0A, bytes.count) else {
      carry(bytes)
      bytes = UnsafeBufferPointer(start: nil, count: 0)
      return nil
    }
    let length = UnsafeRawPointer(base).distance(to: UnsafeRawPointer(found))
    let piece = UnsafeBufferPointer(start: base, count: length)
    bytes = UnsafeBufferPointer(start: base + length + 1, count: bytes.count - length - 1)
    number += 1
    if carriedCount == 0 && !isTooLong { return Line(bytes: withoutReturn(piece), number: number) }
    carry(piece)
    return takeCarried(isComplete: true)
  }

  /// The last line, where it has no end; `nil` where there is none.
  func last() -> Line? {
    guard carriedCount > 0 || isTooLong else { return nil }
    number += 1
    return takeCarried(isComplete: false)
  }

  private func carry(_ piece: UnsafeBufferPointer<UInt8>) {
    if piece.count > carried.count - carriedCount {
      isTooLong = true
      carriedCount = 0
    }
    if isTooLong || piece.isEmpty { return }
    _ = UnsafeMutableBufferPointer(rebasing: carried[carriedCount...]).update(fromContentsOf: piece)
    carriedCount += piece.count
  }

  private func takeCarried(isComplete: Bool) -> Line {
    let bytes = UnsafeBufferPointer(rebasing: carried[..<carriedCount])
    defer {
      carriedCount = 0
      isTooLong = false
    }
    return Line(bytes: withoutReturn(bytes), number: number, isComplete: isComplete, isTooLong: isTooLong)
  }

  @inline(__always)
  private func withoutReturn(_ bytes: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    bytes.last == 0x0D ? UnsafeBufferPointer(rebasing: bytes.dropLast()) : bytes
  }
}
