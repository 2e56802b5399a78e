import FencepostSystem
import FencepostWebServer
import Glibc

/// Waits for the browser that brings the code of a sign-in (RFC 8252, section 7.3): a server at 127.0.0.1
/// alone, for one answer.
final class RedirectReceiver {
  /// The address that the browser is sent to.
  let address: String
  private let server: HTTPServer
  private let site: HTTPSite

  /// Listens at a free port.
  ///
  /// - Throws: ``SystemFailure`` if that is not possible.
  init() throws {
    let listener = try HTTPListener(host: "127.0.0.1", port: 0)
    let place = "127.0.0.1:\(listener.port)"
    address = "http://\(place)/"
    site = try HTTPSite(RedirectGate(host: place))
    var limits = HTTPServer.Limits()
    limits.connections = 32
    limits.trustsProxy = false
    server = try HTTPServer(listener, sites: [site], limits: limits)
  }

  /// Waits for the answer to a request. Answers to anything else are refused, and do not end the wait.
  ///
  /// - Parameter seconds: The longest time to wait.
  /// - Returns: The code.
  /// - Throws: ``OAuthFailure`` if the user or the server said no, or the time is over.
  func wait(for request: CodeRequest, seconds: Double) throws -> String {
    let end = try Ticker(every: seconds)
    while true {
      let exchanges = site.queue.next(stop: end.descriptor)
      guard !exchanges.isEmpty else {
        throw OAuthFailure(.expired, "the sign-in was not completed in time; try again")
      }
      for exchange in exchanges {
        guard let query = exchange.request?.head.query else { continue }
        do throws(OAuthFailure) {
          guard let code = try request.code(in: query) else {
            exchange.answer(Self.page(400, "This is not the answer to a sign-in."))
            continue
          }
          exchange.answer(Self.page(200, "Fencepost has the answer. You can close this page."))
          finish()
          return code
        } catch {
          exchange.answer(Self.page(200, "The sign-in has failed. You can close this page."))
          finish()
          throw error
        }
      }
    }
  }

  /// Lets the browser have its page, for at most two seconds.
  private func finish() {
    let deadline = ContinuousClock.now + .seconds(2)
    while !server.isIdle, ContinuousClock.now < deadline { usleep(10_000) }
  }

  private static func page(_ status: UInt32, _ text: String) -> HTTPResponse {
    .refusal(status, text, headers: RedirectGate.headers)
  }
}

/// Admits what a browser does when a server sends it to ``RedirectReceiver/address``, and no requests of
/// pages.
private struct RedirectGate: HTTPGate {
  /// The own host and port.
  let host: String

  /// Nothing may keep or pass on an address with a code.
  static let headers = [
    "Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
  ]

  let bodyLimit = 0
  var tooLarge: HTTPResponse { Self.refusal }

  private static let refusal = HTTPResponse.refusal(404, "not found", headers: headers)

  func claims(_ head: HTTPHead) -> Bool { true }

  func admit(_ head: HTTPHead) -> HTTPAdmission {
    // A page's own requests have an origin or another mode. A foreign name for this machine shows in the
    // host.
    let isNavigation =
      head.headers["origin"] == nil && head.headers["sec-fetch-mode"] ?? "navigate" == "navigate"
      && head.headers["sec-fetch-dest"] ?? "document" == "document"
    guard head.method == "GET", head.rawPath == "/", head.headers["host"] == host, isNavigation else {
      return .refused(Self.refusal)
    }
    return .admitted(nil)
  }
}
