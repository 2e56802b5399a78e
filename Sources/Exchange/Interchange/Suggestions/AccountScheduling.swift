import FencepostCalendarModel
import FencepostCalendarStore
import FencepostJSON

/// What accounts say about invitations: the user's addresses there, and whether their servers tell organizers
/// about answers (RFC 6638).
extension StoreReader {
  /// The user's addresses, as accounts name them.
  func ownAddresses() throws -> [String] {
    try syncAccounts().flatMap { account in
      Self.capabilities(account)?["addresses"]?.list?.compactMap(\.text) ?? []
    }
  }

  /// Whether the server of a calendar tells organizers when the user's status in its events changes.
  func isScheduledByServer(_ calendar: Identifier<ItemCalendar>) throws -> Bool {
    guard let collection = try syncedCalendar(of: calendar), let account = try syncAccount(collection.account)
    else { return false }
    return Self.capabilities(account)?["schedules"]?.flag ?? false
  }

  private static func capabilities(_ account: SyncAccount) -> JSONValue? {
    try? JSONValue(readingCommented: Array(account.capabilities.utf8), maxDepth: 3)
  }
}
