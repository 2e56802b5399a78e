import FencepostCalDAV
import FencepostCalendarModel
import FencepostCryptography
import FencepostWebPush
import FencepostXML

/// Who pushes changes to clients (WebDAV-Push), and what lists say of it.
struct PushIdentity {
  let key: EllipticKey

  /// The name of a list at push services: it tells them nothing, and is the same for all clients.
  func topic(of list: Identifier<ItemCalendar>) -> String {
    let code = MessageDigest.hmacSHA256(Array("topic \(list.rawValue)".utf8), key: key.secret)
    return Base64URL.encode(Array(code.prefix(18)))
  }

  /// A property of a list; `nil` for any that is not of WebDAV-Push.
  func property(_ name: XMLName, of list: ItemCalendar) -> XMLElement? {
    switch name {
    case .push("topic"): XMLElement(name, text: topic(of: list.id))
    case .push("transports"):
      XMLElement(
        name,
        [
          XMLElement(
            .push("web-push"),
            [
              XMLElement(
                .push("vapid-public-key"), attributes: [XMLName("type"): "p256ecdsa"],
                text: Base64URL.encode(key.publicKey))
            ])
        ])
    case .push("supported-triggers"):
      XMLElement(
        name,
        [
          XMLElement(.push("content-update"), [XMLElement(.dav("sync-level"), text: "1")]),
          XMLElement(.push("property-update"), [XMLElement(.dav("depth"), text: "0")]),
        ])
    default: nil
    }
  }
}
