/// What is known of an object since the last synchronization.
public struct AgreedObject: Hashable, Sendable {
  /// How the object there and the items here belong together.
  public enum State: Hashable, Sendable {
    /// Both sides had the same.
    case agreed
    /// It was sent, and not seen there yet.
    case sent
    /// It can't be used here, and stays there as it is.
    case unusable
    /// Another object of the collection has its UID. It stays there as it is.
    case duplicate
  }

  /// Its name in the other side's collection: the path of a resource, or the name of a file.
  public var name: String
  /// The UID of its items.
  public var uid: String
  /// How both sides belong together.
  public var state: State
  /// The tag of the version that ``state`` is about; `nil` if the other side gave none. Then it must be read again.
  public var tag: String?

  /// An object.
  public init(name: String, uid: String, state: State = .agreed, tag: String?) {
    self.name = name
    self.uid = uid
    self.state = state
    self.tag = tag
  }
}
