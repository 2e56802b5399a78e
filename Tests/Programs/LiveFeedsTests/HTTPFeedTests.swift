import FencepostCalendarModel
import FencepostSystem
import FencepostTestSupport
import FencepostWebServer
import Foundation
import Synchronization
import Testing

@testable import FencepostLiveFeeds

/// An open feed over HTTP, which ends with the object like in a daemon.
private final class OpenFeed {
  let harness: FeedHarness
  let port: UInt16

  init(
    _ address: String = "http://127.0.0.1:0", limits: HTTPServer.Limits = .init(), bodyLimit: Int = 4 << 20
  )
    throws
  {
    guard case .http(let parts) = try FeedAddress(address) else {
      throw Counterpart.Failure(description: "no HTTP")
    }
    harness = try FeedHarness(.http(parts))
    let ready = DispatchSemaphore(value: 0)
    let found = Mutex<UInt16>(0)
    let stop = harness.stopDescriptor
    harness.run {
      HTTPFeed(parts, limits: limits, bodyLimit: bodyLimit, interruptedBy: stop) { port in
        found.withLock { $0 = port }
        ready.signal()
      }
    }
    guard ready.wait(timeout: .now() + 30) == .success else {
      throw Counterpart.Failure(description: "the feed did not open: \(harness.failures)")
    }
    port = found.withLock { $0 }
  }

  /// Ends the feed, and waits for its end.
  func end() {
    harness.stop()
    #expect(eventually { harness.hasEnded })
  }

  deinit { end() }
}

@Suite("Positions over HTTP")
struct HTTPFeedTests {
  static let ownTracks = #"{"_type":"location","lat":52.5,"lon":13.4,"tst":1777622400,"acc":5,"tid":"ph"}"#

