/// An object that both sides had at the end of the last synchronization.
public struct AgreedObject: Hashable, Sendable {
  /// Its name in the other side's collection: the path of a resource, or the name of a file.
  public var name: String
  /// The UID of its items.
  public var uid: String
  /// Its tag; `nil` if the other side gave none. Then it must be read again.
  public var tag: String?

  /// An object.
  public init(name: String, uid: String, tag: String?) {
    self.name = name
    self.uid = uid
    self.tag = tag
  }
}
