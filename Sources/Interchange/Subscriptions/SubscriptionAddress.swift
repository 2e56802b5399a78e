public import FoundationEssentials

/// Where a calendar may be kept from: a file, or an address of the web.
public struct SubscriptionAddress: Hashable, Sendable {
  /// An `https:`, `http:` or `file:` URL.
  public let url: URL

  /// The address that somebody wrote: a URL, of which `webcal:` means `https:`, or the path of a file.
  ///
  /// - Throws: ``InterchangeError`` where it is neither.
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
      throw InterchangeError("'\(text)' is no address")
    }
    self.url = url
  }

  /// As it is kept.
  public var text: String { url.absoluteString }

  /// As it may be shown: without secrets, and files by their path.
  public var description: String { url.isFileURL ? url.path : AddressText.withoutSecrets(text) }

  /// A name for what is kept there, where it has none of its own.
  public var name: String {
    let last = url.deletingPathExtension().lastPathComponent
    return [last == "/" ? "" : last, url.host ?? ""].first { !$0.isEmpty } ?? "Subscription"
  }
}
