import FencepostXML

/// What a client hears of a change of a collection (draft-bitfire-webdav-push, section 4.1).
public struct ChangeMessage: Hashable, Sendable {
  /// Which collection: its property `topic`.
  public var topic: String
  /// The sync token, if members have changed.
  public var syncToken: String?
  /// Whether the collection's own properties have changed.
  public var includesProperties: Bool

  /// A message.
  public init(topic: String, syncToken: String?, includesProperties: Bool) {
    self.topic = topic
    self.syncToken = syncToken
    self.includesProperties = includesProperties
  }

  /// Reads a message.
  ///
  /// - Throws: ``CalDAVSyntaxError`` if it is no XML, or no such message.
  public init(parsing bytes: [UInt8]) throws(CalDAVSyntaxError) {
    let root = try XMLElement(parsing: bytes)
    guard root.name == .push("push-message"), let topic = root.first(.push("topic"))?.trimmedText else {
      throw CalDAVSyntaxError("expected push-message with a topic, but it is \(root.name)")
    }
    self.topic = topic
    syncToken = root.first(.push("content-update")).map { $0.first(.dav("sync-token"))?.trimmedText ?? "" }
    includesProperties = root.has(.push("property-update"))
  }

  /// As an XML document.
  public var document: [UInt8] {
    var parts = [XMLElement(.push("topic"), text: topic)]
    if let syncToken {
      parts.append(XMLElement(.push("content-update"), [XMLElement(.dav("sync-token"), text: syncToken)]))
    }
    if includesProperties { parts.append(XMLElement(.push("property-update"))) }
    return XMLElement(.push("push-message"), parts).document
  }
}
