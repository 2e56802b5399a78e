/// The other side's contents of a collection, or its changes.
public struct Listing: Hashable, Sendable {
  /// The tags (ETags) of objects, by name: of all objects if ``isComplete``, otherwise of added and changed
  /// ones.
  public var tags: [String: String]
  /// The objects that are gone, if it is not complete.
  public var gone: Set<String>
  /// True if objects that it does not name are gone.
  public var isComplete: Bool

  /// A listing of all objects.
  public init(all tags: [String: String]) {
    self.tags = tags
    gone = []
    isComplete = true
  }

  /// A listing of changes.
  public init(changed tags: [String: String], gone: Set<String>) {
    self.tags = tags
    self.gone = gone
    isComplete = false
  }
}
