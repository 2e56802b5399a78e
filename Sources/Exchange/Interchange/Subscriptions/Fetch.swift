import FencepostWebClient
import FoundationEssentials
import Glibc

/// Downloads an address, unless its content is unchanged.
public struct Fetch: Sendable {
  /// Identifies an earlier version.
  public struct Version: Hashable, Sendable {
    /// An HTTP entity tag, or a file's size and time.
    public var entityTag: String?
    /// Last-Modified, in the server's format.
    public var modified: String?

    /// A version.
    public init(entityTag: String? = nil, modified: String? = nil) {
      self.entityTag = entityTag
      self.modified = modified
    }
  }

  /// The result of a fetch.
  public enum Answer: Sendable {
    /// The content is the same as before.
    case unchanged
    /// New content.
    case contents([UInt8], Version)
  }

  /// Accept, for a web address.
  public var accepts = "text/calendar, */*;q=0.5"
  /// The most bytes of the content, after decompression.
  public var limit = 64 << 20
  /// The most seconds without data from the server.
  public var timeout = 30.0
  /// The most seconds for the whole fetch.
  public var deadline = 180.0

  /// A fetch with limits for calendars.
  public init() {}

  /// Fetches `address`; `version` is that of the previous fetch.
  ///
  /// It follows at most ten redirections, never from `https:` to `http:` or from a public address to one of
  /// this machine or its network, and decompresses responses.
  ///
  /// - Throws: ``InterchangeError``.
  public func get(_ address: SubscriptionAddress, unless version: Version = Version()) throws -> Answer {
    if address.url.isFileURL { return try file(address, unless: version) }
    var headers = ["Accept: \(accepts)"]
    if let tag = version.entityTag { headers.append("If-None-Match: \(tag)") }
    if let modified = version.modified { headers.append("If-Modified-Since: \(modified)") }
    var request = HTTPClient.Request(url: address.text, headers: headers)
    request.followsRedirects = true
    request.staysPublic = true
    request.limit = limit
    request.connectTimeout = timeout
    request.idleTimeout = timeout
    request.timeout = deadline
    let response: HTTPClient.Response
    do {
      response = try HTTPClient().send(request)
    } catch {
      throw InterchangeError("\(address.description): \(error)")
    }
    func refusal(_ words: String) -> InterchangeError {
      InterchangeError("\(address.description): \(words)", retryAfter: response.retryAfter)
    }
    switch response.status {
    case 200:
      let version = Version(entityTag: response.entityTag, modified: response.lastModified)
      return .contents(response.body, version)
    case 304: return .unchanged
    case 300..<400: throw refusal("redirected to an unsupported address")
    case 401: throw refusal("the server requires a user name and a password")
    case 403: throw refusal("access denied")
    case 404, 410: throw refusal("not found")
    case let code: throw refusal("the server answered \(code)")
    }
  }

  private func file(_ address: SubscriptionAddress, unless version: Version) throws -> Answer {
    let path = address.url.path
    var status = stat()
    guard stat(path, &status) == 0 else {
      throw InterchangeError("\(path): can't be read: \(String(cString: strerror(errno)))")
    }
    guard status.st_mode & S_IFMT == S_IFREG else { throw InterchangeError("\(path): is not a file") }
    guard status.st_size <= limit else {
      throw InterchangeError("\(path): is larger than the limit of \(limit >> 20) MB")
    }
    let tag = "\(status.st_size)-\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
    if tag == version.entityTag { return .unchanged }
    guard let data = FileManager.default.contents(atPath: path) else {
      throw InterchangeError("\(path): can't be read")
    }
    return .contents([UInt8](data), Version(entityTag: tag))
  }

}
