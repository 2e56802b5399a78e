import FencepostWebClient
import FencepostWebServer

/// `imaps://USER[:PASSWORD]@HOST[:PORT][/FOLDER][?cafile=PATH]`: a folder of mails on a server.
public struct IMAPAddress: Hashable, Sendable, CustomStringConvertible {
  /// The host of the server.
  public var host: String
  /// The port of the server; by default 993.
  public var port: UInt16
  /// The user.
  public var user: String
  /// The password of the user; `nil` if the address has none.
  public var password: String?
  /// The folder, as people write it; `INBOX` by default.
  public var folder: String
  /// A file with the certificates of trusted authorities; `nil` for the system's.
  public var authorities: String?
  /// False only for servers of tests.
  var isEncrypted = true

  init(_ parts: URLParts, _ words: inout AddressWords) throws(AddressError) {
    guard let host = parts.host else { throw words.failure("missing host, as in \(Self.example)") }
    guard let user = parts.user, !user.isEmpty else {
      throw words.failure("missing user, as in \(Self.example)")
    }
    self.host = host
    self.user = user
    port = parts.port ?? 993
    password = parts.password
    let folder = String(parts.path.drop { $0 == "/" })
    self.folder = folder.isEmpty ? "INBOX" : folder
    guard !folder.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
      throw words.failure("invalid folder")
    }
    authorities = try words.take("cafile")
  }

  private static let example = "imaps://USER@mail.example.org/INBOX"

  /// The address without the password.
  public var description: String {
    "imaps://\(user.replacing("%", with: "%25").replacing("@", with: "%40"))@\(place)/\(folder)"
  }

  private var place: String { "\(HostName.text(host)):\(port)" }

  /// What the client signs in to.
  var account: MailServerStream.Account {
    MailServerStream.Account(
      url: "\(isEncrypted ? "imaps" : "imap")://\(place)/", user: user, password: password ?? "",
      authorities: authorities)
  }
}