  @Test(
    "Each app's format is read, and gets the response that the app expects",
    arguments: [
      (
        "POST", "/pub", ["X-Limit-U: ann", "X-Limit-D: phone"], ownTracks, "200 []",
        ["ann/phone 1777622400 52.5,13.4"]
      ),
      ("POST", "/pub?u=ann&d=phone", [], ownTracks, "200 []", ["ann/phone 1777622400 52.5,13.4"]),
      ("POST", "/", ["X-Limit-D: phone"], ownTracks, "200 []", ["phone 1777622400 52.5,13.4"]),
      ("POST", "/", [], ownTracks, "200 []", ["ph 1777622400 52.5,13.4"]),
      ("POST", "/pub", [], "", "200 []", []),
      ("POST", "/", [], #"{"_type":"lwt","tst":1}"#, "200 []", []),
      (
        "POST", "/overland", ["Content-Type: application/json"],
        #"{"locations":[{"type":"Feature","geometry":{"type":"Point","coordinates":[13.4,52.5]},"properties":{"timestamp":"2026-05-01T08:00:00Z","horizontal_accuracy":5,"device_id":"pad"}},{"type":"Feature","geometry":null,"properties":{"timestamp":"2026-05-01T08:00:00Z","action":"visit"}}]}"#,
        #"200 {"result":"ok"}"#, ["pad 1777622400 52.5,13.4"]
      ),
      (
        "GET", "/?id=12&lat=52.5&lon=13.4&timestamp=1777622400&hdop=1.5&speed=3.2&bearing=90", [], "", "200",
        ["12 1777622400 52.5,13.4"]
      ),
      (
        "POST", "/?id=12&lat=52.5&lon=13.4&timestamp=2026-05-01T10:00:00%2B02:00", [], "", "200",
        ["12 1777622400 52.5,13.4"]
      ),
      (
        "POST", "/", ["Content-Type: application/x-www-form-urlencoded"],
        "id=my%20phone&lat=52.5&lon=13.4&timestamp=1777622400000", "200", ["my phone 1777622400 52.5,13.4"]
      ),
      (
        "POST", "/", ["Content-Type: application/json"],
        #"{"location":{"timestamp":"2026-05-01T08:00:00.000Z","coords":{"latitude":52.5,"longitude":13.4,"accuracy":3}},"device_id":"77"}"#,
        "200", ["77 1777622400 52.5,13.4"]
      ),
    ])
  func phones(
    method: String, target: String, headers: [String], body: String, answer: String, fixes: [String]
  ) throws {
    let feed = try OpenFeed(Self.address(for: method))
    let headers = headers + Self.secret(for: method)
    #expect(try HTTPProbe.ask(feed.port, method, target, headers: headers, body: body) == answer)
    #expect(feed.harness.fixes == fixes)
    #expect(feed.harness.status.current.state == .open && feed.harness.status.current.fixes == fixes.count)
  }

  /// A feed that accepts `method`: without a secret, only POST works.
  private static func address(for method: String) -> String {
    method == "GET" ? "http://127.0.0.1:0?token=t" : "http://127.0.0.1:0"
  }

  private static func secret(for method: String) -> [String] {
    method == "GET" ? ["Authorization: Bearer t"] : []
  }

  @Test(
    "Invalid positions are rejected with a reason",
    arguments: [
      ("POST", "/", "hello", "400 this is not JSON, or it is truncated"),
      ("POST", "/", #"{"_type":"location","lat":52.5"#, "400 this is not JSON, or it is truncated"),
      ("GET", "/", "", "400 the field 'id' is missing"),
      ("GET", "/?id=1&lat=north&lon=2", "", "400 the field 'lat' is not a valid number"),
      ("GET", "/?id=1&lat=1&lon=2&timestamp=noon", "", "400 the field 'timestamp' is not a valid time"),
      ("PUT", "/", ownTracks, "405 use POST"),
      ("DELETE", "/", "", "405 use POST"),
    ])
  func refused(method: String, target: String, body: String, answer: String) throws {
    let feed = try OpenFeed(Self.address(for: method))
    let headers = Self.secret(for: method)
    #expect(try HTTPProbe.ask(feed.port, method, target, headers: headers, body: body) == answer)
    #expect(feed.harness.fixes.isEmpty)
  }

  @Test(
    "An invalid device name is rejected",
    arguments: [
      (String(repeating: "x", count: 255), true), (String(repeating: "x", count: 256), false),
      (String(repeating: "x", count: 3_000_000), false), ("a%01b", false), ("a%C2%85b", false),
      ("%00", false),
      ("my%20phone", true),
    ])
  func names(name: String, isName: Bool) throws {
    let feed = try OpenFeed()
    let fields = "id=\(name)&lat=1&lon=2&timestamp=1777622400"
    let answer = try HTTPProbe.ask(
      feed.port, headers: ["Content-Type: application/x-www-form-urlencoded"], body: fields)
    #expect(answer.hasPrefix(isName ? "200" : "400 a device name has at most 255 bytes"))
    #expect(feed.harness.fixes.count == (isName ? 1 : 0))
  }

  @Test("If the address has a path, other paths are not found")
  func path() throws {
    let feed = try OpenFeed("http://127.0.0.1:0/pub")
    #expect(try HTTPProbe.ask(feed.port, "POST", "/pub", body: Self.ownTracks) == "200 []")
    #expect(
      try HTTPProbe.ask(feed.port, "POST", "/", body: Self.ownTracks) == "404 send positions to /pub")
  }

  @Test(
    "A request without the secret is refused before its body is read",
    arguments: [
      ("http://127.0.0.1:0?token=s3cret", "/", [], 401),
      ("http://127.0.0.1:0?token=s3cret", "/?token=wrong", [], 401),
      ("http://127.0.0.1:0?token=s3cret", "/?token=s3cret", [], 200),
      ("http://127.0.0.1:0?token=s3cret", "/", ["Authorization: Bearer s3cret"], 200),
      ("http://127.0.0.1:0?token=s3cret", "/", ["Authorization: bearer  s3cret"], 200),
      ("http://127.0.0.1:0?token=s3cret", "/", ["Authorization: Bearer s3cre"], 401),
      ("http://127.0.0.1:0?token=s3cret", "/", ["Authorization: Basic czNjcmV0"], 401),
      ("http://ann:pass%3Aword@127.0.0.1:0", "/", ["Authorization: Basic YW5uOnBhc3M6d29yZA=="], 200),
      ("http://ann:pass%3Aword@127.0.0.1:0", "/", ["Authorization: Basic YW5uOnBhc3M="], 401),
      ("http://ann:pass%3Aword@127.0.0.1:0", "/", ["Authorization: Basic !"], 401),
      ("http://ann:pass%3Aword@127.0.0.1:0", "/", ["Authorization: Bearer pass:word"], 401),
      ("http://ann:pw@127.0.0.1:0?token=t", "/?token=t", [], 200),
      ("http://ann:pw@127.0.0.1:0?token=t", "/", ["Authorization: Basic YW5uOnB3"], 200),
      // With the right secret, a page in a browser may send.
      ("http://127.0.0.1:0?token=t", "/?token=t", ["Origin: https://example.org"], 200),
      ("http://127.0.0.1:0", "/", ["Origin: https://example.org"], 403),
      ("http://127.0.0.1:0", "/", ["Sec-Fetch-Site: cross-site"], 403),
      ("http://127.0.0.1:0", "/", ["Host: rebound.example:8085"], 403),
      ("http://127.0.0.1:0", "/", ["Host: localhost:8085"], 200),
      ("http://127.0.0.1:0", "/", ["Host: [::1]:8085"], 200),
      ("http://127.0.0.1:0", "/", ["Host: LocalHost.:8085"], 200),
      ("http://127.0.0.1:0", "/", ["Host: 127.1.2.3"], 200),
      ("http://127.0.0.1:0", "/", ["Host: 0.0.0.0:8085"], 403),
      ("http://127.0.0.1:0", "/", ["Host: 0:8085"], 403),
      ("http://127.0.0.1:0", "/", ["Host: 0177.0.0.1"], 403),
      ("http://127.0.0.1:0", "/", ["Host: 127.1"], 403),
      ("http://127.0.0.1:0", "/", ["Host: 192.168.0.1"], 403),
      ("http://127.0.0.1:0", "/", ["Host: [::ffff:127.0.0.1]:8085"], 403),
      ("http://127.0.0.1:0", "/", ["Host: [::]:8085"], 403),
      ("http://127.0.0.1:0", "/", ["Host: [::1"], 403),
      ("http://127.0.0.1:0", "/", ["Host: [::1].example.org"], 403),
      ("http://127.0.0.1:0", "/", ["Host: localhost.example.org"], 403),
      ("http://127.0.0.1:0", "/", ["Host: localhost:8085x"], 403),
      ("http://127.0.0.1:0?token=t", "/?token=t", ["Host: 0.0.0.0:8085"], 200),
    ])
  func secrets(address: String, target: String, headers: [String], status: Int) throws {
    let feed = try OpenFeed(address)
    let answer = try HTTPProbe.ask(feed.port, "POST", target, headers: headers, body: Self.ownTracks)
    #expect(answer.hasPrefix("\(status)"))
    #expect(feed.harness.fixes.count == (status == 200 ? 1 : 0))
    #expect(!feed.harness.log.contains { $0.contains("s3cret") || $0.contains("word") })
  }

  @Test("Without a secret, GET is refused, because any web page can cause it")
  func openGet() throws {
    let target = "/?id=12&lat=52.5&lon=13.4&timestamp=1777622400"
    let open = try OpenFeed()
    for headers in [[], ["Host: 0.0.0.0:8085"]] {
      let answer = try HTTPProbe.ask(open.port, "GET", target, headers: headers)
      #expect(answer.hasPrefix(headers.isEmpty ? "405 use POST; " : "403 "))
    }
    #expect(try HTTPProbe.ask(open.port, "PUT", target) == "405 use POST")
    let closed = try OpenFeed("http://127.0.0.1:0?token=t")
    #expect(try HTTPProbe.ask(closed.port, "GET", target + "&token=t") == "200")
    #expect(
      try HTTPProbe.ask(closed.port, "PUT", target + "&token=t") == "405 use POST or GET")
    #expect(open.harness.fixes.isEmpty && closed.harness.fixes.count == 1)
  }

