public import FencepostCalendarModel
public import FencepostDatabase

/// A server or folder whose lists are synchronized with lists of the store.
public struct SyncAccount: Hashable, Sendable {
  /// The kind of account.
  public enum Kind: String, Hashable, Sendable {
    /// A CalDAV server (RFC 4791).
    case calDAV = "caldav"
    /// A folder with one file per object, as vdirsyncer, khal and todoman use it.
    case folder = "vdir"
  }

  /// Its number; 0 for a new one.
  public var number: Int64
  /// The kind of account.
  public var kind: Kind
  /// The address that the user gave, or the path of a folder.
  public var address: String
  /// The user's name there.
  public var user: String?
  /// The source of its calendars; `nil` if they belong to another one.
  public var source: Identifier<Source>?
  /// The address under which its calendars are, if it was found.
  public var home: String?
  /// The known capabilities of the server: a JSON object.
  public var capabilities: String
  /// The last attempt.
  public var checked: Instant?
  /// The last success.
  public var succeeded: Instant?
  /// The time of the next synchronization.
  public var next: Instant
  /// The number of failures in a row.
  public var failures: Int
  /// The reason of the last failure; `nil` after a success.
  public var failure: String?

  /// A new account, due at once.
  public init(kind: Kind, address: String, user: String? = nil, source: Identifier<Source>? = nil) {
    number = 0
    self.kind = kind
    self.address = address
    self.user = user
    self.source = source
    capabilities = "{}"
    next = .epoch
    failures = 0
  }
}

extension StoreReader {
  /// All accounts, in the order in which they were added.
  public func syncAccounts() throws(StoreError) -> [SyncAccount] {
    try connection.all(Queries.all) { $0.syncAccount() }
  }

  /// The account with a number.
  public func syncAccount(_ number: Int64) throws(StoreError) -> SyncAccount? {
    try connection.first(Queries.one, { $0.add(number) }, read: { $0.syncAccount() })
  }
}

extension StoreWriter {
  /// Adds an account, or changes the one with its number. This is not in the log of changes.
  public func save(_ account: inout SyncAccount) throws(StoreError) {
    try connection.run(account.number == 0 ? Queries.add : Queries.change) {
      $0.add(account.kind.rawValue)
      $0.add(account.address)
      $0.add(account.user)
      $0.add(account.source)
      $0.add(account.home)
      $0.add(account.capabilities)
      $0.add(account.checked)
      $0.add(account.succeeded)
      $0.add(account.next)
      $0.add(account.failures)
      $0.add(account.failure)
      if account.number != 0 { $0.add(account.number) }
    }
    if account.number == 0 { account.number = connection.lastInsertedRow }
  }

  /// Removes an account and the data about its collections. Calendars and items stay.
  public func removeSyncAccount(_ number: Int64) throws(StoreError) {
    try connection.run(Queries.remove) { $0.add(number) }
  }
}

extension RowReader {
  fileprivate mutating func syncAccount() -> SyncAccount {
    let number = int64()
    var account = SyncAccount(
      kind: value(usually: .calDAV, or: .calDAV), address: text(), user: optionalText(),
      source: optionalIdentifier())
    account.number = number
    account.home = optionalText()
    account.capabilities = text()
    account.checked = optionalInstant()
    account.succeeded = optionalInstant()
    account.next = instant()
    account.failures = int()
    account.failure = optionalText()
    return account
  }
}

private enum Queries {
  private static let selection = """
    SELECT a.row, a.kind, a.address, a.user, s.id, a.home, a.capabilities, a.checked_at, a.succeeded_at, a.next_at,
      a.failures, a.failure
    FROM sync_accounts a LEFT JOIN sources s ON s.row = a.source\u{20}
    """
  static let all = SQL(selection + "ORDER BY a.row")
  static let one = SQL(selection + "WHERE a.row = ?")
  static let add = SQL(
    """
    INSERT INTO sync_accounts (kind, address, user, source, home, capabilities, checked_at, succeeded_at, next_at,
      failures, failure)
    VALUES (?, ?, ?, (SELECT row FROM sources WHERE id = ?), ?, ?, ?, ?, ?, ?, ?)
    """)
  static let change = SQL(
    """
    UPDATE sync_accounts SET kind = ?, address = ?, user = ?, source = (SELECT row FROM sources WHERE id = ?),
      home = ?, capabilities = ?, checked_at = ?, succeeded_at = ?, next_at = ?, failures = ?, failure = ?
    WHERE row = ?
    """)
  static let remove = SQL("DELETE FROM sync_accounts WHERE row = ?")
}
