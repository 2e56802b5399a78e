import CSQLite

/// Reads the columns of a row, from the first to the last.
///
/// A value that this program cannot have written is noted in ``damage`` and a stand-in returned, so that
/// decoders are plain expressions; the query fails once the row has been read.
struct RowReader {
  private let statement: OpaquePointer
  private var index: Int32 = -1
  /// What could not be read, in words; `nil` while all is well.
  private(set) var damage: String?

  init(statement: OpaquePointer) { self.statement = statement }

  private mutating func next() -> Int32 {
    index += 1
    return index
  }

  /// Notes that the column read last holds what it should not.
  mutating func fail(_ what: String) {
    guard damage == nil else { return }
    let column = sqlite3_column_name(statement, index).map { String(cString: $0) } ?? "\(index)"
    damage = "column \(column) holds \(what)"
  }

  /// True where the next column has a value; it is not passed over.
  var hasValue: Bool { sqlite3_column_type(statement, index + 1) != SQLITE_NULL }

  /// Passes over `count` columns.
  mutating func skip(_ count: Int32 = 1) { index += count }

  /// An integer.
  mutating func int64() -> Int64 { sqlite3_column_int64(statement, next()) }

  /// An integer.
  mutating func int() -> Int { Int(int64()) }

  /// 1 or 0.
  mutating func bool() -> Bool { int64() != 0 }

  /// An integer, or none.
  mutating func optionalInt64() -> Int64? {
    guard hasValue else {
      skip()
      return nil
    }
    return int64()
  }

  /// An integer, or none.
  mutating func optionalInt() -> Int? { optionalInt64().map(Int.init) }

  /// A number.
  mutating func double() -> Double { sqlite3_column_double(statement, next()) }

  /// A number, or none.
  mutating func optionalDouble() -> Double? {
    guard hasValue else {
      skip()
      return nil
    }
    return double()
  }

  /// A text.
  mutating func text() -> String {
    let column = next()
    guard let bytes = sqlite3_column_text(statement, column) else { return "" }
    let count = Int(sqlite3_column_bytes(statement, column))
    return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  }

  /// A text, or none.
  mutating func optionalText() -> String? {
    guard hasValue else {
      skip()
      return nil
    }
    return text()
  }

  /// Hands the bytes of a text or blob to `body`, without copying them.
  mutating func withBytes<Value>(_ body: (UnsafeRawBufferPointer) -> Value) -> Value {
    let column = next()
    // The pointer is asked for before the length: it may convert the value.
    let start = sqlite3_column_blob(statement, column)
    return body(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column))))
  }

  /// Bytes.
  mutating func bytes() -> [UInt8] { withBytes(Array.init) }
}
