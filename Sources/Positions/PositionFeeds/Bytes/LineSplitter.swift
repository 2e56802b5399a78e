internal import Glibc

/// Cuts pieces of bytes into lines, which end in LF or CR LF.
///
/// A line within one piece is returned in place; only a line that spans pieces is copied. A line longer than
/// ``maximumLength`` is returned empty and marked, so that memory stays bounded.
final class LineSplitter {
  /// The longest line that is kept, in bytes.
  static let maximumLength = 65_536

  /// A line without its end.
  struct Line {
    /// Its bytes, valid until the next call.
    var bytes: UnsafeBufferPointer<UInt8>
    /// From 1.
    var number: Int
    /// Whether the line has its end; false for a last line without one.
    var isComplete = true
    /// Whether it was too long to keep.
    var isTooLong = false
  }

  /// The start of a line whose end has not come yet.
  private let carried = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: maximumLength)
  private var carriedCount = 0
  private var isTooLong = false
  private var number = 0

  deinit { carried.deallocate() }

  /// Removes the next line from the front of `bytes`. Returns `nil` if they hold no more line ends; the rest
  /// is kept for the next piece.
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

  /// The last line if it has no line end; else `nil`.
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
