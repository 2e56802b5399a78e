public import Spatiotemporal

/// What one message said: positions, and records that were none.
public struct PositionMessage: Sendable, Hashable {
  /// Whose message it is, which is what its sender wants to be answered by.
  public enum Kind: Sendable, Hashable {
    /// OwnTracks; also a message of its that is no position.
    case ownTracks
    /// Overland, and GeoJSON in general.
    case overland
    /// Traccar's API and its client.
    case traccar
    /// The protocol of OsmAnd that Traccar's apps speak: fields and no JSON.
    case osmAnd
  }

  /// Whose message it is.
  public var kind: Kind
  /// The positions, in the order in which they stand there.
  public var fixes: [Fix]
  /// How many records gave no position, by reason.
  public var rejections: [RejectionReason: Int]

  /// A message.
  public init(kind: Kind, fixes: [Fix], rejections: [RejectionReason: Int]) {
    self.kind = kind
    self.fixes = fixes
    self.rejections = rejections
  }

  /// How many records gave no position.
  public var rejected: Int { rejections.values.reduce(0, +) }
}

/// Whose position it is that a message tells.
public enum MessageDevice: Sendable, Hashable {
  /// This one's, whatever the message says: the way that it came tells.
  case given(String)
  /// The one that the message names; this one where it names none.
  case named(orElse: String)
}

/// A message can't be read. Its description is one line, fit for an answer to its sender.
public enum MessageError: Error, Sendable, Hashable, CustomStringConvertible {
  /// It is no JSON, or breaks off.
  case notJSON
  /// It is JSON that says no position in any known way.
  case unknownKind
  /// It is a message of OwnTracks' that only who has its key can read.
  case encrypted
  /// A field is missing.
  case missing(field: String)
  /// A field's text is not what the field holds; what it holds.
  case unreadable(field: String, what: String)

  /// What is wrong, and what to do.
  public var description: String {
    switch self {
    case .notJSON: "this is no JSON, or not all of it"
    case .unknownKind:
      "this is JSON without a position in it that is known; the messages of OwnTracks, Overland and Traccar Client"
        + " and GeoJSON are"
    case .encrypted: "this message is encrypted; take the encryption key out of the settings of OwnTracks"
    case .missing(let field): "the field '\(field)' is missing"
    case .unreadable(let field, let what): "the field '\(field)' is no \(what)"
    }
  }
}
