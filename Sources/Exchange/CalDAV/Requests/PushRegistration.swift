import FencepostXML

/// The body of a POST by which a client asks to hear of changes of a collection (draft-bitfire-webdav-push,
/// section 3.1).
public struct PushRegistration: Hashable, Sendable {
  /// The address at the push service.
  public var endpoint: String
  /// The receiver's public key, as base64url, or `nil` without a key of the type `p256dh`.
  public var publicKey: String?
  /// The secret that is shared with the receiver, as base64url.
  public var secret: String?
  /// Whether it asks for changes of the members.
  public var includesContent: Bool
  /// Whether it asks for changes of the collection's own properties.
  public var includesProperties: Bool
  /// When it should end, as HTTP writes dates.
  public var expires: String?

  /// A registration.
  public init(
    endpoint: String, publicKey: String?, secret: String?, includesContent: Bool = true,
    includesProperties: Bool = false, expires: String? = nil
  ) {
    self.endpoint = endpoint
    self.publicKey = publicKey
    self.secret = secret
    self.includesContent = includesContent
    self.includesProperties = includesProperties
    self.expires = expires
  }

  /// Reads the body of a request. DAVx⁵ before version 4.5 names no trigger, and means changes of the
  /// members.
  ///
  /// - Throws: ``CalDAVSyntaxError`` if it is no XML, or not a registration.
  public init(parsing bytes: [UInt8]) throws(CalDAVSyntaxError) {
    let root = try XMLElement(parsing: bytes)
    guard root.name == .push("push-register") else {
      throw CalDAVSyntaxError("expected push-register, but the body is \(root.name)")
    }
    let subscription = root.first(.push("subscription"))?.first(.push("web-push-subscription"))
    endpoint = subscription?.first(.push("push-resource"))?.trimmedText ?? ""
    // The earlier name is that of the draft's text, the later one that of its examples and its clients.
    let keys =
      subscription.map { $0.all(.push("subscription-public-key")) + $0.all(.push("client-public-key")) } ?? []
    publicKey = keys.first { $0.attribute("type") ?? "p256dh" == "p256dh" }?.trimmedText
    secret = subscription?.first(.push("auth-secret"))?.trimmedText
    let trigger = root.first(.push("trigger"))
    includesContent = trigger?.has(.push("content-update")) ?? true
    includesProperties = trigger?.has(.push("property-update")) ?? false
    expires = root.first(.push("expires"))?.trimmedText
  }

  /// As an XML document.
  public var document: [UInt8] {
    var subscription = [XMLElement(.push("push-resource"), text: endpoint)]
    if let publicKey {
      subscription.append(
        XMLElement(
          .push("subscription-public-key"), attributes: [XMLName("type"): "p256dh"], text: publicKey))
    }
    if let secret { subscription.append(XMLElement(.push("auth-secret"), text: secret)) }
    var triggers: [XMLElement] = []
    if includesContent {
      triggers.append(XMLElement(.push("content-update"), [XMLElement(.dav("sync-level"), text: "1")]))
    }
    if includesProperties {
      triggers.append(XMLElement(.push("property-update"), [XMLElement(.dav("depth"), text: "0")]))
    }
    var parts = [
      XMLElement(.push("subscription"), [XMLElement(.push("web-push-subscription"), subscription)]),
      XMLElement(.push("trigger"), triggers),
    ]
    if let expires { parts.append(XMLElement(.push("expires"), text: expires)) }
    return XMLElement(.push("push-register"), parts).document
  }
}

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
