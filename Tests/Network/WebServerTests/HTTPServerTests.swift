import FencepostTestSupport
import FencepostWebClient
import Foundation
import Synchronization
import Testing

@testable import FencepostWebServer

/// A site below a path, which admits requests with the token.
private struct TestGate: HTTPGate {
  var prefix: String
  var bodyLimit = 1_000
  var tooLarge: HTTPResponse { .refusal(413, "too large") }

  func claims(_ head: HTTPHead) -> Bool { head.path.hasPrefix(prefix) }

  func admit(_ head: HTTPHead) -> HTTPAdmission {
    switch head.credentials.bearer {
    case "right": .admitted(Principal(name: "ann", way: .client, rights: [.read]))
    case nil: .refused(.refusal(401, "missing"))
    default: .wrongSecret(.refusal(401, "wrong"))
    }
  }
}

/// A server with two sites: `/a` echoes the request, `/events` is a stream.
private final class TestServer {
  let server: HTTPServer
  final class Streams: Sendable { let all = Mutex<[HTTPEventStream]>([]) }
  private let open = Streams()
  var streams: [HTTPEventStream] { open.all.withLock { $0 } }
  private let workers: [HTTPWorkers]
  var port: UInt16 { server.port }

  init(
    on listener: consuming HTTPListener? = nil, limits: HTTPServer.Limits = .init(),
    certificate: HTTPCertificate? = nil
  ) throws {
    let echo = try HTTPSite(TestGate(prefix: "/a"))
    let events = try HTTPSite(TestGate(prefix: "/events"))
    server = try HTTPServer(
      listener ?? HTTPListener(host: "127.0.0.1", port: 0), certificate: certificate, sites: [echo, events],
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
  /// Few connections, which stay open for long.
  private static let few = {
    var limits = HTTPServer.Limits()
    limits.connections = 16
    limits.idleSeconds = 300
    limits.timeout = .seconds(300)
    return limits
  }()

  @Test("Connections that send nothing lock nobody out, on this machine either")
  func silentConnections() throws {
    let server = try TestServer(limits: Self.few)
    let silent = try (0..<40).map { number in
      let probe = try HTTPProbe(port: server.port)
      if number.isMultiple(of: 2) { probe.send("GET /a HTTP/1.1\r\n") }
      return probe
    }
    // The probe fails after half a minute without an answer.
    let answer = try HTTPProbe.ask(server.port, "GET", "/a", headers: ["Authorization: Bearer right"])
    #expect(answer.hasPrefix("200"))
    withExtendedLifetime(silent) {}
  }

  @Test("Nor do they if event streams have most of the connections")
  func silentBesideStreams() throws {
    let server = try TestServer(limits: Self.few)
    let pages = try (0..<10).map { _ in
      let probe = try HTTPProbe(port: server.port)
      probe.send("GET /events HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer right\r\n\r\n")
      #expect(probe.read(until: "\r\n\r\n").hasPrefix("HTTP/1.1 200"))
      return probe
    }
    let silent = try (0..<12).map { _ in try HTTPProbe(port: server.port) }
    #expect(try HTTPProbe.ask(server.port, "GET", "/a", headers: Self.token).hasPrefix("200"))
    withExtendedLifetime((pages, silent)) {}
  }

  @Test(
    "A request whose end others may see elsewhere is refused, and its connection ends",
    arguments: [
      "Content-Length: 1\r\nContent-Length: 1", "Content-Length: 1\r\nContent-Length: 30",
      "Content-Length: 1, 1", "Content-Length: +1", "Content-Length: 0x1",
      "Content-Length: 1\r\nTransfer-Encoding: chunked", "Transfer-Encoding: chunked\r\nContent-Length: 1",
      "Transfer-Encoding: gzip, chunked", "Transfer-Encoding: identity", "Content-Length : 1",
      "Transfer-Encoding : chunked",
    ])
  func framing(headers: String) throws {
    let server = try TestServer()
    let probe = try HTTPProbe(port: server.port)
    probe.send(
      "POST /a HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer right\r\n\(headers)\r\n\r\n"
        + "xGET /a/second HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer right\r\n\r\n")
    let answer = probe.rest()
    #expect(answer.hasPrefix("HTTP/1.1 400"), "\(answer)")
    #expect(!answer.contains("second") && !answer.contains("HTTP/1.1 200"))
  }

  @Test("A compressed body is refused, not read as it is")
  func compressed() throws {
    let server = try TestServer()
    let headers = Self.token + ["Content-Encoding: gzip"]
    #expect(try HTTPProbe.ask(server.port, "POST", "/a", headers: headers, body: "x").hasPrefix("415"))
  }

  @Test("A client that sends very much in a moment is asked to wait, and others are not")
  func quota() throws {
    var limits = HTTPServer.Limits()
    (limits.clientBytes, limits.clientByteRate) = (1_500, 0.001)
    let server = try TestServer(limits: limits)
    func send() throws -> String {
      let body = String(repeating: "x", count: 900)
      return String(try HTTPProbe.ask(server.port, "POST", "/a", headers: Self.token, body: body).prefix(3))
    }
    #expect(try [send(), send(), send()] == ["200", "200", "429"])
    #expect(try HTTPProbe.ask(server.port, "GET", "/a", headers: Self.token).hasPrefix("200"))
  }

  @Test("A secret in the query counts only where phones need it")
  func tokenInQuery() {
    let head = HTTPHead(method: "GET", rawPath: "/a", query: [.init(name: "token", value: "right")])
    #expect(head.credentials.isEmpty && head.phoneCredentials.token == "right")
  }

  @Test("A target may be a whole address, as clients of proxies send it")
  func absoluteTargets() throws {
    let server = try TestServer()
    #expect(
      try HTTPProbe.ask(server.port, "GET", "http://example.org:81/a/b?c=1", headers: Self.token)
        == #"200 ann GET ["a", "b"] c=1 0"#)
  }

  @Test("A request whose sender has closed the connection is not worked on, unless it changes something")
  func abandoned() throws {
    let gate = DispatchSemaphore(value: 0)
    let answered = Mutex<[String]>([])
    let site = try HTTPSite(TestGate(prefix: "/a"))
    let server = try HTTPServer(HTTPListener(host: "127.0.0.1", port: 0), sites: [site])
    let workers = try HTTPWorkers(1, for: site.queue) { request in
      answered.withLock { $0.append("\(request.head.method) \(request.head.path)") }
      if request.head.path == "/a/first" { gate.wait() }
      return .refusal(200, "done")
    }
    func send(_ line: String) throws -> HTTPProbe {
      let probe = try HTTPProbe(port: server.port)
      probe.send("\(line) HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer right\r\nContent-Length: 0\r\n\r\n")
      return probe
    }
    let first = try send("GET /a/first")
    #expect(eventually { answered.withLock { !$0.isEmpty } })
    do {
      let gone = [try send("GET /a/gone"), try send("POST /a/kept")]
      #expect(eventually { server.waitingCount == 3 })
      withExtendedLifetime(gone) {}
    }
    gate.signal()
    #expect(first.read(until: "done").contains("200"))
    #expect(try HTTPProbe.ask(server.port, "GET", "/a/last", headers: Self.token).hasPrefix("200"))
    #expect(answered.withLock(\.self).sorted() == ["GET /a/first", "GET /a/last", "POST /a/kept"])
    withExtendedLifetime(workers) {}
  }

  private static let token = ["Authorization: Bearer right"]

  @Test(
    "A request goes to the first site that claims its path, after its gate admits it",
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

  @Test("Each of many simultaneous requests gets its own response")
  func many() throws {
    let server = try TestServer()
    let wrong = Mutex(0)
    DispatchQueue.concurrentPerform(iterations: 100) { index in
      let answer = try? HTTPProbe.ask(server.port, "GET", "/a?n=\(index)", headers: Self.token)
      if answer != #"200 ann GET ["a"] n=\#(index) 0"# { wrong.withLock { $0 += 1 } }
    }
    #expect(wrong.withLock { $0 } == 0)
  }

  @Test("Events arrive when they are sent, and a closed page is detected")
  func events() throws {
    var limits = HTTPServer.Limits()
    limits.heartbeat = .seconds(3_600)
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

  @Test("The next server gets the socket, and what has begun is still answered")
  func handOver() throws {
    let old = try TestServer()
    let late = try HTTPProbe(port: old.port)
    #expect(eventually { !old.server.isIdle })
    late.send("GET /a/late HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer right\r\n")
    guard let listener = old.server.handOver() else {
      Issue.record("there is no socket")
      return
    }
    let next = try TestServer(on: listener)
    #expect(next.port == old.port)
    #expect(try HTTPProbe.ask(next.port, "GET", "/a/new", headers: Self.token).contains("new"))
    #expect(!old.server.isIdle)
    late.send("\r\n")
    // The answer ends the connection, so that the next request goes to the next server.
    let answer = late.rest()
    #expect(answer.contains("late") && answer.contains("Connection: close"))
    #expect(eventually { old.server.isIdle })
  }

  @Test("A connection that waits for another request ends when the next server gets the socket")
  func idleConnectionEnds() throws {
    let old = try TestServer()
    let idle = try HTTPProbe(port: old.port)
    idle.send("GET /a/first HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer right\r\n\r\n")
    #expect(idle.read(until: "first").hasPrefix("HTTP/1.1 200"))
    #expect(eventually { old.server.isIdle })
    _ = old.server.handOver()
    #expect(idle.ends())
  }

  @Test("A server can end while pages are open and requests wait")
  func end() throws {
    var server: TestServer? = try TestServer()
    let port = try #require(server?.port)
    let probe = try HTTPProbe(port: port)
    probe.send("GET /events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer right\r\n\r\n")
    // The page is open when its first comment has arrived.
    #expect(probe.read(until: ":\n\n").hasPrefix("HTTP/1.1 200"))
    #expect(server?.streams.count == 1)
    server = nil
    // The stream ends, and so does the connection.
    #expect(probe.ends())
  }

  @Test("An invalid certificate is an error")
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
    "A cookie is found by its name",
    arguments: [
      ("fp=abc", "abc"), ("a=1; fp=abc; b=2", "abc"), ("xfp=1; fp=a=b", "a=b"), ("afp=1", nil), ("fp", nil),
    ])
  func cookies(header: String, value: String?) {
    #expect(HTTPHead(method: "GET", rawPath: "/", headers: ["cookie": header]).cookie("fp") == value)
  }
}
