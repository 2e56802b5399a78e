import FencepostWebServer
import FencepostXML
import FoundationEssentials

/// The certificate of the server's own authority, for phones that shall trust it. It is no secret.
public enum AuthorityProfile {
  /// The path of a configuration profile for Apple's devices.
  public static let profilePath = "/dav/authority/fencepost.mobileconfig"
  /// The path of the certificate alone, for Android.
  public static let certificatePath = "/dav/authority/fencepost.crt"

  /// Whether a request asks for one of the two.
  static func isWanted(by head: HTTPHead) -> Bool {
    head.method == "GET" && [profilePath, certificatePath].contains(head.path)
  }

  /// The answer to such a request; a refusal if the server has no authority of its own.
  static func response(to head: HTTPHead, _ authority: Data?) -> HTTPResponse {
    guard let authority else { return .refusal(404, "this server has no authority of its own") }
    let isProfile = head.path == profilePath
    return HTTPResponse(
      status: 200,
      headers: [
        "Content-Type": isProfile
          ? "application/x-apple-aspen-config; charset=utf-8" : "application/x-x509-ca-cert",
        "Cache-Control": "no-cache",
      ], body: isProfile ? propertyList(of: authority) : Array(authority))
  }

  /// A profile with the certificate, in DER.
  static func propertyList(of authority: Data) -> [UInt8] {
    XMLElement.profile(
      identifier: "fencepost.authority", name: "Fencepost: certificate",
      [AccountProfile.root(authority)])
  }

  /// The profile of the last certificate of a chain in PEM; `nil` if that is no authority's own.
  public static func propertyList(ofChain pem: String) -> [UInt8]? {
    OwnAuthority.certificate(inChain: pem).map(propertyList)
  }
}