  @Test(
    "An address that is too long gets an answer at once",
    arguments: [
      (100, 0, true), (101, 0, false), (500, 0, false), (5_000, 0, false), (99, 15_000, true),
      (99, 28_000, false), (1, 16_384, false),
    ])
  func longTarget(fields: Int, filler: Int, isTaken: Bool) throws {
    var limits = HTTPServer.Limits()
    limits.idleSeconds = 3_600
    let feed = try OpenFeed("http://127.0.0.1:0?token=t", limits: limits)
    let position = "id=1&lat=1&lon=2&timestamp=1777622400&token=t"
    let target =
      "/?" + position + (5..<max(fields, 5)).map { "&a\($0)=1" }.joined()
      + String(repeating: "x", count: filler)
    for method in ["GET", "POST"] {
      let answer = try HTTPProbe.ask(feed.port, method, target)
      #expect(answer.hasPrefix(isTaken ? "200" : "414 "), "\(answer)")
    }
    #expect(try HTTPProbe.ask(feed.port, "GET", "/?" + position) == "200")
    #expect(feed.harness.fixes.count == (isTaken ? 3 : 1), "what is refused is not carried out")
  }

  @Test("A feed can end at any time while many clients send")
  func endsUnderLoad() throws {
    let group = DispatchGroup()
    for _ in 0..<25 {
      let feed = try OpenFeed()
      let port = feed.port
      let answers = Mutex<[String: Int]>([:])
      let isOver = Mutex(false)
      for client in 0..<12 {
        group.enter()
        Thread {
          while !isOver.withLock({ $0 }) {
            let body = Self.ownTracks.replacing("1777622400", with: "17776224\(client + 10)")
            guard let answer = try? HTTPProbe.ask(port, body: body) else { break }
            answers.withLock { $0[answer, default: 0] += 1 }
          }
          group.leave()
        }.start()
      }
      #expect(eventually { answers.withLock { $0["200 []", default: 0] } > 20 })
      feed.end()
      isOver.withLock { $0 = true }
      #expect(group.wait(timeout: .now() + 60) == .success)
      // Each was stored and acknowledged, refused for now, or disconnected.
      let known = [
        "200 []", "503 " + String(decoding: HTTPResponse.busy.bytes.dropLast(), as: UTF8.self), "-",
      ]
      #expect(Set(answers.withLock { $0.keys }).isSubset(of: known))
      #expect(feed.harness.failures.isEmpty)
    }
  }

