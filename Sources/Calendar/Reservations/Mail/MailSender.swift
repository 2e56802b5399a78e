/// The sender of a mail, and whether it is verified.
public struct MailSender: Hashable, Sendable {
  /// The domain of From, in lower case.
  public var domain: String
  /// True if the topmost Authentication-Results reports a valid signature of this domain.
  ///
  /// That header comes from the last server that received the mail. It is only as reliable as the path from
  /// there to here.
  public var isSigned: Bool

  /// A sender.
  public init(domain: String, isSigned: Bool) {
    self.domain = domain
    self.isSigned = isSigned
  }

  /// The sender of a mail; `nil` if From has no address, or several.
  init?(_ mail: MailMessage) {
    guard let address = mail.sender, let at = address.lastIndex(of: "@") else { return nil }
    let domain = String(address[address.index(after: at)...])
    guard !domain.isEmpty, domain.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x3C && $0 != 0x3E && $0 != 0x7F })
    else {
      return nil
    }
    self.init(
      domain: domain, isSigned: Self.isSigned(mail.header("Authentication-Results") ?? "", for: domain))
  }

  /// Whether results (RFC 8601) have `dkim=pass` with `header.d` or `header.i` of `domain`, or of a parent
  /// domain. Ignores comments.
  static func isSigned(_ results: String, for domain: String) -> Bool {
    withoutComments(results).split(separator: ";").dropFirst().contains { result in
      let words = result.split(whereSeparator: \.isWhitespace).map { $0.lowercased() }
      guard words.first == "dkim=pass" else { return false }
      return words.dropFirst().contains { word in
        guard word.hasPrefix("header.d=") || word.hasPrefix("header.i=") else { return false }
        let value = word.dropFirst("header.d=".count).filter { $0 != "\"" }
        let signer = value.split(separator: "@").last.map(String.init) ?? ""
        // A public suffix such as `com` can't sign.
        return signer.contains(".") && (domain == signer || domain.hasSuffix("." + signer))
      }
    }
  }

  private static func withoutComments(_ text: String) -> String {
    var depth = 0
    return text.filter { character in
      if character == "(" { depth += 1 }
      defer { if character == ")" { depth = max(0, depth - 1) } }
      return depth == 0
    }
  }
}
