public import FencepostSpatiotemporal

/// The content of one message: positions, and the counts of rejected records.
public struct PositionMessage: Sendable, Hashable {
  /// The program that sent a message. It determines the form of the response.
  public enum Kind: Sendable, Hashable {
    /// OwnTracks; also its messages without a position.
    case ownTracks
    /// Overland, and GeoJSON in general.
    case overland
    /// Traccar's API and its client app.
    case traccar
    /// OsmAnd's protocol, which Traccar's apps use: fields instead of JSON.
    case osmAnd
  }

  /// The program that sent it.
  public var kind: Kind
  /// The positions, in the order of time.
  public var fixes: [Fix]
  /// The number of rejected records, by reason.
  public var rejections: [RejectionReason: Int]

  /// A message.
  public init(kind: Kind, fixes: [Fix], rejections: [RejectionReason: Int]) {
    self.kind = kind
    self.fixes = fixes
    self.rejections = rejections
  }

  /// The number of rejected records.
  public var rejected: Int { rejections.values.reduce(0, +) }
}

/// The device of the positions in a message.
public enum MessageDevice: Sendable, Hashable {
  /// This device, whatever the message names: the transport identifies it.
  case given(String)
  /// The device that the message names, or this one if it names none.
  case named(orElse: String)
}

/// A message can't be read. Its description is one line that suits a response to the sender.
public enum MessageError: Error, Sendable, Hashable, CustomStringConvertible {
  /// It is not JSON, or is truncated.
  case notJSON
  /// It is JSON without a position in a known form.
  case unknownKind
  /// It is an encrypted message of OwnTracks.
  case encrypted
  /// A field is missing.
  case missing(field: String)
  /// A field's text is invalid; what the field should hold.
  case unreadable(field: String, what: String)

  /// The problem, and what to do.
  public var description: String {
    switch self {
    case .notJSON: "this is not JSON, or it is truncated"
    case .unknownKind:
      "this JSON has no position in a known form; known are the messages of OwnTracks, Overland and Traccar Client,"
        + " and GeoJSON"
    case .encrypted: "this message is encrypted; remove the encryption key from the settings of OwnTracks"
    case .missing(let field): "the field '\(field)' is missing"
    case .unreadable(let field, let what): "the field '\(field)' is not a valid \(what)"
    }
  }
}
