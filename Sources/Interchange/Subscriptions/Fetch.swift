import Foundation
import FoundationNetworking
import Glibc

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
  public var patience = 30.0
  /// Seconds that all of it may take.
  public var deadline = 180.0

  /// A fetch with the limits that suit calendars.
  public init() {}

  /// Gets what is at `address`; `version` is what was got before.
  ///
  /// Redirections are followed, at most ten and never from `https:` to `http:`; packed answers are unpacked.
  ///
  /// - Throws: ``InterchangeError``.
  public func get(_ address: SubscriptionAddress, unless version: Version = Version()) async throws -> Answer
  {
    if address.url.isFileURL { return try file(address, unless: version) }
    let answer = try await Exchange(self, address, version).run()
    guard let response = answer.response else {
      throw InterchangeError("\(address.description): the server gave no answer")
    }
    switch response.statusCode {
    case 200:
      let version = Version(
        entityTag: response.value(forHTTPHeaderField: "ETag"),
        modified: response.value(forHTTPHeaderField: "Last-Modified"))
      return .contents(answer.body, version)
    case 304: return .unchanged
    case 300..<400: throw InterchangeError("\(address.description): is redirected where it can't be followed")
    case 401, 403: throw InterchangeError("\(address.description): the server asks for a name and password")
    case 404, 410: throw InterchangeError("\(address.description): there is nothing there")
    case let code: throw InterchangeError("\(address.description): the server answered \(code)")
    }
  }

  private func file(_ address: SubscriptionAddress, unless version: Version) throws -> Answer {
    let path = address.url.path
    var status = stat()
    guard stat(path, &status) == 0 else {
      throw InterchangeError("\(path): can't be read: \(String(cString: strerror(errno)))")
    }
    guard status.st_mode & S_IFMT == S_IFREG else { throw InterchangeError("\(path): is no file") }
    guard status.st_size <= limit else { throw InterchangeError("\(path): \(tooLarge)") }
    let tag = "\(status.st_size)-\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
    if tag == version.entityTag { return .unchanged }
    guard let data = FileManager.default.contents(atPath: path) else {
      throw InterchangeError("\(path): can't be read")
    }
    return .contents([UInt8](data), Version(entityTag: tag))
  }

  fileprivate var tooLarge: String { "is larger than the \(limit >> 20) MB that are taken" }
}

/// One request and what was answered.
///
/// `@unchecked Sendable`: all but `init` and the start of `run` is reached on the session's delegate queue, which
/// does one thing at a time.
private final class Exchange: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  private let fetch: Fetch
  private let address: SubscriptionAddress
  private let request: URLRequest
  private var continuation: CheckedContinuation<(response: HTTPURLResponse?, body: [UInt8]), any Error>?
  private var response: HTTPURLResponse?
  private var body: [UInt8] = []
  private var redirections = 0
  private var refusal: String?

  private static let mostRedirections = 10

  init(_ fetch: Fetch, _ address: SubscriptionAddress, _ version: Fetch.Version) {
    self.fetch = fetch
    self.address = address
    var url = address.url
    var authorization: String?
    // A name and password in the address are for the server, not for its logs.
    if let user = url.user, var parts = URLComponents(url: url, resolvingAgainstBaseURL: false) {
      let password = url.password ?? ""
      let pair = "\(user.removingPercentEncoding ?? user):\(password.removingPercentEncoding ?? password)"
      authorization = "Basic " + Data(pair.utf8).base64EncodedString()
      parts.user = nil
      parts.password = nil
      url = parts.url ?? url
    }
    var request = URLRequest(
      url: url, cachePolicy: .reloadIgnoringLocalCacheData, timeoutInterval: fetch.patience)
    request.setValue("text/calendar, */*;q=0.5", forHTTPHeaderField: "Accept")
    request.setValue("Fencepost", forHTTPHeaderField: "User-Agent")
    request.setValue(authorization, forHTTPHeaderField: "Authorization")
    request.setValue(version.entityTag, forHTTPHeaderField: "If-None-Match")
    request.setValue(version.modified, forHTTPHeaderField: "If-Modified-Since")
    self.request = request
  }

  func run() async throws -> (response: HTTPURLResponse?, body: [UInt8]) {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = fetch.patience
    configuration.timeoutIntervalForResource = fetch.deadline
    configuration.httpCookieStorage = nil
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    let session = URLSession(configuration: configuration, delegate: self, delegateQueue: queue)
    defer { session.invalidateAndCancel() }
    let limit = Task { [fetch] in
      // Seconds for all of it: the session's own limit has been seen not to hold.
      try await Task.sleep(for: .seconds(fetch.deadline))
      session.invalidateAndCancel()
    }
    defer { limit.cancel() }
    return try await withCheckedThrowingContinuation { continuation in
      queue.addOperation {
        self.continuation = continuation
        session.dataTask(with: self.request).resume()
      }
    }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
  ) {
    redirections += 1
    let scheme = request.url?.scheme?.lowercased()
    let isDowngrade = scheme == "http" && task.currentRequest?.url?.scheme?.lowercased() == "https"
    guard redirections <= Exchange.mostRedirections, scheme == "https" || scheme == "http", !isDowngrade
    else {
      refusal = "is redirected \(isDowngrade ? "from https to http" : "where it can't be followed")"
      completionHandler(nil)
      task.cancel()
      return
    }
    var request = request
    if request.url?.host != task.originalRequest?.url?.host {
      request.setValue(nil, forHTTPHeaderField: "Authorization")
    }
    body = []
    completionHandler(request)
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
  ) {
    self.response = response as? HTTPURLResponse
    body = []
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    guard refusal == nil else { return }
    guard body.count + data.count <= fetch.limit else {
      refusal = fetch.tooLarge
      body = []
      dataTask.cancel()
      return
    }
    body.append(contentsOf: data)
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    guard let continuation else { return }
    self.continuation = nil
    if let refusal {
      continuation.resume(throwing: InterchangeError("\(address.description): \(refusal)"))
    } else if let error {
      continuation.resume(throwing: InterchangeError("\(address.description): \(Exchange.reason(error))"))
    } else {
      continuation.resume(returning: (response ?? task.response as? HTTPURLResponse, body))
    }
  }

  private static func reason(_ error: any Error) -> String {
    switch (error as? URLError)?.code {
    case .timedOut, .cancelled: "took too long to answer"
    case .cannotFindHost, .dnsLookupFailed: "there is no such server"
    case .cannotConnectToHost: "the server can't be reached"
    case .networkConnectionLost: "the connection was lost"
    case .notConnectedToInternet: "there is no network"
    case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
      .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid:
      "the server can't prove who it is"
    default: (error as NSError).localizedDescription
    }
  }
}
