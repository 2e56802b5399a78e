internal import CFencepostEmbedding

/// Why a call of the library fails.
struct Failure: Error {
  /// One of the codes of fencepost.h.
  var code: Int
  /// The row of the column, the device or the fence that it is about; -1 for none.
  var row = -1
  /// What is wrong, for a person.
  var message: String

  static func null(_ name: String) -> Failure { Failure(code: FP_ERROR_NULL, message: "\(name) is NULL") }

  /// Runs the body of a function of the library. What it throws goes to the caller's `place`, if there is
  /// one.
  ///
  /// - Returns: The code.
  static func reported(
    to place: UnsafeMutablePointer<fp_error>?, _ body: () throws(Failure) -> Void
  ) -> Int32 {
    do throws(Failure) {
      try body()
      return Int32(FP_OK)
    } catch {
      place?.initialize(to: error.cError)
      return Int32(error.code)
    }
  }

  private var cError: fp_error {
    var error = fp_error()
    error.code = Int32(code)
    error.row = Int64(row)
    withUnsafeMutableBytes(of: &error.message) { text in
      // Cut between characters, so that the text stays UTF-8. The rest is zeros.
      var count = 0
      for character in message.unicodeScalars {
        let bytes = UTF8.encode(character) ?? UTF8.encodedReplacementCharacter
        guard count + bytes.count < text.count else { break }
        for byte in bytes {
          text[count] = byte
          count += 1
        }
      }
    }
    return error
  }
}

/// The bytes of a caller; empty if the length is 0.
func bytes(_ start: UnsafePointer<UInt8>?, _ length: Int, _ name: String) throws(Failure) -> [UInt8] {
  guard length >= 0 else {
    throw Failure(code: FP_ERROR_LENGTH, message: "\(name) has a length out of range")
  }
  guard length > 0 else { return [] }
  guard let start else { throw .null(name) }
  return Array(UnsafeBufferPointer(start: start, count: length))
}

/// The text of a caller.
func text(_ start: UnsafePointer<CChar>?, _ name: String) throws(Failure) -> String {
  guard let start else { throw .null(name) }
  return String(cString: start)
}

/// Handles are retained objects.
extension OpaquePointer {
  /// A handle of an object, which the caller frees.
  init(handleOf object: AnyObject) { self.init(Unmanaged.passRetained(object).toOpaque()) }

  /// The object of a handle.
  func object<Object: AnyObject>(_: Object.Type = Object.self) -> Object {
    Unmanaged<Object>.fromOpaque(UnsafeRawPointer(self)).takeUnretainedValue()
  }

  /// Frees a handle.
  func free<Object: AnyObject>(_: Object.Type) {
    Unmanaged<Object>.fromOpaque(UnsafeRawPointer(self)).release()
  }
}

/// Columns that C reads, at addresses that don't change. They live as long as this.
final class ColumnMemory: @unchecked Sendable {
  // Unchecked: nobody changes the columns after they were made.
  private var blocks: [UnsafeMutableRawPointer] = []

  deinit { for block in blocks { block.deallocate() } }

  /// A copy of the values. Never nil, so that a caller need not ask for the count first.
  func column<Value: BitwiseCopyable>(_ values: [Value]) -> UnsafePointer<Value> {
    let column = UnsafeMutablePointer<Value>.allocate(capacity: max(1, values.count))
    values.withUnsafeBufferPointer { source in
      if let base = source.baseAddress { column.initialize(from: base, count: source.count) }
    }
    blocks.append(UnsafeMutableRawPointer(column))
    return UnsafePointer(column)
  }

  /// A text that ends with a zero. A zero within it ends it too.
  func text(_ text: String) -> UnsafePointer<CChar> { column(Array(text.utf8CString)) }
}
