import FencepostAlarmTestSupport
import FencepostMQTTTestSupport
import FencepostMQTT
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostDaemonControl
import FencepostGeodesy
import FencepostTestSupport
import Glibc
import Testing

@testable import FencepostDaemon

/// A phone that forgets acknowledged positions, and a daemon that is killed repeatedly.
@Suite("Daemons that are killed while they receive positions")
struct FeedCrashTests {
  let fixture: LiveAlarmFixture
  private static let positions = 60

  init() throws {
    fixture = try LiveAlarmFixture()
    try fixture.reminder("In", LiveAlarmFixture.alarm(.enter))
    try fixture.reminder("Out", LiveAlarmFixture.alarm(.leave))
  }

  /// A message of OwnTracks: at home, or a kilometre away.
  private func message(_ number: Int) -> String {
    let place = fixture.fix(0, number % 2 == 0 ? 1_000 : 0).coordinate
    return
      #"{"_type":"location","lat":\#(place.latitude),"lon":\#(place.longitude),"tst":\#(1_777_701_600 + number * 60)}"#
  }

  /// Each position except the first is a crossing.
  private func expectAll() throws {
    let expected = (1..<Self.positions).map { number in
      // A tenth of the way is inside the place.
      (number % 2 == 1 ? "enter In \(number * 60 - 6)" : "leave Out \(number * 60 - 54)") + " late"
    }
    #expect(try fixture.ledger() == expected)
  }

  private func start(_ feed: String) throws -> DaemonProgram {
    let daemon = try DaemonProgram(
      store: fixture.store.path, output: fixture.directory.path("out"),
      ["--feed", feed, "--deliver", "-", "--policy", "exact"])
    let socket = fixture.store.path + ".socket"
    guard eventually({ (try? ControlSocket.status(at: socket))?.feeds.first?.state == "open" }) else {
      daemon.end(by: SIGKILL)
      throw Counterpart.Failure(description: "the feed does not open")
    }
    return daemon
  }

  @Test("A position that was acknowledged over HTTP is stored, and the others are sent again")
  func http() throws {
    let port = try Counterpart.freePort()
    let feed = "http://127.0.0.1:\(port)"
    var daemon = try start(feed)
    defer { daemon.end(by: SIGKILL) }
    for number in 0..<Self.positions {
      if number % 9 == 4 {
        // Kill it before, while or after it has the position.
        let probe = try HTTPProbe(port: port)
        let body = message(number)
        probe.send(
          "POST /?u=ann&d=phone HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
        )
        usleep(useconds_t(number * 100))
        daemon.end(by: SIGKILL)
        daemon = try start(feed)
      }
      let answer = try HTTPProbe.ask(
        port, "POST", "/?u=ann&d=phone", body: message(number))
      #expect(answer == "200 []")
      if number % 9 == 8 {
        daemon.end(by: SIGKILL)
        daemon = try start(feed)
      }
    }
    try expectAll()
  }

  @Test(
    "The broker keeps a message until its position is stored",
    .enabled(if: Broker.isInstalled, "mosquitto is not installed"))
  func mqtt() throws {
    let broker = try Broker()
    let feed = "mqtt://127.0.0.1:\(broker.port)"
    var daemon: DaemonProgram? = try start(feed)
    defer { daemon?.end(by: SIGKILL) }
    let client = try MQTTClient(broker.feed())
    try client.connect()
    for number in 0..<Self.positions {
      try client.publish(message(number), to: "owntracks/ann/phone")
      if number % 9 == 4 {
        usleep(useconds_t(number * 100))
        daemon?.end(by: SIGKILL)
        // Every second time it stays away for a while.
        daemon = number % 2 == 0 ? try start(feed) : nil
      } else if number % 9 == 8 {
        daemon?.end(by: SIGKILL)
        daemon = try start(feed)
      }
    }
    #expect(eventually { (try? fixture.ledger().count) == Self.positions - 1 })
    try expectAll()
  }
}
