import FencepostAddresses
import FencepostCalDAV
import FencepostWebServer
import FencepostXML
import FoundationEssentials

/// A configuration profile with a CalDAV account, for Apple's devices: a property list that the system offers
/// to install.
struct AccountProfile {
  /// The host and port that the device used.
  let host: String
  let port: Int
  let isSecure: Bool
  let user: String
  let password: String
  /// The authority that the device has to trust for this server, if it is no public one.
  let authority: Data?

  /// The profile for a device that asks with this head.
  init(for head: HTTPHead, user: String, password: String, authority: Data?) {
    self.authority = authority
    isSecure = head.isSecureOutside
    let authority = head.headers["host"] ?? "localhost"
    let name = HostName.withoutBrackets(authority)
    host = authority.hasPrefix("[") ? name : String(authority.prefix { $0 != ":" })
    port =
      authority.split(separator: ":").last.flatMap { Int($0) } ?? (isSecure ? 443 : 80)
    self.user = user
    self.password = password
  }

  /// The path of a one-time address.
  static func path(key: String) -> String { Href.path(["dav", "profile", key + suffix]) }

  /// The key in a one-time address; `nil` for any other address.
  static func key(in head: HTTPHead) -> String? {
    let segments = head.segments
    guard segments.count == 3, segments.starts(with: ["dav", "profile"]), segments[2].hasSuffix(suffix) else {
      return nil
    }
    return String(segments[2].dropLast(suffix.count))
  }

  private static let suffix = ".mobileconfig"

  var response: HTTPResponse {
    HTTPResponse(
      status: 200,
      headers: [
        "Content-Type": "application/x-apple-aspen-config; charset=utf-8", "Cache-Control": "no-store",
        "Content-Disposition": "attachment; filename=\"fencepost.mobileconfig\"",
      ], body: propertyList)
  }

  /// The certificate of an authority, in DER. People still have to switch it on in the device's settings.
  static func root(_ authority: Data) -> XMLElement {
    .dictionary([
      ("PayloadType", .string("com.apple.security.root")), ("PayloadVersion", .integer(1)),
      ("PayloadIdentifier", .string("fencepost.authority.root")), ("PayloadUUID", .string(UUID().uuidString)),
      ("PayloadDisplayName", .string("Fencepost: certificate")),
      ("PayloadContent", XMLElement(XMLName("data"), text: authority.base64EncodedString())),
    ])
  }

  var propertyList: [UInt8] {
    let account: [(String, XMLElement)] = [
      ("PayloadType", .string("com.apple.caldav.account")), ("PayloadVersion", .integer(1)),
      ("PayloadIdentifier", .string("fencepost.caldav.\(user)")), ("PayloadUUID", .string(UUID().uuidString)),
      ("PayloadDisplayName", .string("Fencepost")), ("CalDAVAccountDescription", .string("Fencepost")),
      ("CalDAVHostName", .string(host)), ("CalDAVPort", .integer(port)),
      ("CalDAVUseSSL", XMLElement(XMLName(isSecure ? "true" : "false"))), ("CalDAVUsername", .string(user)),
      ("CalDAVPassword", .string(password)),
      ("CalDAVPrincipalURL", .string(Href.path(["dav", "principals", user], isCollection: true))),
    ]
    return XMLElement.profile(
      identifier: "fencepost.\(user)", name: "Fencepost: reminders and calendars",
      (authority.map { [Self.root($0)] } ?? []) + [.dictionary(account)])
  }
}

extension XMLElement {
  /// The property list of a configuration profile with these payloads.
  static func profile(identifier: String, name: String, _ payloads: [XMLElement]) -> [UInt8] {
    let profile: [(String, XMLElement)] = [
      ("PayloadType", .string("Configuration")), ("PayloadVersion", .integer(1)),
      ("PayloadIdentifier", .string(identifier)), ("PayloadUUID", .string(UUID().uuidString)),
      ("PayloadDisplayName", .string(name)), ("PayloadContent", XMLElement(XMLName("array"), payloads)),
    ]
    return XMLElement(XMLName("plist"), attributes: [XMLName("version"): "1.0"], [.dictionary(profile)])
      .document
  }

  static func string(_ text: String) -> XMLElement { XMLElement(XMLName("string"), text: text) }

  static func integer(_ number: Int) -> XMLElement {
    XMLElement(XMLName("integer"), text: "\(number)")
  }

  static func dictionary(_ entries: [(String, XMLElement)]) -> XMLElement {
    XMLElement(XMLName("dict"), entries.flatMap { [XMLElement(XMLName("key"), text: $0), $1] })
  }
}
