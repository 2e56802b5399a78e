import FencepostAddresses
import FencepostAlarmEngine
import FencepostAlarmTestSupport
import FencepostCalendarModel
import FencepostCalendarStore
@testable import FencepostChannels
import FencepostSystem
import FencepostTestSupport
import Foundation
import Testing

@Suite("Webhooks")
struct WebhookTests {
  let fixture: LiveAlarmFixture

  init() throws {
    fixture = try LiveAlarmFixture()
    for (index, title) in ["A", "B", "C"].enumerated() {
      try fixture.reminder(title, LiveAlarmFixture.alarm(at: Double(index + 1)))
    }
    let engine = try fixture.engine(channels: ["hook"])
    fixture.clock.advance(by: 10)
    #expect(try engine.wake(at: fixture.clock.now).count == 3)
  }

  private func deliveryLoop(_ text: String, timeout: Double = 30) throws -> DeliveryLoop {
    guard case .webhook(let address) = try ChannelAddress(text) else { throw AddressMismatch() }
    let clock = fixture.clock
    return DeliveryLoop(
      name: "hook",
      channel: try WebhookChannel(
        address, words: NoticeWords(resolver: fixture.resolver), timeout: timeout), store: fixture.store,
      resolver: fixture.resolver, clock: { clock.now })
  }

  private struct AddressMismatch: Error {}

  /// Advances the clock from attempt to attempt, until nothing is left or the limit is reached.
  private func run(_ loop: inout DeliveryLoop, attempts: Int = 20) throws -> [Double] {
    var waits: [Double] = []
    while waits.count < attempts, let next = try loop.run() {
      waits.append(next.seconds(since: fixture.clock.now))
      fixture.clock.set(next)
    }
    return waits
  }

  private func pending() throws -> Int {
    try fixture.store.read { try $0.pendingDeliveryCounts() }["hook"] ?? 0
  }

  private static func titles(_ sink: HTTPSink) -> [String] {
    sink.requests.map { request in
      let object = try? JSONSerialization.jsonObject(with: Data(request.body.utf8)) as? [String: Any]
      return (object?["item"] as? [String: Any])?["title"] as? String ?? "?"
    }
  }

  @Test("Each firing is posted once, as JSON, in order")
  func posts() throws {
    let sink = try HTTPSink { _, _ in .answer(204) }
    defer { sink.stop() }
    var loop = try deliveryLoop("http://127.0.0.1:\(sink.port)/hook?topic=alarms&secret=s")
    #expect(try run(&loop).isEmpty)
    #expect(loop.lastError == nil)
    #expect(Self.titles(sink) == ["A", "B", "C"])
    #expect(sink.requests.allSatisfy { $0.path == "/hook?topic=alarms" })
    #expect(sink.requests.allSatisfy { $0.headers["content-type"] == "application/json" })
    #expect(Set(sink.requests.compactMap { $0.headers["webhook-id"] }).count == 3)
  }

  @Test("Requests are signed as in Standard Webhooks")
  func signature() throws {
    // The example key of the specification; Python's hmac computed the signatures.
    let sink = try HTTPSink { _, _ in .answer(200) }
    defer { sink.stop() }
    let secret = fixture.directory.path("secret")
    try "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n".write(toFile: secret, atomically: true, encoding: .utf8)
    var loop = try deliveryLoop("http://127.0.0.1:\(sink.port)/?secret-file=\(secret)")
    #expect(try run(&loop).isEmpty)
    let request = try #require(sink.requests.first)
    let id = try #require(request.headers["webhook-id"])
    let timestamp = try #require(request.headers["webhook-timestamp"])
    #expect(request.headers["idempotency-key"] == "\"\(id)\"")
    let check = """
      import base64, hmac, sys
      key = base64.b64decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
      signed = f"{sys.argv[1]}.{sys.argv[2]}.".encode() + sys.stdin.buffer.read()
      print("v1," + base64.b64encode(hmac.digest(key, signed, "sha256")).decode(), end="")
      """
    guard let expected = try Self.python(check, [id, timestamp], input: request.body) else { return }
    #expect(request.headers["webhook-signature"] == expected)
  }

