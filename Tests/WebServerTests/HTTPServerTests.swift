import Foundation
import Synchronization
import TestSupport
import Testing

@testable import WebServer

/// A site below a path, which lets in who knows the token.
private struct TestGate: HTTPGate {
  var prefix: String
  var bodyLimit = 1_000
  var tooLarge: HTTPResponse { .refusal(413, "too large") }

  func claims(_ path: String) -> Bool { path.hasPrefix(prefix) }

  func admit(_ head: HTTPHead) -> HTTPAdmission {
    switch head.credentials.bearer {
    case "right": .admitted(Principal(name: "ann", way: .client, rights: [.read]))
    case nil: .refused(.refusal(401, "missing"))
    default: .wrongSecret(.refusal(401, "wrong"))
    }
  }
}

/// Two sites of one server: `/a` answers what was asked, `/events` is a stream.
private final class TestServer {
  let server: HTTPServer
  final class Streams: Sendable { let all = Mutex<[HTTPEventStream]>([]) }
  private let open = Streams()
  var streams: [HTTPEventStream] { open.all.withLock { $0 } }
  private let workers: [HTTPWorkers]
  var port: UInt16 { server.port }

  init(limits: HTTPServer.Limits = .init(), certificate: HTTPCertificate? = nil) throws {
    let echo = try HTTPSite(TestGate(prefix: "/a"))
    let events = try HTTPSite(TestGate(prefix: "/events"))
    server = try HTTPServer(
      HTTPListener(host: "127.0.0.1", port: 0), certificate: certificate, sites: [echo, events],
      limits: limits)
    workers = [
      try HTTPWorkers(2, for: echo.queue) { request in
        let head = request.head
        let fields = head.query.map { "\($0.name)=\($0.value)" }.joined(separator: ",")
        return .refusal(
          200,
          "\(request.principal?.name ?? "-") \(head.method) \(head.segments) \(fields) \(request.body.count)")
      },
      try HTTPWorkers(1, for: events.queue) { [open] _ in
        let stream = HTTPEventStream()
        open.all.withLock { $0.append(stream) }
        return HTTPResponse(events: stream)
      },
    ]
  }
}

extension TestServer: @unchecked Sendable {}

@Suite("The server")
struct HTTPServerTests {
  private static let token = ["Authorization: Bearer right"]

  @Test(
    "A request goes to the first site that claims its path, once its gate lets it in",
    arguments: [
      ("GET", "/a/b%2Fc/d%20e?x=1&y=a+b%26", token, "", #"200 ann GET ["a", "b/c", "d e"] x=1,y=a b& 0"#),
      ("PROPFIND", "/a", token, "12345", #"200 ann PROPFIND ["a"]  5"#),
      ("GET", "/elsewhere", token, "", "404 nothing is here"),
      ("GET", "/a", [], "", "401 missing"),
      ("GET", "/a", ["Authorization: Bearer left"], "", "401 wrong"),
      ("PUT", "/a", token, String(repeating: "x", count: 1_001), "413 too large"),
      ("PUT", "/a", token, String(repeating: "x", count: 1_000), #"200 ann PUT ["a"]  1000"#),
    ])
  func sites(method: String, target: String, headers: [String], body: String, answer: String) throws {
    let server = try TestServer()
    #expect(try HTTPProbe.ask(server.port, method, target, headers: headers, body: body) == answer)
  }

  @Test("Each of many requests at once gets its own answer")
  func many() throws {
    let server = try TestServer()
    let wrong = Mutex(0)
    DispatchQueue.concurrentPerform(iterations: 100) { index in
      let answer = try? HTTPProbe.ask(server.port, "GET", "/a?n=\(index)", headers: Self.token)
      if answer != #"200 ann GET ["a"] n=\#(index) 0"# { wrong.withLock { $0 += 1 } }
    }
    #expect(wrong.withLock { $0 } == 0)
  }

  @Test("Events arrive as they are sent, and a page that went away is noticed")
  func events() throws {
    var limits = HTTPServer.Limits()
    limits.heartbeat = .milliseconds(20)
    let server = try TestServer(limits: limits)
    var probe: HTTPProbe? = try HTTPProbe(port: server.port)
    probe?.send("GET /events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer right\r\n\r\n")
    #expect(eventually { !server.streams.isEmpty })
    let stream = try #require(server.streams.first)
    stream.send("change", data: "{\"n\":1}", id: "7")
    #expect(probe?.read(until: "data: {\"n\":1}\n\n").contains("id: 7\nevent: change\n") == true)
    stream.send("change", data: "2")
    #expect(probe?.read(until: "data: 2\n\n").isEmpty == false)
    probe = nil
    #expect(eventually { stream.isClosed })
  }

  @Test("A server ends while pages listen and requests wait")
  func end() throws {
    var server: TestServer? = try TestServer()
    let port = try #require(server?.port)
    let probe = try HTTPProbe(port: port)
    probe.send("GET /events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer right\r\n\r\n")
    #expect(eventually { server?.streams.isEmpty == false })
    server = nil
    // The stream ends, and so does the connection.
    #expect(probe.rest().hasPrefix("HTTP/1.1 200"))
  }

  @Test("A certificate that is none is a failure that says so")
  func certificate() throws {
    let failure = #expect(throws: (any Error).self) {
      _ = try TestServer(certificate: HTTPCertificate(chain: "no", key: "no"))
    }
    #expect("\(try #require(failure))".contains("the certificate or its key is not usable"))
  }
}

@Suite("Heads of requests")
struct HTTPHeadTests {
  @Test(
    "Percent signs are resolved once, and what is no escape stays",
    arguments: [
      ("%20", " "), ("a+b", "a+b"), ("%2", "%2"), ("%zz", "%zz"), ("%2525", "%25"), ("%C3%A4", "ä"),
    ])
  func percent(encoded: String, decoded: String) { #expect(PercentCoding.decode(encoded) == decoded) }

  @Test("What is encoded is decoded to itself")
  func roundTrip() {
    for text in ["", "a b", "ä/ö?&=#%+", "\u{0}\r\n"] {
      #expect(PercentCoding.decode(PercentCoding.encode(text)) == text)
    }
  }

  @Test(
    "A cookie is found by its name",
    arguments: [
      ("fp=abc", "abc"), ("a=1; fp=abc; b=2", "abc"), ("xfp=1; fp=a=b", "a=b"), ("afp=1", nil), ("fp", nil),
    ])
  func cookies(header: String, value: String?) {
    #expect(HTTPHead(method: "GET", rawPath: "/", headers: ["cookie": header]).cookie("fp") == value)
  }
}
