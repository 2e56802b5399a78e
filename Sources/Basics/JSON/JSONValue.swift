/// A JSON value, with its line.
public struct JSONValue: Hashable, Sendable {
  /// The content by kind.
  public indirect enum Content: Hashable, Sendable {
    /// A text.
    case text(String)
    /// A number, as written.
    case number(String)
    /// `true` or `false`.
    case flag(Bool)
    /// `null`.
    case null
    /// A list.
    case list([JSONValue])
    /// An object, with its members in order.
    case object([JSONMember])
  }

  /// The line of its start, from 1.
  public var line: Int
  /// The content.
  public var content: Content

  /// A value.
  public init(line: Int, content: Content) {
    self.line = line
    self.content = content
  }

  /// The name of its kind, for a message.
  public var kind: String {
    switch content {
    case .text: "a string"
    case .number: "a number"
    case .flag: "true or false"
    case .null: "null"
    case .list: "a list"
    case .object: "an object"
    }
  }
}

/// A key of an object and its value.
public struct JSONMember: Hashable, Sendable {
  /// The key.
  public var key: String
  /// The line of the key, from 1.
  public var line: Int
  /// The value.
  public var value: JSONValue

  /// A member.
  public init(key: String, line: Int, value: JSONValue) {
    self.key = key
    self.line = line
    self.value = value
  }
}

/// Why a text is not JSON, or not of the expected form.
public struct JSONFailure: Error, Hashable, Sendable {
  /// The line, from 1.
  public var line: Int
  /// The column in letters, from 1; `nil` if the problem has no single place.
  public var column: Int?
  /// The problem.
  public var complaint: String
}
