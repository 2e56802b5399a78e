import FencepostAddresses
public import FoundationEssentials

/// The address of a subscription: a file or a web address.
public struct SubscriptionAddress: Hashable, Sendable {
  /// An `https:`, `http:` or `file:` URL.
  public let url: URL

  /// Parses an address: a URL, where `webcal:` means `https:`, or the path of a file.
  ///
  /// - Throws: ``InterchangeError`` for other text.
  public init(_ text: String, directory: String = FileManager.default.currentDirectoryPath) throws {
    guard let colon = text.firstRange(of: "://") else {
      let base = URL(fileURLWithPath: directory, isDirectory: true)
      url = URL(fileURLWithPath: text, relativeTo: base).absoluteURL.standardizedFileURL
      return
    }
    var scheme = text[..<colon.lowerBound].lowercased()
    if scheme == "webcal" || scheme == "webcals" { scheme = "https" }
    let rest = String(text[colon.lowerBound...])
    guard ["https", "http", "file"].contains(scheme) else {
      throw InterchangeError(
        "'\(text)' can't be subscribed to: an address begins with https://, http:// or webcal://, or is a file's path"
      )
    }
    guard let url = URL(string: scheme + rest), scheme == "file" || url.host?.isEmpty == false else {
      throw InterchangeError("'\(text)' is not an address")
    }
    self.url = url
  }

  /// The form in the store.
  public var text: String { url.absoluteString }

  /// The form for display: without secrets, and a file as its path.
  public var description: String { url.isFileURL ? url.path : AddressText.withoutSecrets(text) }

  /// A name for content without its own name.
  public var name: String {
    let last = url.deletingPathExtension().lastPathComponent
    return [last == "/" ? "" : last, url.host ?? ""].first { !$0.isEmpty } ?? "Subscription"
  }
}

/// Addresses for display: in messages, in lists, in recorded command lines.
public enum AddressText {
  /// Hides passwords and tokens in `address`, which may be any text.
  ///
  /// It hides a user's password and, after a `?`, the values of names that end in `token`, `secret`,
  /// `password`, `key`, `auth`, `sig` or `signature`. In the path it hides the end of parts that look like a key,
  /// as in private addresses of calendars: of 16 or more letters and digits, both kinds among them.
  public static func withoutSecrets(_ address: String) -> String {
    withoutPathKeys(withoutPassword(address))
      .replacing(#/(?i)([?&][^=&]*(?:token|secret|password|key|auth|sig|signature)=)[^&]*/#) {
        "\($0.output.1)…"
      }
  }

  private static func withoutPathKeys(_ address: String) -> String {
    guard let host = address.firstRange(of: "://") else { return address }
    let end = address[host.upperBound...].firstIndex { $0 == "?" || $0 == "#" } ?? address.endIndex
    let parts = address[host.upperBound..<end].split(separator: "/", omittingEmptySubsequences: false)
    let shown = parts.enumerated().map { index, part in
      index > 0 && isKey(part) ? part.prefix(4) + "…" : part
    }
    return address[..<host.upperBound] + shown.joined(separator: "/") + address[end...]
  }

  /// Whether a part of a path looks like a key: a long run of letters and digits.
  private static func isKey(_ part: Substring) -> Bool {
    part.split { !($0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == "-")) }.contains { run in
      run.count >= 16 && run.contains(where: \.isLetter) && run.contains(where: \.isNumber)
    }
  }

  /// Hides a user's password in `address`, which may be any text.
  public static func withoutPassword(_ address: String) -> String {
    // Up to the last @, so that a password with an unescaped @ or slash stays hidden.
    address.replacing(#/(://[^/?:@]*):.*@/#) { "\($0.output.1):…@" }
  }
}
