import Glibc
public import JSON

/// A file of settings as it stands: JSON with comments, each value with the line that it is on.
///
/// JSON, as Debian has no library that reads TOML and people and programs know how to write it.
public struct ConfigurationFile: Hashable, Sendable {
  /// Where it is.
  public let path: String
  /// Its settings, in order.
  public let members: [JSONMember]

  /// Files longer than this are none that a person wrote.
  static let mostBytes = 1 << 20
  /// Settings nest in lists and objects, and not much further.
  static let mostDepth = 8

  /// Reads the file at `path`; `nil` where there is none.
  ///
  /// - Throws: ``ConfigurationError`` where it can't be read, or is no JSON object.
  public init?(path: String) throws(ConfigurationError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw ConfigurationError(path: path, "can't be read: \(String(cString: strerror(errno)))")
    }
    defer { close(descriptor) }
    var text: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while text.count <= Self.mostBytes {
      let count = read(descriptor, &buffer, buffer.count)
      if count == 0 { break }
      guard count > 0 else {
        throw ConfigurationError(path: path, "can't be read: \(String(cString: strerror(errno)))")
      }
      text += buffer[..<count]
    }
    guard text.count <= Self.mostBytes else {
      throw ConfigurationError(path: path, "is too large for a settings file")
    }
    try self.init(text, path: path)
  }

  /// The settings that `text` says, which came from `path`.
  init(_ text: [UInt8], path: String) throws(ConfigurationError) {
    self.path = path
    let value: JSONValue
    do throws(JSONFailure) {
      value = try JSONValue(readingCommented: text, mostDepth: Self.mostDepth)
    } catch {
      throw ConfigurationError(path: path, line: error.line, error.complaint)
    }
    guard case .object(let members) = value.content else {
      throw ConfigurationError(
        path: path, line: value.line, "the settings must be an object: { \"feeds\": [] }")
    }
    self.members = members
  }

  /// The setting called `key`.
  public func member(_ key: String) -> JSONMember? { members.first { $0.key == key } }

  /// An error about what stands at a line of this file.
  public func error(_ complaint: String, line: Int?, key: String? = nil) -> ConfigurationError {
    ConfigurationError(path: path, line: line, key: key, complaint)
  }
}

/// A file of settings can't be read or understood. Its description is one line.
public struct ConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file.
  public var path: String
  /// The line, counted from 1, where it is one line's fault.
  public var line: Int?
  /// The key, where it is one setting's fault.
  public var key: String?
  /// What is wrong, and what to do.
  public var complaint: String

  /// An error.
  public init(path: String, line: Int? = nil, key: String? = nil, _ complaint: String) {
    self.path = path
    self.line = line
    self.key = key
    self.complaint = complaint
  }

  /// `FILE:LINE: 'KEY': what is wrong`.
  public var description: String {
    path + (line.map { ":\($0)" } ?? "") + ": " + (key.map { "'\($0)': " } ?? "") + complaint
  }
}
