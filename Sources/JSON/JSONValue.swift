/// A value of JSON, with the line that it is on.
public struct JSONValue: Hashable, Sendable {
  /// What it is.
  public indirect enum Content: Hashable, Sendable {
    /// A text.
    case text(String)
    /// A number, as it was written.
    case number(String)
    /// `true` or `false`.
    case flag(Bool)
    /// `null`.
    case null
    /// A list.
    case list([JSONValue])
    /// An object, its members in order.
    case object([JSONMember])
  }

  /// The line that it begins on, counted from 1.
  public var line: Int
  /// What it is.
  public var content: Content

  /// What it is, for a message.
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
  /// The line of the key, counted from 1.
  public var line: Int
  /// The value.
  public var value: JSONValue
}

/// Why a text is not JSON, or not such JSON as was asked for.
public struct JSONFailure: Error, Hashable, Sendable {
  /// The line, counted from 1.
  public var line: Int
  /// What is wrong.
  public var complaint: String
}
