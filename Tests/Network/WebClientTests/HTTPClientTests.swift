import FencepostTestSupport
import FencepostWebClient
import Testing

@Suite("An HTTP client")
struct HTTPClientTests {
  private typealias Response = LoopbackServer.Response

  @Test("The client returns the server's response, with any status", arguments: [200, 304, 404, 503])
  func answers(status: Int) throws {
    let server = try LoopbackServer { _ in
      Response(
        status: status,
        headers: ["ETag": "\"a\"", "Last-Modified": "Fri, 01 May 2026 00:00:00 GMT", "Retry-After": "7"],
        body: status == 304 ? [] : Array("text".utf8))
    }
    var request = HTTPClient.Request(url: server.address("/a?b=c"), headers: ["X-Word: said"])
    request.limit = 4
    let response = try HTTPClient().send(request)
    #expect(response.status == status && response.entityTag == "\"a\"" && response.retryAfter == 7)
    #expect(response.lastModified == "Fri, 01 May 2026 00:00:00 GMT")
    #expect(response.body == (status == 304 ? [] : Array("text".utf8)))
    #expect(server.requests.map(\.method) == ["GET"] && server.requests.map(\.path) == ["/a?b=c"])
    #expect(server.requests.first?.headers["x-word"] == "said")
  }

  @Test("A body makes the request a POST, even an empty one, and a client handles several requests")
  func posts() throws {
    let server = try LoopbackServer { _ in Response(status: 204) }
    let client = try HTTPClient()
    for body in [Array("{}".utf8), [], nil] {
      _ = try client.send(HTTPClient.Request(url: server.address("/"), body: body))
    }
    #expect(server.requests.map(\.method) == ["POST", "POST", "GET"])
    #expect(server.requests.map { $0.headers["content-length"] } == ["2", "0", nil])
  }

  @Test("A response above the limit is a failure, and its bytes are not kept")
  func tooLarge() throws {
    let server = try LoopbackServer { _ in
      Response(body: [UInt8](repeating: 0x20, count: 65_536), times: 1_024)
    }
    var request = HTTPClient.Request(url: server.address("/"))
    request.limit = 1 << 20
    let failure = #expect(throws: HTTPClient.Failure.self) { try HTTPClient().send(request) }
    #expect(failure?.description == "is larger than the limit of 1 MB")
  }

  @Test("A redirection is followed if the request allows it, otherwise returned", arguments: [true, false])
  func redirects(isFollowed: Bool) throws {
    let server = try LoopbackServer { request in
      request.path == "/new"
        ? .text("there") : Response(status: 302, headers: ["Location": "/new"])
    }
    var request = HTTPClient.Request(url: server.address("/old"))
    request.followsRedirects = isFollowed
    request.limit = 100
    let response = try HTTPClient().send(request)
    #expect(response.status == (isFollowed ? 200 : 302))
    #expect(response.location == (isFollowed ? nil : server.address("/new")))
    #expect(server.requests.map(\.path) == (isFollowed ? ["/old", "/new"] : ["/old"]))
  }

  @Test("Endless redirections, and those to unsupported addresses, are failures")
  func badRedirects() throws {
    let server = try LoopbackServer { request in
      Response(status: 302, headers: ["Location": request.path == "/file" ? "file:///etc/passwd" : "/again"])
    }
    for path in ["/again", "/file"] {
      var request = HTTPClient.Request(url: server.address(path))
      request.followsRedirects = true
      let failure = #expect(throws: HTTPClient.Failure.self) { try HTTPClient().send(request) }
      #expect(failure?.description == "redirected too often or to an unsupported address")
    }
    #expect(server.requests.count == 12)
  }

  @Test("A silent server and a lost connection are failures with a message")
  func silent() throws {
    let slow = try LoopbackServer { _ in Response(delay: 2) }
    var request = HTTPClient.Request(url: slow.address("/"))
    request.timeout = 0.2
    let late = #expect(throws: HTTPClient.Failure.self) { try HTTPClient().send(request) }
    #expect(late?.description == "the request timed out")
    let short = try LoopbackServer { _ in Response(body: [1, 2, 3], saidLength: 10) }
    let lost = #expect(throws: HTTPClient.Failure.self) {
      try HTTPClient().send(HTTPClient.Request(url: short.address("/")))
    }
    #expect(lost?.description == "the connection was lost")
  }
}