  @Test(
    "An invalid secret is an error with a correction",
    arguments: [
      (nil, "No such file or directory"), ([], "its first line is empty"),
      ([0x0A, 0x41], "its first line is empty"),
      ([0xFF, 0xFE], "it is not UTF-8"), (Array("whsec_?".utf8), "the text after whsec_ is not base64"),
    ] as [([UInt8]?, String)])
  func badSecrets(content: [UInt8]?, words: String) throws {
    let path = fixture.directory.path("secret")
    if let content { try Data(content).write(to: URL(fileURLWithPath: path)) }
    let failure = #expect(throws: SystemFailure.self) {
      try deliveryLoop("https://example.org/?secret-file=\(path)")
    }
    #expect(failure?.description.hasSuffix(words) == true, "\(failure?.description ?? "")")
  }

  /// The output of Python; `nil` without Python.
  private static func python(_ script: String, _ arguments: [String], input: String) throws -> String? {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    guard FileManager.default.isExecutableFile(atPath: "/usr/bin/python3") else { return nil }
    process.arguments = ["-c", script] + arguments
    let (stdin, stdout) = (Pipe(), Pipe())
    process.standardInput = stdin
    process.standardOutput = stdout
    try process.run()
    try stdin.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    try stdin.fileHandleForWriting.close()
    let output = try stdout.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: output, as: UTF8.self)
  }

  @Test(
    "A rejected firing is given up and blocks nothing; other failures are retried",
    arguments: [
      (400, true), (401, false), (403, false), (404, false), (408, false), (410, true), (413, true),
      (422, true), (425, false), (429, false), (500, false), (503, false), (301, false),
    ])
  func statuses(status: Int, isFinal: Bool) throws {
    let sink = try HTTPSink { index, _ in index == 0 ? .answer(status) : .answer(200) }
    defer { sink.stop() }
    var loop = try deliveryLoop("http://127.0.0.1:\(sink.port)/")
    let waits = try run(&loop)
    #expect(try pending() == 0)
    // The order of the others between the two attempts is not specified.
    #expect(Self.titles(sink).sorted() == (isFinal ? ["A", "B", "C"] : ["A", "A", "B", "C"]))
    #expect(waits.isEmpty == isFinal)
  }

  @Test(
    "A template takes the place of the notice's JSON",
    arguments: [
      ("title={title}!&body={kind} {list}", #"{"title":"Q \"A\"!","body":"absolute Reminders"}"#),
      ("title=%7Btitle%7D", nil), (#"body={"text":"{title}","n":[1]}"#, #"{"text":"Q \"A\"","n":[1]}"#),
      ("body={not json {title}", #"{"title":"Q \"A\"","body":"{not json Q \"A\""}"#),
    ] as [(String, String?)])
  func templates(template: String, body: String?) throws {
    let sink = try HTTPSink { _, _ in .answer(200) }
    defer { sink.stop() }
    try fixture.reminder("Q \"A\"", LiveAlarmFixture.alarm(at: 20))
    let engine = try fixture.engine(channels: ["hook"])
    fixture.clock.advance(by: 30)
    #expect(try engine.wake(at: fixture.clock.now).count == 1)
    var loop = try deliveryLoop("http://127.0.0.1:\(sink.port)/?\(template)&x=1")
    #expect(try run(&loop).isEmpty)
    let last = try #require(sink.requests.last)
    #expect(last.path == "/?x=1")
    if let body {
      #expect(last.body == body)
    } else {
      #expect(last.body.hasPrefix(#"{"title":"Q \"A\"","body":"#))
    }
  }

  @Test("An unknown field of a template is refused")
  func unknownField() {
    let error = #expect(throws: AddressError.self) { try ChannelAddress("https://h/?body={titel}") }
    #expect(error?.description.contains("unknown field '{titel}'; use {title}, {text}") == true)
  }

  @Test("A server's Retry-After is respected")
  func retryAfter() throws {
    let sink = try HTTPSink { index, _ in
      index == 0 ? .answer(429, headers: ["Retry-After: 120"]) : .answer(200)
    }
    defer { sink.stop() }
    var loop = try deliveryLoop("http://127.0.0.1:\(sink.port)/")
    #expect(try run(&loop) == [120])
    #expect(try pending() == 0)
  }

  @Test("A redirect is not followed, so signed requests reach no other server")
  func redirect() throws {
    let other = try HTTPSink { _, _ in .answer(200) }
    defer { other.stop() }
    let sink = try HTTPSink { [port = other.port] _, _ in
      .answer(307, headers: ["Location: http://127.0.0.1:\(port)/else?token=hidden"])
    }
    defer { sink.stop() }
    var loop = try deliveryLoop("http://127.0.0.1:\(sink.port)/?secret=s")
    _ = try run(&loop, attempts: 3)
    #expect(other.requests.isEmpty)
    #expect(loop.lastError?.contains("307") == true)
    #expect(loop.lastError?.contains("hidden") == false)
    #expect(loop.lastError?.contains("a redirect to http://127.0.0.1:\(other.port)/else") == true)
    #expect(try pending() == 3)
  }

  @Test("A server that stalls, disconnects or is missing keeps its backlog for a later run")
  func dead() throws {
    let sink = try HTTPSink { index, _ in index == 0 ? .stall(5) : .hangUp }
    var first = try deliveryLoop("http://127.0.0.1:\(sink.port)/", timeout: 0.2)
    _ = try run(&first, attempts: 2)
    #expect(first.lastError?.contains("no answer") == true)
    sink.stop()
    _ = try run(&first, attempts: 2)
    #expect(try pending() == 3)
    #expect(sink.requests.count == 2)

    let alive = try HTTPSink { _, _ in .answer(200) }
    defer { alive.stop() }
    fixture.clock.advance(by: 10_000)
    var second = try deliveryLoop("http://127.0.0.1:\(alive.port)/")
    #expect(try run(&second).isEmpty)
    #expect(Set(Self.titles(alive)) == ["A", "B", "C"])
    #expect(try pending() == 0)
    // With the identifiers of the earlier attempts.
    let tried = Set(sink.requests.compactMap { $0.headers["webhook-id"] })
    #expect(tried.isSubset(of: alive.requests.compactMap { $0.headers["webhook-id"] }))
  }
}
