/// How an object on another side, such as a server, and the items here belong together.
public enum SyncState: String, Hashable, Sendable {
  /// Both sides had the same at the last synchronization.
  case agreed
  /// It was sent, and not seen there yet.
  case sent
  /// It can't be read here, or is of a kind that the list does not take. It stays there as it is. Items of an earlier version
  /// stay here.
  case unusable
  /// Another object of the collection has its UID. It stays there as it is, and there are no items of it here.
  case duplicate
}
