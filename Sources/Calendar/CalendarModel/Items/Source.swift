/// An account that calendars belong to (`EKSource`).
public struct Source: Hashable, Sendable, Identifiable {
  /// The kind of account. Raw values are `EKSourceType`'s.
  public enum Kind: Int, Hashable, Sendable, CaseIterable {
    case local = 0, exchange, calDAV, mobileMe, subscribed, birthdays
  }

  /// The source's identifier.
  public var id: Identifier<Source>
  /// The kind of account.
  public var kind: Kind
  /// Its name.
  public var title: String
  /// Whether another person owns the account and delegated access (`EKSource.isDelegate`).
  public var isDelegate: Bool

  /// A source.
  public init(
    id: Identifier<Source> = .random(), kind: Kind = .local, title: String, isDelegate: Bool = false
  ) {
    self.id = id
    self.kind = kind
    self.title = title
    self.isDelegate = isDelegate
  }
}
