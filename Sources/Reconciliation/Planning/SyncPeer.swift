/// The other side of a synchronization: a collection of calendar objects, each with a name and a tag that changes with it.
public protocol SyncPeer {
  /// What the collection contains, or what has changed in it.
  ///
  /// - Parameter token: The token of the last answer; `nil` for none.
  func changes(since token: String?) throws -> PeerChanges

  /// Reads objects. Those that are gone are left out.
  func read(_ names: [String]) throws -> [PeerObject]

  /// Creates the object of a UID, unless there is one.
  func create(uid: String, text: String) throws -> PeerWrite

  /// Changes an object that has a tag.
  func replace(_ name: String, tag: String?, text: String) throws -> PeerWrite

  /// Deletes an object that has a tag.
  func delete(_ name: String, tag: String?) throws -> PeerWrite
}

/// What a collection contains, or what has changed in it.
public struct PeerChanges: Sendable {
  /// The objects.
  public var listing: Listing
  /// The token for the next question; `nil` if the peer has none.
  public var token: String?

  /// Changes.
  public init(listing: Listing, token: String?) {
    self.listing = listing
    self.token = token
  }
}

/// An object of the other side.
public struct PeerObject: Sendable {
  /// Its name in the collection.
  public var name: String
  /// Its tag; `nil` if the peer says none.
  public var tag: String?
  /// Its text.
  public var text: [UInt8]

  /// An object.
  public init(name: String, tag: String?, text: [UInt8]) {
    self.name = name
    self.tag = tag
    self.text = text
  }
}

/// What became of a change on the other side.
public enum PeerWrite: Hashable, Sendable {
  /// It is done. The tag is `nil` if the peer says none, or wrote something else.
  case done(name: String, tag: String?)
  /// The object has another tag than was said, or there is one already.
  case changedMeanwhile
  /// Another object has the same UID; its name, if known.
  case exists(name: String?)
  /// The object is gone.
  case gone
  /// The peer does not take it, for this reason. The same text must not be sent again.
  case refused(String)
}
