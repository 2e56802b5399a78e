public import FencepostCalendarModel
public import FencepostCalendarStore
import FencepostCryptography
public import FencepostWebServer

/// Invitations: links that share one list with another person.
///
/// The owner makes one and sends its link. Whoever opens it first gives a name, and is signed in as a client
/// with that name and the rights of the invitation.
extension ClientRegistry {
  /// The days for which an invitation may work.
  public static let invitationDays = 1...90
  /// The days for which one works unless the owner says otherwise.
  public static let usualInvitationDays = 7

  /// Somebody who has accepted an invitation.
  public struct Guest: Hashable, Sendable {
    /// The name.
    public var name: String
    /// The user name for signing in.
    public var user: String
    /// The password, which is not stored; `nil` for somebody who had one already.
    public var password: String?
    /// The key for the browser's cookie; `nil` for a browser that is already signed in.
    public var sessionKey: String?
    /// The list.
    public var list: ItemCalendar
  }

  /// Makes an invitation to a list.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - rights: What its client may do: read, or read and write.
  ///   - days: How long the link works, of ``invitationDays``.
  /// - Returns: The invitation, and the key for its link, which is not stored.
  public func invite(
    to list: Identifier<ItemCalendar>, rights: [Right], days: Int = usualInvitationDays
  ) throws -> (invitation: StoredInvitation, key: String) {
    let key = Secret.key()
    let now = clock()
    let invitation = StoredInvitation(
      digest: key.digest, list: list, rights: rights.map(\.rawValue), created: now,
      expires: now.adding(seconds: Double(days) * 86_400))
    try store.write { writer in
      for old in try writer.reader.invitations() where old.expires <= now {
        try writer.removeInvitation(old.digest)
      }
      try writer.add(invitation)
    }
    return (invitation, key.text)
  }

  /// The path of an invitation's link.
  public static func invitationPath(key: String) -> String { "/invitation?key=\(key)" }

  /// The invitations that still work, the oldest first.
  public func openInvitations() throws -> [StoredInvitation] {
    let now = clock()
    return try store.read { try $0.invitations() }.filter { $0.expires > now }
  }

  /// The list that a link invites to. The link stays good: programs that show a preview of it open it too.
  ///
  /// - Throws: ``ClientError/endedInvitation``.
  public func invitedList(key: String) throws -> ItemCalendar {
    try store.read { try self.invited(Secret.digest(of: key), in: $0).list }
  }

  private func invited(
    _ digest: [UInt8], in reader: borrowing StoreReader
  ) throws -> (invitation: StoredInvitation, list: ItemCalendar) {
    guard let invitation = try reader.invitation(digest), clock() < invitation.expires,
      let list = try reader.calendar(invitation.list)
    else { throw ClientError.endedInvitation }
    return (invitation, list)
  }

  /// Accepts an invitation, which then no longer works: makes a client and signs its browser in.
  ///
  /// - Parameters:
  ///   - key: The key of the link.
  ///   - name: The person's name.
  ///   - browser: The browser's own description.
  /// - Throws: ``ClientError``: the invitation has ended, or the name can't be used. It still works after a
  ///   wrong name.
  public func accept(key: String, name: String, browser: String) throws -> Guest {
    // The name stands beside changes, where it must not look like the owner or a command.
    let words = name.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let name = words.prefix(1).uppercased() + words.dropFirst()
    guard name.first?.isLetter == true, !["WEB", "OWNER"].contains(name.uppercased()),
      !name.unicodeScalars.contains(where: { $0 == ":" || $0.properties.generalCategory == .format })
    else { throw ClientError.reservedName(name) }
    let now = clock()
    return try store.write { writer in
      let (invitation, list) = try self.invited(Secret.digest(of: key), in: writer.reader)
      // Somebody of this name made changes before, and is gone: people would take one for the other.
      guard
        try !writer.reader.changeAuthors().contains(where: { $0.name?.lowercased() == name.lowercased() })
      else { throw ClientError.nameTaken(name) }
      let (user, password) = try Self.add(
        name, rights: invitation.rights, lists: [list.id], at: now, to: writer)
      try writer.removeInvitation(invitation.digest)
      let session = try Self.beginSession(browser, user, at: now, in: writer)
      return Guest(name: name, user: user, password: password, sessionKey: session, list: list)
    }
  }

  /// Accepts an invitation for somebody who is signed in as a client of some lists: adds the list to them.
  ///
  /// - Throws: ``ClientError``: the invitation has ended, or gives other rights than the client has.
  public func accept(key: String, as principal: Principal) throws -> Guest {
    try store.write { writer in
      let (invitation, list) = try self.invited(Secret.digest(of: key), in: writer.reader)
      guard let client = try writer.reader.clients().first(where: { $0.number == principal.number }) else {
        throw ClientError.unknown(principal.name)
      }
      guard
        client.lists == nil
          ? Set(client.rights).isSuperset(of: invitation.rights)
          : Set(client.rights) == Set(invitation.rights)
      else { throw ClientError.otherRightsThanInvited(client.name) }
      if let lists = client.lists {
        if !lists.contains(list.id) { try writer.setLists(lists + [list.id], ofClient: client.user) }
      }
      try writer.removeInvitation(invitation.digest)
      return Guest(name: client.name, user: client.user, list: list)
    }
  }

  /// Revokes an invitation, by its name.
  ///
  /// - Throws: ``ClientError/unknownInvitation(_:)``.
  public func revokeInvitation(_ id: String) throws {
    try store.write { writer in
      guard let found = try writer.reader.invitations().first(where: { $0.id == id }) else {
        throw ClientError.unknownInvitation(id)
      }
      try writer.removeInvitation(found.digest)
    }
  }
}

extension Principal {
  /// Whose changes those of this sender are. The pages of the owner, those for apps, and the buttons of
  /// notifications are the owner's.
  public var author: ChangeAuthor { isClient ? .client(number: number, name: name) : .pages }
}
