public import FencepostJSON
import Glibc

/// The content of a settings file: JSON with comments, and the line of each value.
///
/// JSON, because Debian has no library for TOML, and both people and programs can write JSON.
public struct ConfigurationFile: Hashable, Sendable {
  /// Its path.
  public let path: String
  /// Its settings, in order.
  public let members: [JSONMember]

  /// The maximum size in bytes; hand-written files are smaller.
  static let maximumBytes = 1 << 20
  /// The maximum depth of nested lists and objects.
  static let maxDepth = 8

  /// Reads the file at `path`; `nil` if it does not exist.
  ///
  /// - Throws: ``ConfigurationError`` if it can't be read or is not a JSON object.
  public init?(path: String) throws(ConfigurationError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw ConfigurationError(path: path, "can't be read: \(String(cString: strerror(errno)))")
    }
    defer { close(descriptor) }
    var text: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while text.count <= Self.maximumBytes {
      let count = read(descriptor, &buffer, buffer.count)
      if count == 0 { break }
      guard count > 0 else {
        throw ConfigurationError(path: path, "can't be read: \(String(cString: strerror(errno)))")
      }
      text += buffer[..<count]
    }
    guard text.count <= Self.maximumBytes else {
      throw ConfigurationError(path: path, "is too large for a settings file")
    }
    try self.init(text, path: path)
  }

  /// Parses `text` from the file at `path`.
  ///
  /// - Throws: ``ConfigurationError`` if it is not a JSON object.
  public init(_ text: [UInt8], path: String) throws(ConfigurationError) {
    self.path = path
    let value: JSONValue
    do throws(JSONFailure) {
      value = try JSONValue(readingCommented: text, maxDepth: Self.maxDepth)
    } catch {
      throw ConfigurationError(path: path, line: error.line, column: error.column, error.complaint)
    }
    guard case .object(let members) = value.content else {
      throw ConfigurationError(
        path: path, line: value.line, "the settings must be an object: { \"feeds\": [] }")
    }
    self.members = members
  }

  /// The setting with this key.
  public func member(_ key: String) -> JSONMember? { members.first { $0.key == key } }

  /// An error at a line of this file.
  public func error(_ complaint: String, line: Int?, key: String? = nil) -> ConfigurationError {
    ConfigurationError(path: path, line: line, key: key, complaint)
  }
}

/// A settings file can't be read or is invalid. The description is one line.
public struct ConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file.
  public var path: String
  /// The line, counted from 1; `nil` if the error concerns the whole file.
  public var line: Int?
  /// The column in letters, counted from 1; `nil` if the error concerns the whole line.
  public var column: Int?
  /// The key; `nil` if the error does not concern one setting.
  public var key: String?
  /// The error, and a correction.
  public var complaint: String

  /// An error.
  public init(
    path: String, line: Int? = nil, column: Int? = nil, key: String? = nil, _ complaint: String
  ) {
    self.path = path
    self.line = line
    self.column = column
    self.key = key
    self.complaint = complaint
  }

  /// `FILE:LINE:COLUMN: 'KEY': COMPLAINT`.
  public var description: String { place + ": " + (key.map { "'\($0)': " } ?? "") + complaint }

  /// `FILE:LINE:COLUMN`.
  public var place: String {
    path + (line.map { line in ":\(line)" + (column.map { ":\($0)" } ?? "") } ?? "")
  }
}
