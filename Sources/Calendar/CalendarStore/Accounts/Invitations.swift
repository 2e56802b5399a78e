public import FencepostCalendarModel
internal import FencepostDatabase

/// An invitation to a list: a link that works once and makes a client.
public struct StoredInvitation: Hashable, Sendable {
  /// The SHA-256 of the key in its link.
  public var digest: [UInt8]
  /// The list.
  public var list: Identifier<ItemCalendar>
  /// The names of the rights that its client gets.
  public var rights: [String]
  /// When it was made.
  public var created: Instant
  /// When it ends.
  public var expires: Instant

  /// Its name in addresses and commands: 12 hexadecimal digits, from which nobody learns the key.
  public var id: String { digest.prefix(6).map { String(0x100 + Int($0), radix: 16).dropFirst() }.joined() }

  /// An invitation.
  public init(
    digest: [UInt8], list: Identifier<ItemCalendar>, rights: [String], created: Instant, expires: Instant
  ) {
    self.digest = digest
    self.list = list
    self.rights = rights
    self.created = created
    self.expires = expires
  }
}

extension StoreReader {
  /// All invitations, the oldest first; those that have ended too.
  public func invitations() throws(StoreError) -> [StoredInvitation] {
    try connection.all(Queries.all) { $0.invitation() }
  }

  /// The invitation with a digest; `nil` if it is unknown.
  public func invitation(_ digest: [UInt8]) throws(StoreError) -> StoredInvitation? {
    try connection.first(Queries.one, { $0.add(digest) }, read: { $0.invitation() })
  }
}

extension StoreWriter {
  /// Adds an invitation.
  public func add(_ invitation: StoredInvitation) throws(StoreError) {
    try connection.run(Queries.add) {
      $0.add(invitation.digest)
      $0.add(invitation.list.rawValue)
      $0.add(StringList.stored(invitation.rights) ?? "[]")
      $0.add(invitation.created)
      $0.add(invitation.expires)
    }
    try log(.inserted, .access, invitation.id)
  }

  /// Removes an invitation. Returns false if it is unknown.
  @discardableResult
  public func removeInvitation(_ digest: [UInt8]) throws(StoreError) -> Bool {
    try connection.run(Queries.remove) { $0.add(digest) }
    return connection.changedRows > 0
  }
}

extension RowReader {
  fileprivate mutating func invitation() -> StoredInvitation {
    StoredInvitation(
      digest: bytes(), list: Identifier(rawValue: text()),
      rights: withBytes { StringList.list(stored: $0) ?? [] }, created: instant(), expires: instant())
  }
}

private enum Queries {
  private static let invitation = "SELECT digest, list, rights, created_at, expires_at FROM invitations "
  static let all = SQL(invitation + "ORDER BY created_at")
  static let one = SQL(invitation + "WHERE digest = ?")
  static let add = SQL("INSERT INTO invitations VALUES (?, ?, ?, ?, ?)")
  static let remove = SQL("DELETE FROM invitations WHERE digest = ?")
}
