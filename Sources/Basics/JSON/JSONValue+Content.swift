/// The value as one kind; `nil` for other kinds.
extension JSONValue {
  /// The text.
  public var text: String? { if case .text(let text) = content { text } else { nil } }

  /// The number.
  public var number: Double? { if case .number(let text) = content { Double(text) } else { nil } }

  /// The integer; `nil` also for a number with a fraction.
  public var integer: Int? { number.flatMap { Int(exactly: $0) } }

  /// `true` or `false`.
  public var flag: Bool? { if case .flag(let flag) = content { flag } else { nil } }

  /// Whether it is `null`.
  public var isNull: Bool { content == .null }

  /// The list.
  public var list: [JSONValue]? { if case .list(let list) = content { list } else { nil } }

  /// The members of the object, in order.
  public var members: [JSONMember]? { if case .object(let members) = content { members } else { nil } }

  /// The value of a member of the object; `nil` also for other kinds.
  public subscript(key: String) -> JSONValue? { members?.first { $0.key == key }?.value }
}
