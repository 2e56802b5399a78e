public import FencepostCalendarModel

/// What is known of an object since the last synchronization.
public struct AgreedObject: Hashable, Sendable {
  /// Its name in the other side's collection: the path of a resource, or the name of a file.
  public var name: String
  /// The UID of its items.
  public var uid: String
  /// How both sides belong together.
  public var state: SyncState
  /// The tag of the version that ``state`` is about; `nil` if the other side gave none. Then it must be read
  /// again.
  public var tag: String?

  /// An object.
  public init(name: String, uid: String, state: SyncState = .agreed, tag: String?) {
    self.name = name
    self.uid = uid
    self.state = state
    self.tag = tag
  }
}
