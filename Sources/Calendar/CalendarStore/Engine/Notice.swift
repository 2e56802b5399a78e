public import FencepostCalendarModel

/// What channels tell.
public enum Notice: Hashable, Sendable {
  /// An alarm went off.
  case firing(LedgerEntry)
  /// A suggestion waits in the inbox.
  case suggestion(Suggestion)

  /// The kinds, by which a channel's filter chooses.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case enter, leave, dwell, absolute, relative
    case suggestion

    /// The kind of an alarm that went off.
    public init(_ kind: Firing.Kind) {
      self =
        switch kind {
        case .enter: .enter
        case .leave: .leave
        case .dwell: .dwell
        case .absolute: .absolute
        case .relative: .relative
        }
    }

    /// Whether an alarm went off. Channels tell other notices only if their addresses ask for the kind.
    public var isAlarm: Bool { self != .suggestion }
  }

  /// Its kind.
  public var kind: Kind {
    switch self {
    case .firing(let entry): Kind(entry.firing.kind)
    case .suggestion: .suggestion
    }
  }

  /// Its kind; for a snoozed firing, that of its original.
  public var originalKind: Kind { firing.map { Kind($0.originalKind) } ?? kind }

  /// What identifies it: unique, and the same for each attempt to deliver it.
  public var key: String {
    switch self {
    case .firing(let entry): entry.firing.key
    case .suggestion(let suggestion): Self.suggestionPrefix + suggestion.id.rawValue
    }
  }

  fileprivate static let suggestionPrefix = "suggestion/"

  /// The content that it tells of, where that can change: that of a suggestion.
  public var revision: String? {
    switch self {
    case .firing: nil
    case .suggestion(let suggestion): suggestion.revision
    }
  }

  /// When the alarm went off, or the suggestion was found.
  public var time: Instant {
    switch self {
    case .firing(let entry): entry.firing.wentOffAt
    case .suggestion(let suggestion): suggestion.found
    }
  }

  /// Whether the user has already responded, or nothing is left to tell.
  public var isAnswered: Bool {
    switch self {
    case .firing(let entry): entry.acknowledged != nil
    case .suggestion(let suggestion): !suggestion.isNews
    }
  }

  /// The firing; `nil` for another notice.
  public var firing: LedgerEntry? { if case .firing(let entry) = self { entry } else { nil } }
}

extension StoreReader {
  /// The notice with a key.
  public func notice(key: String) throws(StoreError) -> Notice? {
    if key.hasPrefix(Notice.suggestionPrefix) {
      let id = Identifier<Suggestion>(rawValue: String(key.dropFirst(Notice.suggestionPrefix.count)))
      if let suggestion = try suggestion(id) { return .suggestion(suggestion) }
    }
    return try firing(key: key).map { .firing($0) }
  }
}
