import FencepostCalendarModel
import FencepostCalendarStore
import FencepostClients
import FencepostDaemonControl
import FencepostDiagnosis
import FencepostGeodesy
import FencepostJSON
import FencepostWebServer
import Testing

@testable import FencepostWebApp

@Suite("Why alarms rang, and whether they will, over the API")
struct DiagnosisAPITests {
  let fixture: WebAppFixture
  let id: String

  init() throws {
    let fixture = try WebAppFixture()
    let item = try fixture.json(
      "POST", "/items",
      #"{"title":"Milk","alarms":[{"proximity":"enter","place":{"title":"Shop","latitude":52.5,"longitude":13.4,"radius":100}}]}"#
    )
    id = try #require(item["id"]?.text)
    self.fixture = fixture
  }

  /// Records that a phone came within 38 m, an hour ago.
  private func record() throws {
    let time = fixture.now.adding(seconds: -3_600)
    var decision = AlarmDecision(
      number: 1, item: .init(rawValue: id), alarm: .init(rawValue: "A"), device: "phone", place: "Shop",
      event: "enter", isInside: false, from: time)
    decision.nearest = .init(metres: 38, time: time, accuracy: 12)
    decision.ending = .wentAway
    var step = LedgerStep()
    step.decisions = [decision]
    try fixture.store.write { [step] in _ = try $0.record(step) }
  }

  @Test("The reason is what was recorded, and the same after the item has changed")
  func why() throws {
    try record()
    let answer = try fixture.json("GET", "/items/\(id)/why")
    let words = "phone came within 38 m of the edge of Shop (± 12 m) at 09:00, but not inside"
    #expect(answer["answer"]?.text?.contains(words) == true, "\(answer)")
    #expect(answer["rang"]?.flag == false)
    #expect(answer["notes"]?.list?.first?["text"]?.text == words)
    _ = try fixture.json("PATCH", "/items/\(id)", #"{"title":"Oat milk","alarms":[]}"#)
    #expect(try fixture.json("GET", "/items/\(id)/why")["notes"]?.list?.first?["text"]?.text == words)
    #expect(try fixture.ask("GET", "/items/nothing/why").hasPrefix("404"))
  }

  @Test("A day has what was recorded, or says that nothing was; a replay is asked for")
  func day() throws {
    func day(_ query: String = "") throws -> JSONValue {
      try fixture.json("GET", "/days/2026-05-01?device=phone\(query)")
    }
    #expect(try day()["recorded"]?.flag == false && day()["notes"]?.list?.isEmpty == true)
    try record()
    let recorded = try day()
    #expect(recorded["recorded"]?.flag == true)
    #expect(recorded["notes"]?.list?.first?["text"]?.text?.hasSuffix("but not inside (Milk)") == true)
    #expect(recorded["notes"]?.list?.first?["kind"]?.text == "doubt")
    #expect(try day("&replay=true")["recorded"]?.flag == false)
  }

  @Test("The findings of an examination have what to do")
  func doctor() throws {
    let answer = try fixture.json("GET", "/doctor")
    #expect(answer["worst"]?.text == "wrong")
    let daemon = answer["findings"]?.list?.first { $0["subject"]?.text == "daemon" }
    #expect(daemon?["text"]?.text == "no daemon runs, so no alarm rings" && daemon?["advice"]?.text != nil)
  }

  @Test("A client of some lists learns nothing of devices")
  func limited() throws {
    let list = try fixture.json("POST", "/lists", #"{"title":"Shared","reminders":true}"#)
    let (user, password) = try fixture.app.clients.add(
      "some", rights: [.read], lists: [Identifier(rawValue: try #require(list["id"]?.text))])
    let headers = [WebAppFixture.basic(user, password)]
    for path in ["/items/\(id)/why", "/doctor", "/days/2026-05-01?device=phone"] {
      #expect(try fixture.ask("GET", path, headers: headers).hasPrefix("403"), "\(path)")
    }
  }
}
