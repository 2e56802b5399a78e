import CFencepostSQLite
import Glibc

/// Reads the columns of a row, from the first to the last; or the values of a ``RowImage``, in order.
///
/// For a value that this program cannot have written, it returns a substitute and sets ``damage``, so that
/// decoders are plain expressions. The query fails after the row.
public struct RowReader {
  /// `nil` for an image.
  private let statement: OpaquePointer?
  private var image: RowImageCursor
  private var index: Int32 = -1
  /// What the connection's owner keeps beside it: see ``SQLiteConnection/context``.
  public let context: AnyObject?
  private var unreadable: String?

  init(statement: OpaquePointer, context: AnyObject?) {
    self.statement = statement
    self.context = context
    image = RowImageCursor(UnsafeRawBufferPointer(start: nil, count: 0))
  }

  /// A reader of an image. The bytes must outlive it.
  public init(image: UnsafeRawBufferPointer, context: AnyObject?) {
    statement = nil
    self.context = context
    self.image = RowImageCursor(image)
  }

  /// Begins again, after a step to the next row.
  mutating func rewind() { index = -1 }

  private mutating func next() -> Int32 {
    index += 1
    return index
  }

  /// A description of the first unreadable value, or `nil`.
  public var damage: String? { unreadable ?? (image.isDamaged ? "an image of a row is incomplete" : nil) }

  /// The damage of a row that its reader leaves out, so that the query goes on with the next one.
  public mutating func forgiveDamage() -> String? {
    defer { unreadable = nil }
    return damage
  }

  /// Reports that the last column has an invalid value.
  public mutating func fail(_ what: String) {
    guard unreadable == nil else { return }
    let name = statement.flatMap { sqlite3_column_name($0, index) }
    unreadable = "column \(name.map { String(cString: $0) } ?? "\(index)") holds \(what)"
  }

  /// Whether the next column has a value. Does not skip it.
  public var hasValue: Bool {
    guard let statement else { return image.hasValue }
    return sqlite3_column_type(statement, index + 1) != SQLITE_NULL
  }

  /// Skips `count` columns.
  public mutating func skip(_ count: Int32 = 1) {
    if statement == nil { for _ in 0..<count { image.skip() } }
    index += count
  }

  /// An integer.
  public mutating func int64() -> Int64 {
    guard let statement else { return image.integer() }
    return sqlite3_column_int64(statement, next())
  }

  /// An integer.
  public mutating func int() -> Int { Int(int64()) }

  /// 1 or 0.
  public mutating func bool() -> Bool { int64() != 0 }

  /// An integer, or `nil`.
  public mutating func optionalInt64() -> Int64? {
    guard hasValue else {
      skip()
      return nil
    }
    return int64()
  }

  /// An integer, or `nil`.
  public mutating func optionalInt() -> Int? { optionalInt64().map(Int.init) }

  /// A number.
  public mutating func double() -> Double {
    guard let statement else { return image.double() }
    return sqlite3_column_double(statement, next())
  }

  /// A number, or `nil`.
  public mutating func optionalDouble() -> Double? {
    if let statement {
      let value = sqlite3_column_double(statement, next())
      // NULL reads as 0 and stays NULL, so most values need no call to ask.
      return value == 0 && sqlite3_column_type(statement, index) == SQLITE_NULL ? nil : value
    }
    guard hasValue else {
      skip()
      return nil
    }
    return double()
  }

  /// A text.
  public mutating func text() -> String { optionalText() ?? "" }

  /// A text, or `nil`.
  public mutating func optionalText() -> String? { textBytes().map { String(decoding: $0, as: UTF8.self) } }

  /// A text; if it equals `known`, returns that with its storage.
  public mutating func text(orSame known: String) -> String {
    guard let text = textBytes() else { return "" }
    let isSame = known.utf8.withContiguousStorageIfAvailable { known in
      guard known.count == text.count, let start = known.baseAddress, let other = text.baseAddress else {
        return known.isEmpty && text.isEmpty
      }
      return memcmp(start, other, text.count) == 0
    }
    return isSame == true ? known : String(decoding: text, as: UTF8.self)
  }

  private mutating func textBytes() -> UnsafeRawBufferPointer? {
    guard let statement else { return image.value() }
    let column = next()
    // NULL gives a null pointer, which saves a call to ask first.
    guard let start = sqlite3_column_text(statement, column) else { return nil }
    return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))
  }

  /// Calls `body` with the bytes of a text or blob, without copying them.
  public mutating func withBytes<Value>(_ body: (UnsafeRawBufferPointer) -> Value) -> Value {
    optionalBytes(body) ?? body(UnsafeRawBufferPointer(start: nil, count: 0))
  }

  /// Calls `body` with the bytes of a text or blob, if there is one.
  public mutating func optionalBytes<Value>(_ body: (UnsafeRawBufferPointer) -> Value) -> Value? {
    guard let statement else { return image.value().map(body) }
    guard hasValue else {
      skip()
      return nil
    }
    let column = next()
    // Get the pointer before the length, because this may convert the value.
    let start = sqlite3_column_blob(statement, column)
    return body(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column))))
  }

  /// Bytes.
  public mutating func bytes() -> [UInt8] { withBytes(Array.init) }
}