  @Test("A wrong secret counts as many requests, and is logged")
  func guessing() throws {
    var limits = HTTPServer.Limits()
    limits.rate = 0
    limits.burst = 250
    limits.loopbackFactor = 1
    limits.loopbackGuesses = 1
    let feed = try OpenFeed("http://127.0.0.1:0?token=right", limits: limits)
    var statuses: [String] = []
    for _ in 0..<5 {
      statuses.append(String(try HTTPProbe.ask(feed.port, "POST", "/?token=wrong").prefix(3)))
    }
    #expect(statuses == ["401", "401", "401", "429", "429"])
    #expect(
      feed.harness.log.dropFirst() == ["http://127.0.0.1:0: rejected 127.0.0.1: missing or wrong secret"],
      "once an hour")
    #expect(feed.harness.log.first == "http://127.0.0.1:0: listens on port \(feed.port)")
    // The address may be a proxy without X-Forwarded-For, which others use too.
    #expect(try HTTPProbe.ask(feed.port, "POST", "/?token=right") == "200 []")
  }

  @Test("Behind a proxy, wrong secrets block only their sender")
  func guessingThroughProxy() throws {
    var limits = HTTPServer.Limits()
    limits.rate = 0
    limits.burst = 250
    let feed = try OpenFeed("http://127.0.0.1:0?token=right", limits: limits)
    func ask(_ token: String, _ headers: String...) throws -> String {
      String(try HTTPProbe.ask(feed.port, "POST", "/?token=\(token)", headers: headers).prefix(3))
    }
    // The sender can invent all entries before the last, and all earlier headers.
    for number in 0..<5 {
      let forwarded = "X-Forwarded-For: 10.0.0.\(number), 203.0.113.7"
      #expect(
        try ask("wrong", "X-Forwarded-For: 192.0.2.\(number)", forwarded) == (number < 3 ? "401" : "429"))
    }
    #expect(try ask("right", "X-Forwarded-For: 203.0.113.7") == "429")
    #expect(try ask("right", "X-Forwarded-For: 203.0.113.8") == "200")
    #expect(try ask("right", "X-Forwarded-For: 2001:db8::1") == "200")
    #expect(try ask("right", "X-Forwarded-For: unknown") == "200")
    #expect(try ask("right") == "200")
    #expect(feed.harness.log.count == 2)
    #expect(feed.harness.log.last?.hasSuffix(": rejected 203.0.113.7: missing or wrong secret") == true)
  }

  @Test("A body that is too large is refused: at once if its length is given, otherwise at the limit")
  func tooLarge() throws {
    let feed = try OpenFeed(bodyLimit: 1 << 20)
    let large = String(repeating: " ", count: (1 << 20) + 1)
    #expect(
      try HTTPProbe.ask(feed.port, headers: ["Content-Length: 99999999"])
        == "413 more than 1 MiB; send fewer positions at once")
    let chunk = String(large.utf8.count, radix: 16) + "\r\n" + large + "\r\n0\r\n\r\n"
    #expect(
      try HTTPProbe.ask(feed.port, headers: ["Transfer-Encoding: chunked"], body: chunk).hasPrefix("413"))
    #expect(try HTTPProbe.ask(feed.port, body: large.dropLast(200) + Self.ownTracks) == "200 []")
  }

  @Test("A position that can't be stored is refused, so that the sender retries")
  func notKept() throws {
    let feed = try OpenFeed()
    feed.harness.setKeeping(false)
    #expect(
      try HTTPProbe.ask(feed.port, body: Self.ownTracks)
        == "503 the store can't be used for now; send it again later")
    #expect(feed.harness.status.current.fixes == 0)
    feed.harness.setKeeping(true)
    #expect(try HTTPProbe.ask(feed.port, body: Self.ownTracks) == "200 []")
  }

  @Test("A sender of single bytes is disconnected, and does not delay others")
  func slow() throws {
    var limits = HTTPServer.Limits()
    limits.timeout = .milliseconds(300)
    let feed = try OpenFeed(limits: limits)
    let slow = try (0..<8).map { _ in try HTTPProbe(port: feed.port) }
    for probe in slow.prefix(4) { probe.send("POST / HTTP/1.1\r\nHost: 127.0.0.1\r\n") }
    for probe in slow.dropFirst(4) {
      probe.send("POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\n{")
    }
    #expect(try HTTPProbe.ask(feed.port, body: Self.ownTracks) == "200 []")
    for probe in slow {
      #expect(
        eventually {
          // Send a byte of a header or a body until the connection ends.
          !probe.send("X") || !probe.send("X")
        })
    }
    #expect(try HTTPProbe.ask(feed.port, body: Self.ownTracks) == "200 []")
    #expect(feed.harness.fixes.count == 2)
  }

  @Test("A connection can send several requests")
  func keepAlive() throws {
    let feed = try OpenFeed()
    let probe = try HTTPProbe(port: feed.port)
    let one =
      "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(Self.ownTracks.utf8.count)\r\n\r\n\(Self.ownTracks)"
    probe.send(one + one + one.replacing("Host:", with: "Connection: close\r\nHost:"))
    #expect(probe.rest().split(separator: "HTTP/1.1 200 OK").count == 3)
    #expect(feed.harness.fixes.count == 3)
  }

  @Test("Many simultaneous positions are all stored and answered")
  func many() throws {
    let feed = try OpenFeed()
    let port = feed.port
    let answers = Mutex<[String: Int]>([:])
    let group = DispatchGroup()
    for client in 0..<8 {
      group.enter()
      Thread {
        for number in 0..<25 {
          let target = "/?id=\(client)&lat=1&lon=2&timestamp=\(1_777_622_400 + number)"
          let answer = (try? HTTPProbe.ask(port, "POST", target)) ?? "nothing"
          answers.withLock { $0[answer, default: 0] += 1 }
        }
        group.leave()
      }.start()
    }
    #expect(group.wait(timeout: .now() + 60) == .success)
    #expect(answers.withLock { $0 } == ["200": 200])
    for client in 0..<8 {
      // The positions of one client, in its order.
      let own = feed.harness.fixes.filter { $0.hasPrefix("\(client) ") }
      #expect(own == (0..<25).map { "\(client) \(1_777_622_400 + $0) 1.0,2.0" })
    }
  }

  @Test("A port that is in use is an error")
  func taken() throws {
    let feed = try OpenFeed()
    let failure = #expect(throws: SystemFailure.self) {
      _ = try HTTPListener(host: "127.0.0.1", port: feed.port)
    }
    #expect(failure?.description == "can't listen at 127.0.0.1:\(feed.port): Address already in use")
  }
}
