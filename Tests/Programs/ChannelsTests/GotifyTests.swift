import FencepostAddresses
import FencepostAlarmTestSupport
import FencepostTestSupport
import Testing

@testable import FencepostChannels

/// What Gotify's API asks of `POST /message` (https://gotify.net/api-docs#/message/createMessage).
private func faults(_ request: HTTPSink.Request) -> [String] {
  let json = request.json
  var faults: [String] = []
  func check(_ isRight: Bool, _ fault: String) { if !isRight { faults.append(fault) } }
  check(request.method == "POST" && request.path == "/sub/message", "path")
  check(request.headers["content-type"] == "application/json", "content type")
  check((json["message"] as? String)?.isEmpty == false, "message is required")
  check(json["priority"] is Int, "priority")
  check(json.keys.allSatisfy(["title", "message", "priority", "extras"].contains), "unknown field")
  // Keys of extras are `TOP::SUB`.
  let extras = json["extras"] as? [String: Any] ?? [:]
  check(extras.keys.allSatisfy { $0.contains("::") }, "extras")
  return faults
}

@Suite("Gotify")
struct GotifyTests {
  private let address = "gotify://127.0.0.1:PORT/sub/?secure=false&token=A.b-c_1"

  @Test("An alarm is posted with the application's token; a click opens the web app")
  func posts() throws {
    let service = try ServiceFixture(check: faults) { _, request in
      .answer(request.headers["x-gotify-key"] == "A.b-c_1" ? 200 : 401)
    }
    #expect(try service.run(address, answers: service.answers) == .init())
    let json = try service.json()
    #expect(json["title"] as? String == "Milk & \"eggs\"" && json["priority"] as? Int == 8)
    let notification = (json["extras"] as? [String: Any])?["client::notification"] as? [String: Any]
    #expect((notification?["click"] as? [String: String])?["url"] == "https://home.example/now")
  }

  @Test(
    "The server's refusals",
    arguments: [
      (
        401,
        #"{"error":"Unauthorized","errorDescription":"you need to provide a valid token"}"#,
        "refused: the server answered 401 (you need to provide a valid token", 600
      ),
      (403, "{}", "refused: the server answered 403", 600), (404, "{}", "the server answered 404", 1),
      (500, "", "the server answered 500", 1),
    ] as [(Int, String, String, Double)])
  func refusals(status: Int, body: String, error: String, wait: Double) throws {
    let service = try ServiceFixture(check: faults) { _, _ in .answer(status, body: body) }
    let outcome = try service.run(address)
    #expect(outcome.error?.hasPrefix(error) == true && outcome.wait == wait)
  }

  @Test("A message that the server will never take is given up")
  func givenUp() throws {
    let service = try ServiceFixture(check: faults) { _, _ in
      .answer(400, body: #"{"error":"Bad Request","errorDescription":"Field 'message' is required"}"#)
    }
    #expect(try service.run(address).givenUp?.contains("Field 'message' is required") == true)
  }

  @Test("An address needs a token, and its name has none")
  func addresses() throws {
    #expect(try ChannelAddress("gotify://h/sub?token=x").description == "gotify://h/sub")
    #expect(throws: AddressError.self) { try ChannelAddress("gotify://h") }
    #expect(throws: AddressError.self) { try ChannelAddress("gotify://h?token=x&priority=11") }
  }
}
