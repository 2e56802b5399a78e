/// An account that calendars belong to (`EKSource`).
public struct Source: Hashable, Sendable, Identifiable {
  /// What kind of account a source is. Raw values are `EKSourceType`'s.
  public enum Kind: Int, Hashable, Sendable, CaseIterable {
    case local = 0, exchange, calDAV, mobileMe, subscribed, birthdays
  }

  /// The source's identifier.
  public var id: Identifier<Source>
  /// What kind of account it is.
  public var kind: Kind
  /// Its name.
  public var title: String
  /// True where the account belongs to somebody who delegated access (`EKSource.isDelegate`).
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
