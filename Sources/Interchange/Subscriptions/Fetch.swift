import FoundationEssentials
import Glibc
import WebClient

/// Gets what is kept at an address, unless it is what was there before.
public struct Fetch: Sendable {
  /// What is known of an earlier version.
  public struct Version: Hashable, Sendable {
    /// An HTTP entity tag, or a file's size and time.
    public var entityTag: String?
    /// Last-Modified, as the server said it.
    public var modified: String?

    /// A version.
    public init(entityTag: String? = nil, modified: String? = nil) {
      self.entityTag = entityTag
      self.modified = modified
    }
  }

  /// What came of it.
  public enum Answer: Sendable {
    /// It is what was there before.
    case unchanged
    /// It is another.
    case contents([UInt8], Version)
  }

  /// The most bytes that are taken, once unpacked.
  public var limit = 64 << 20
  /// Seconds to wait for a server that says nothing.
  public var timeout = 30.0
  /// Seconds that all of it may take.
  public var deadline = 180.0

  /// A fetch with the limits that suit calendars.
  public init() {}

  /// Gets what is at `address`; `version` is what was got before.
  ///
  /// Redirections are followed, at most ten and never from `https:` to `http:`; packed answers are unpacked.
  ///
  /// - Throws: ``InterchangeError``.
  public func get(_ address: SubscriptionAddress, unless version: Version = Version()) throws -> Answer {
    if address.url.isFileURL { return try file(address, unless: version) }
    var headers = ["Accept: text/calendar, */*;q=0.5"]
    if let tag = version.entityTag { headers.append("If-None-Match: \(tag)") }
    if let modified = version.modified { headers.append("If-Modified-Since: \(modified)") }
    var request = HTTPClient.Request(url: address.text, headers: headers)
    request.followsRedirects = true
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
    case 300..<400: throw refusal("is redirected where it can't be followed")
    case 401: throw refusal("the server asks for a name and password")
    case 403: throw refusal("the server lets nobody have it, or not us")
    case 404, 410: throw refusal("there is nothing there")
    case let code: throw refusal("the server answered \(code)")
    }
  }

  private func file(_ address: SubscriptionAddress, unless version: Version) throws -> Answer {
    let path = address.url.path
    var status = stat()
    guard stat(path, &status) == 0 else {
      throw InterchangeError("\(path): can't be read: \(String(cString: strerror(errno)))")
    }
    guard status.st_mode & S_IFMT == S_IFREG else { throw InterchangeError("\(path): is no file") }
    guard status.st_size <= limit else {
      throw InterchangeError("\(path): is larger than the \(limit >> 20) MB that are taken")
    }
    let tag = "\(status.st_size)-\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
    if tag == version.entityTag { return .unchanged }
    guard let data = FileManager.default.contents(atPath: path) else {
      throw InterchangeError("\(path): can't be read")
    }
    return .contents([UInt8](data), Version(entityTag: tag))
  }

}
