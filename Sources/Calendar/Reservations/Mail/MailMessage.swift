internal import CFencepostGMime
import FencepostSpatiotemporal

/// A mail, parsed by GMime. Walks its parts once, in order, including forwarded mails.
final class MailMessage {
  /// A part without parts of its own.
  struct Part {
    /// The type in lower case, for example `text/html`.
    var type: String
    /// The name of the attached file.
    var filename: String?
    /// Its character set, as written.
    var charset: String?
    /// METHOD of a calendar.
    var method: String?
    /// The date of the forwarded mail that it is in; `nil` for a part of this mail itself.
    var forwarded: Instant?
    fileprivate var object: UnsafeMutableRawPointer

    /// The beginnings of encodings whose bytes are also valid ASCII.
    private static let hiding = ["utf-7", "utf-16", "utf-32", "ucs-", "unicode-1-1-utf-7", "iso-2022-", "hz"]

    /// The content without its transfer encoding. A text is in UTF-8 if its encoding is known.
    func content() -> [UInt8] {
      guard let array = cgmime_content(object) else { return [] }
      defer { cgmime_content_free(array) }
      let bytes = UnsafeBufferPointer(start: array.pointee.data, count: Int(array.pointee.len))
      guard type.hasPrefix("text/"), !bytes.isEmpty else { return Array(bytes) }
      // Valid UTF-8 is UTF-8, even if the mail names another encoding, unless that one hides other letters in
      // ASCII.
      let isHidden = Self.hiding.contains { charset?.lowercased().hasPrefix($0) ?? false }
      if !isHidden, (try? UTF8Span(validating: bytes.span)) != nil { return Array(bytes) }
      return MailMessage.utf8(bytes, charset: charset) ?? MailMessage.utf8(bytes, charset: "windows-1252")
        ?? Array(bytes)
    }
  }

  /// The largest mail, in bytes.
  static let maximumBytes = 32 << 20
  /// The most parts, and their maximum depth.
  private static let maximumParts = 500
  private static let maxDepth = 20

  private static let isReady: Bool = {
    g_mime_init()
    return true
  }()

  private let message: UnsafeMutableRawPointer

  /// A mail; `nil` if the bytes are not a mail.
  init?(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard Self.isReady, bytes.count <= Self.maximumBytes, let base = bytes.baseAddress, !bytes.isEmpty else {
      return nil
    }
    let made = base.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
      cgmime_message_new($0, bytes.count)
    }
    guard let made else { return nil }
    message = made
  }

  deinit { cgmime_message_free(message) }

  /// The first value of a header, unfolded.
  func header(_ name: String) -> String? {
    cgmime_header(message, name).flatMap { PlainText.line(String(cString: $0)) }
  }

  /// The subject, decoded.
  var subject: String? { cgmime_subject(message).flatMap { PlainText.line(String(cString: $0)) } }

  /// The date, as the sender wrote it; `nil` if there is none.
  var date: Instant? { Self.date(of: message) }

  private static func date(of message: UnsafeMutableRawPointer) -> Instant? {
    let seconds = cgmime_date(message)
    // Until the year 2200, as all times here.
    return (1..<7_258_118_400).contains(seconds) ? Instant(seconds: seconds) : nil
  }

  /// The only address in From, in small letters; `nil` if there are several, because then the sender is
  /// unknown.
  var sender: String? {
    guard cgmime_sender_count(message) == 1 else { return nil }
    return cgmime_sender(message).map { String(cString: $0).lowercased() }
  }

  /// Calls `body` with each part.
  func forEachPart(_ body: (Part) -> Void) {
    var left = Self.maximumParts
    if let object = cgmime_message_body(message) {
      Self.visit(object, depth: 0, forwarded: nil, left: &left, body)
    }
  }

  private static func visit(
    _ object: UnsafeMutableRawPointer, depth: Int, forwarded date: Instant?, left: inout Int,
    _ body: (Part) -> Void
  ) {
    guard depth < maxDepth, left > 0 else { return }
    left -= 1
    let count = cgmime_part_count(object)
    if count >= 0 {
      for index in 0..<count {
        guard let part = cgmime_part(object, index) else { continue }
        visit(part, depth: depth + 1, forwarded: date, left: &left, body)
      }
    } else if let forwarded = cgmime_forwarded(object) {
      if let inner = cgmime_message_body(forwarded) {
        visit(
          inner, depth: depth + 1, forwarded: Self.date(of: forwarded) ?? date, left: &left, body)
      }
    } else {
      func text(_ value: UnsafePointer<CChar>?) -> String? { value.map { String(cString: $0) } }
      let type = "\(text(cgmime_type(object)) ?? "text")/\(text(cgmime_subtype(object)) ?? "plain")"
        .lowercased()
      body(
        Part(
          type: type, filename: text(cgmime_filename(object)),
          charset: text(cgmime_parameter(object, "charset")),
          method: text(cgmime_parameter(object, "method")), forwarded: date, object: object))
    }
  }

  private static func utf8(_ bytes: UnsafeBufferPointer<UInt8>, charset: String?) -> [UInt8]? {
    guard let charset, let base = bytes.baseAddress else { return nil }
    var count = 0
    let converted = base.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
      cgmime_utf8($0, bytes.count, charset, &count)
    }
    guard let converted else { return nil }
    defer { g_free(converted) }
    return UnsafeRawBufferPointer(start: converted, count: count).map { $0 }
  }
}

/// The sender of a mail, and which server verified it.
public struct MailSender: Hashable, Sendable {
  /// The address of From, in lower case.
  public var address: String
  /// The name of the mail server whose topmost Authentication-Results reports a valid signature of this domain,
  /// in lower case; `nil` if none does.
  ///
  /// Everybody can write such a header. It counts only if the owner's own mail server has this name.
  public var verifier: String?

  /// The domain of its address.
  public var domain: String { address.split(separator: "@").last.map(String.init) ?? "" }

  /// A sender.
  public init(address: String, verifier: String?) {
    self.address = address
    self.verifier = verifier
  }

  /// The sender of a mail; `nil` if From has no address, or several.
  init?(_ mail: MailMessage) {
    guard let address = mail.sender, let at = address.lastIndex(of: "@") else { return nil }
    let domain = String(address[address.index(after: at)...])
    guard !domain.isEmpty, domain.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x3C && $0 != 0x3E && $0 != 0x7F })
    else {
      return nil
    }
    let results = mail.header("Authentication-Results").flatMap(AuthenticationResults.init)
    let isSigned = results?.signers.contains { signer in
      // A public suffix such as `com` can't sign.
      signer.contains(".") && (domain == signer || domain.hasSuffix("." + signer))
    }
    self.init(address: address, verifier: isSigned == true ? results?.server : nil)
  }
}
