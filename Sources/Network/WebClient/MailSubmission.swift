import CFencepostCurl

/// Gives mails to a mail server (SMTP, RFC 5321 and 6409), which sends them on. libcurl connects, checks the
/// certificate and signs in.
public enum MailSubmission {
  /// A server and a user.
  public struct Server: Hashable, Sendable {
    /// The address, `smtps://HOST:PORT` or `smtp://HOST:PORT`.
    public var url: String
    /// The user; `nil` for a server that asks for none.
    public var user: String?
    /// The password of the user.
    public var password: String?
    /// A file with the certificates of trusted authorities; `nil` for the system's.
    public var authorities: String?
    /// Whether nothing may be said without TLS.
    public var needsTLS: Bool

    /// A server.
    public init(url: String, user: String?, password: String?, authorities: String?, needsTLS: Bool) {
      self.url = url
      self.user = user
      self.password = password
      self.authorities = authorities
      self.needsTLS = needsTLS
    }
  }

  /// Why a server did not take a mail.
  public struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reason, on one line.
    public var description: String
    /// Whether the server refuses it for good (a reply of 500 or more).
    public var isFinal: Bool
    /// Whether the mail may have arrived: the text was sent, and no answer came.
    public var mayHaveArrived: Bool
  }

  /// Sends a mail, and waits for the server's answer.
  ///
  /// - Parameters:
  ///   - message: The whole message, with CRLF line ends.
  ///   - sender: The address of the sender.
  ///   - recipients: The addresses of the recipients; all must be accepted.
  ///   - server: The server.
  ///   - helo: The name of this machine.
  ///   - timeout: The most seconds that this may take.
  ///   - begin: Called once, when the server has accepted the recipients and asks for the text. False stops it.
  public static func send(
    _ message: [UInt8], from sender: String, to recipients: [String], by server: Server, helo: String,
    timeout: Double = 60, begin: @escaping () -> Bool
  ) throws(Failure) {
    guard HTTPClient.isReady, let handle = curl_easy_init() else {
      throw Failure(description: "out of memory", isFinal: false, mayHaveArrived: false)
    }
    defer { curl_easy_cleanup(handle) }
    ccurl_set_text(handle, CURLOPT_URL, "\(server.url)/\(helo)")
    ccurl_set_text(handle, CURLOPT_PROTOCOLS_STR, "smtps,smtp")
    if let user = server.user { ccurl_set_text(handle, CURLOPT_USERNAME, user) }
    if let password = server.password { ccurl_set_text(handle, CURLOPT_PASSWORD, password) }
    if let authorities = server.authorities { ccurl_set_text(handle, CURLOPT_CAINFO, authorities) }
    ccurl_set_number(handle, CURLOPT_USE_SSL, server.needsTLS ? ccurl_all_tls() : ccurl_no_tls())
    ccurl_set_text(
      handle, CURLOPT_NOPROXY, HTTPClient.hostsWithoutProxy(besides: HTTPClient.variable("no_proxy")))
    ccurl_set_number(handle, CURLOPT_NOSIGNAL, 1)
    ccurl_set_number(handle, CURLOPT_CONNECTTIMEOUT_MS, Int(min(timeout, 15) * 1_000))
    ccurl_set_number(handle, CURLOPT_TIMEOUT_MS, Int(timeout * 1_000))
    ccurl_set_text(handle, CURLOPT_MAIL_FROM, "<\(sender)>")
    var list: UnsafeMutablePointer<curl_slist>?
    for recipient in recipients { list = curl_slist_append(list, "<\(recipient)>") }
    defer { curl_slist_free_all(list) }
    ccurl_set_recipients(handle, list)
    ccurl_set_number(handle, CURLOPT_UPLOAD, 1)
    let upload = Upload(message, begin)
    ccurl_set_bytes(handle, CURLOPT_READDATA, Unmanaged.passUnretained(upload).toOpaque())
    ccurl_set_reader(handle) { buffer, size, count, upload in
      guard let buffer, let upload else { return 0 }
      return Unmanaged<Upload>.fromOpaque(upload).takeUnretainedValue()
        .read(UnsafeMutableRawBufferPointer(start: buffer, count: size * count))
    }
    var explanation = [CChar](repeating: 0, count: Int(CURL_ERROR_SIZE))
    let code = withExtendedLifetime(upload) {
      explanation.withUnsafeMutableBufferPointer { text in
        ccurl_set_bytes(handle, CURLOPT_ERRORBUFFER, text.baseAddress)
        defer { ccurl_set_bytes(handle, CURLOPT_ERRORBUFFER, nil) }
        return curl_easy_perform(handle)
      }
    }
    guard code != CURLE_OK else { return }
    let reply = ccurl_number(handle, CURLINFO_RESPONSE_CODE)
    let isRefused = (400..<600).contains(reply)
    var reason = upload.isStopped ? "stopped" : HTTPClient.reason(code, explanation)
    if isRefused, !reason.contains("\(reply)") { reason += " (\(reply))" }
    throw Failure(
      description: reason, isFinal: reply >= 500 && code != CURLE_LOGIN_DENIED,
      mayHaveArrived: upload.hasBegun && !isRefused)
  }

  /// The text on its way.
  private final class Upload {
    private let message: [UInt8]
    private let begin: () -> Bool
    private var sent = 0
    private(set) var hasBegun = false
    private(set) var isStopped = false

    init(_ message: [UInt8], _ begin: @escaping () -> Bool) {
      self.message = message
      self.begin = begin
    }

    func read(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
      if !hasBegun {
        guard begin() else {
          isStopped = true
          return ccurl_read_abort()
        }
        hasBegun = true
      }
      let count = min(buffer.count, message.count - sent)
      message[sent..<sent + count].withUnsafeBytes {
        buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[..<count]))
      }
      sent += count
      return count
    }
  }
}
