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
