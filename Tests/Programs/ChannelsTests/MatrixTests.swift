import FencepostAddresses
import FencepostAlarmTestSupport
import FencepostTestSupport
import Foundation
import Synchronization
import Testing

@testable import FencepostChannels

/// What the Client-Server API asks of "PUT …/send/{eventType}/{txnId}" and of `m.room.message`.
private func faults(_ request: HTTPSink.Request) -> [String] {
  var faults: [String] = []
  func check(_ isRight: Bool, _ fault: String) { if !isRight { faults.append(fault) } }
  if request.path.hasPrefix("/_matrix/client/v3/directory/room/") {
    check(request.method == "GET", "method")
    return faults
  }
  let path = #/\/_matrix\/client\/v3\/rooms\/%21room%3Aexample\.org\/send\/m\.room\.message\/[0-9a-f]{32}/#
  let json = request.json
  check(request.method == "PUT" && request.path.wholeMatch(of: path) != nil, "path \(request.path)")
  check(json["msgtype"] as? String == "m.text" && json["body"] is String, "msgtype and body are required")
  check((json["formatted_body"] == nil) == (json["format"] == nil), "format")
  check(request.body.utf8.count < 65_536 - 2_000, "too large")
  return faults
}

@Suite("Matrix")
struct MatrixTests {
  private let address = "matrix://127.0.0.1:PORT/!room:example.org?secure=false&token=syt_1"

  @Test("An alarm is an event of the room; its transaction is the firing's, also in a retry")
  func sends() throws {
    let service = try ServiceFixture(check: faults) { index, request in
      guard request.headers["authorization"] == "Bearer syt_1" else { return .answer(401) }
      return index == 0 ? .hangUp : .answer(200, body: #"{"event_id":"$1"}"#)
    }
    #expect(try service.run(address).wait == 1)
    service.fixture.clock.advance(by: 10)
    #expect(try service.run(address) == .init())
    #expect(service.sink.requests.count == 2)
    #expect(Set(service.sink.requests.map(\.path)).count == 1)
    let json = try service.json(1)
    #expect((json["body"] as? String)?.hasPrefix("Milk & \"eggs\"\nArrived at Place") == true)
    #expect((json["formatted_body"] as? String)?.hasPrefix("<strong>Milk &amp; ") == true)
  }

  @Test("An alias of a room is looked up once")
  func alias() throws {
    let service = try ServiceFixture(check: faults) { _, request in
      .answer(200, body: request.method == "GET" ? #"{"room_id":"!room:example.org"}"# : "{}")
    }
    #expect(try service.run("matrix://127.0.0.1:PORT/#alarms:example.org?secure=false&token=x") == .init())
    #expect(
      service.sink.requests.first?.path == "/_matrix/client/v3/directory/room/%23alarms%3Aexample.org")
    #expect(service.sink.requests.map(\.method) == ["GET", "PUT"])
  }

  @Test(
    "The server's refusals",
    arguments: [
      (
        401, #"{"errcode":"M_UNKNOWN_TOKEN","error":"Unrecognised access token"}"#,
        "refused: the server answered 401 (Unrecognised access token)", 600
      ),
      (
        403, #"{"errcode":"M_FORBIDDEN","error":"User not in room"}"#,
        "refused: the server answered 403 (User not in room)", 600
      ),
      (
        429, #"{"errcode":"M_LIMIT_EXCEEDED","retry_after_ms":5500}"#,
        "the server answered 429 (M_LIMIT_EXCEEDED)", 5.5
      ),
      (404, #"{"errcode":"M_NOT_FOUND"}"#, "the server answered 404 (M_NOT_FOUND)", 1),
      (502, "<html>", "the server answered 502", 1),
    ] as [(Int, String, String, Double)])
  func refusals(status: Int, body: String, error: String, wait: Double) throws {
    let service = try ServiceFixture(check: faults) { _, _ in .answer(status, body: body) }
    #expect(try service.run(address) == .init(error: error, wait: wait))
  }

  @Test("An event that is too large is given up")
  func givenUp() throws {
    let service = try ServiceFixture(check: faults) { _, _ in
      .answer(413, body: #"{"errcode":"M_TOO_LARGE","error":"event too large"}"#)
    }
    #expect(try service.run(address).givenUp?.contains("event too large") == true)
  }

  @Test("A name has no token; an address without a room or token is refused")
  func addresses() throws {
    #expect(
      try ChannelAddress("matrix://m.org/!a:example.org?token=x").description
        == "matrix://m.org/!a:example.org")
    for text in ["matrix://m.org?token=x", "matrix://m.org/a?token=x", "matrix://m.org/!a:example.org"] {
      #expect(throws: AddressError.self) { try ChannelAddress(text) }
    }
  }
}
