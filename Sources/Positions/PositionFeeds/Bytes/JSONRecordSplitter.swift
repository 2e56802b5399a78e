import FencepostAlgorithms
import FencepostJSON

/// Cuts a JSON stream of any length into its records.
///
/// A record is an object in one of three places: at the top level, alone or in a sequence; in a top-level
/// array; or in an array that is a member of a top-level object and has one of the requested names.
/// Everything else is skipped. Only a record that spans pieces is copied, up to ``maximumLength``, so that
/// memory stays bounded.
///
/// The splitter looks only at brackets and strings; the reader of a record validates it. A closing bracket
/// closes the innermost bracket of its kind and everything open within it, so one missing bracket costs one
/// record.
final class JSONRecordSplitter {
  /// The longest record that is kept, in bytes.
  static let maximumLength = 16 << 20

  /// One record.
  struct Record {
    /// Its bytes, valid until the call returns.
    var bytes: UnsafeBufferPointer<UInt8>
    /// The line of its end, from 1.
    var line: Int
    /// The index of its list in the requested names; `nil` if it is in none of these lists.
    var list: Int?
    /// Whether it was too long to keep.
    var isTooLong = false
  }

  private enum Place {
    case outside
    /// In a top-level object. Its bytes are kept until a list turns up in it.
    case object
    /// In a list: a top-level array, or a named one.
    case list(Int?)
  }

  private let lists: [StaticString]
  private var place = Place.outside
  /// The number of open brackets within the place.
  private var depth = 0
  /// The kinds of the innermost 64 open brackets, the innermost in bit 0: 1 for an object.
  private var kinds: UInt64 = 0
  private var isInString = false
  private var isEscaped = false
  /// The last string in a top-level object, if it can be the name of a list.
  private var name: [UInt8] = []
  private var isReadingName = false
  /// Whether `name` is a key: a colon followed, and no comma.
  private var nameIsKey = false

  private var isKeeping = false
  private var kept: [UInt8] = []
  private var isTooLong = false
  /// The current line, from 1.
  private(set) var line = 1

  /// A splitter that looks for records in members with a name in `lists`.
  init(lists: [StaticString]) { self.lists = lists }

  /// Whether an array or an object is open.
  var isOpen: Bool {
    if case .outside = place { false } else { true }
  }

  /// Calls `body` with each record that ends in `bytes`.
  func split(_ bytes: UnsafeBufferPointer<UInt8>, _ body: (Record) -> Void) {
    var index = 0
    // The start of the kept bytes in this piece.
    var start = 0
    while index < bytes.count {
      if isInString {
        index = skipString(bytes, from: index)
        continue
      }
      switch bytes[index] {
      case ASCII.quote:
        isInString = true
        if case .object = place, depth == 0 {
          name.removeAll(keepingCapacity: true)
          isReadingName = true
          nameIsKey = false
        }
      case 0x7B, 0x5B: open(bytes[index], at: index, &start)
      case 0x7D, 0x5D: close(bytes, at: index, start, body)
      case 0x3A where depth == 0: nameIsKey = true
      case ASCII.comma where depth == 0: nameIsKey = false
      case 0x0A: line += 1
      default: break
      }
      index += 1
    }
    if isKeeping { store(UnsafeBufferPointer(rebasing: bytes[start...])) }
  }

  /// Skips the rest of a string. Returns the index after it.
  private func skipString(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    var index = start
    while index < bytes.count {
      let byte = bytes[index]
      if isEscaped {
        isEscaped = false
      } else if byte == ASCII.quote {
        isInString = false
        isReadingName = false
        return index + 1
      } else if byte == ASCII.backslash {
        isEscaped = true
      }
      if byte == 0x0A { line += 1 }
      if isReadingName, name.count < JSONText.maximumNameLength { name.append(byte) }
      index += 1
    }
    return index
  }

  private func open(_ bracket: UInt8, at index: Int, _ start: inout Int) {
    let isObject = bracket == 0x7B
    switch place {
    case .outside:
      place = isObject ? .object : .list(nil)
      nameIsKey = false
      if isObject { beginKeeping(at: index, &start) }
    case .object:
      if depth == 0 && !isObject && nameIsKey, let list = lists.firstIndex(where: matchesName) {
        place = .list(list)
        endKeeping()
      } else {
        enter(isObject)
      }
    case .list:
      if depth == 0 && isObject { beginKeeping(at: index, &start) }
      enter(isObject)
    }
  }

  private func enter(_ isObject: Bool) {
    depth += 1
    kinds = kinds << 1 | (isObject ? 1 : 0)
  }

  private func close(
    _ bytes: UnsafeBufferPointer<UInt8>, at index: Int, _ start: Int, _ body: (Record) -> Void
  ) {
    let isObject = bytes[index] == 0x7D
    if let levels = levelsClosed(isObject: isObject) {
      depth -= levels
      kinds = levels < 64 ? kinds >> UInt64(levels) : 0
      if depth == 0, isKeeping, case .list(let list) = place {
        emit(UnsafeBufferPointer(rebasing: bytes[min(start, index)...index]), list: list, body)
      }
      return
    }
    switch (place, isObject) {
    case (.object, true):
      if isKeeping { emit(UnsafeBufferPointer(rebasing: bytes[min(start, index)...index]), list: nil, body) }
      place = .outside
    case (.list(let list), false):
      // A record that is still open is broken; its reader will find out.
      if isKeeping { emit(UnsafeBufferPointer(rebasing: bytes[min(start, index)..<index]), list: list, body) }
      place = list == nil ? .outside : .object
    default: return
    }
    depth = 0
    kinds = 0
  }

  /// The number of open brackets that a closing one closes; `nil` if none is of its kind.
  private func levelsClosed(isObject: Bool) -> Int? {
    let known = min(depth, 64)
    let matching = isObject ? kinds : ~kinds
    let level = matching.trailingZeroBitCount
    if level < known { return level + 1 }
    return depth > 64 ? 1 : nil
  }

  private func matchesName(_ list: StaticString) -> Bool {
    name.withUnsafeBufferPointer { JSONText($0, hasEscapes: $0.contains(ASCII.backslash)) == list }
  }

  // MARK: Kept bytes

  private func beginKeeping(at index: Int, _ start: inout Int) {
    isKeeping = true
    start = index
  }

  private func endKeeping() {
    isKeeping = false
    isTooLong = false
    // Short records do not need a long record's buffer.
    kept.removeAll(keepingCapacity: kept.capacity <= 1 << 20)
  }

  private func store(_ piece: UnsafeBufferPointer<UInt8>) {
    if piece.count > JSONRecordSplitter.maximumLength - kept.count {
      isTooLong = true
      kept = []
    }
    if !isTooLong { kept.append(contentsOf: piece) }
  }

  private func emit(_ piece: UnsafeBufferPointer<UInt8>, list: Int?, _ body: (Record) -> Void) {
    if kept.isEmpty && !isTooLong {
      body(Record(bytes: piece, line: line, list: list))
    } else {
      store(piece)
      kept.withUnsafeBufferPointer { body(Record(bytes: $0, line: line, list: list, isTooLong: isTooLong)) }
    }
    endKeeping()
  }
}
