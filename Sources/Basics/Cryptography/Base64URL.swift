import FoundationEssentials

/// Base64 for addresses (RFC 4648, section 5), without padding.
public enum Base64URL {
  /// The text of some bytes.
  public static func encode(_ bytes: [UInt8]) -> String {
    Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing(
      "=", with: "")
  }

  /// The bytes of a text, padded or not; `nil` if it is not base64url.
  public static func decode(_ text: some StringProtocol) -> [UInt8]? {
    let bare = String(text).replacing("=", with: "")
    guard !bare.contains("+"), !bare.contains("/") else { return nil }
    let padding = String(repeating: "=", count: (4 - bare.utf8.count % 4) % 4)
    return Data(base64Encoded: bare.replacing("-", with: "+").replacing("_", with: "/") + padding).map(
      Array.init)
  }
}
