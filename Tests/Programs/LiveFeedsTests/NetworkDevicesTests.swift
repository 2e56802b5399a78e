import FencepostCalendarModel
import FencepostGeodesy
import Testing

@testable import FencepostLiveFeeds

@Suite("Devices on the network")
struct NetworkDevicesTests {
  private static let start = Instant(seconds: 1_777_622_400)

  private static func received(_ devices: [String], from sender: String = "a") -> NetworkFixes {
    let names = DeviceRegistry()
    let fixes = devices.enumerated().map { index, name in
      Fix(
        device: names.number(of: name), time: Instant(seconds: Int64(index)),
        coordinate: Coordinate(latitude: 1, longitude: 2))
    }
    return NetworkFixes(fixes, namedBy: names, sender: sender)
  }

  private final class Bench {
    let devices = DeviceRegistry()
    let table: NetworkDevices
    var known: Set<String> = []
    var now = NetworkDevicesTests.start
    /// The erased devices.
    var erased: [String] = []
    /// The number of queries to the store.
    var questions = 0

    init(all: Int, perSender: Int) {
      table = NetworkDevices(devices, limits: .init(all: all, perSender: perSender))
    }

    /// The admitted devices, a second later in a new round.
    @discardableResult
    func admit(_ devices: String..., from sender: String = "a") -> [String] {
      table.beginRound()
      return also(devices, from: sender)
    }

    /// The admitted devices, in the same round.
    func also(_ devices: [String], from sender: String) -> [String] {
      now = now.adding(seconds: 1)
      let admission = table.admit([received(devices, from: sender)], at: now) {
        questions += 1
        return known.contains($0)
      }
      erased += admission.erased
      #expect(admission.fixes.count + admission.surplus == devices.count)
      return admission.fixes.map { self.devices.name(of: $0.device) }
    }
  }

  @Test("Each device has one number in all messages, in the order of arrival")
  func numbers() {
    let bench = Bench(all: 10, perSender: 10)
    _ = bench.devices.number(of: "receiver")
    #expect(bench.admit("a", "b", "a", "receiver") == ["a", "b", "a", "receiver"])
    #expect(bench.admit("b", "c", from: "other") == ["b", "c"])
    #expect(bench.devices.names == ["receiver", "a", "b", "c"])
  }

  @Test("A lower limit counts when the next device comes")
  func lowerLimit() {
    let bench = Bench(all: 40, perSender: 40)
    for number in 0..<40 { bench.admit("\(number)") }
    bench.table.limits = .init(all: 20)
    #expect(bench.table.limits.perSender == 5)
    #expect(bench.admit("new", from: "other") == ["new"])
    #expect(bench.erased.count == 21)
    #expect(bench.admit("newer") == ["newer"])
  }

  @Test("Invalid names are rejected")
  func misnamed() {
    let received = Self.received(["a", "b\u{7F}", String(repeating: "ä", count: 128), "a"])
    #expect(received.fixes.count == 2 && received.misnamed == 2)
    #expect(received.fixes.allSatisfy { received.names[Int($0.device.rawValue)] == "a" })
  }

  @Test(
    "Positions dated more than five minutes ahead are removed, and devices with no others stay unknown"
  )
  func datedAhead() throws {
    let harness = try FeedHarness(FeedAddress("http://127.0.0.1:0"))
    func fix(_ seconds: Double, _ device: DeviceNumber) -> Fix {
      Fix(
        device: device, time: Self.start.adding(seconds: seconds),
        coordinate: Coordinate(latitude: 1, longitude: 2))
    }
    let names = DeviceRegistry()
    let (wrong, right) = (names.number(of: "wrong"), names.number(of: "right"))
    let network = NetworkFixes(
      [fix(301, wrong), fix(300, right), fix(-1e9, right), fix(301, right)], namedBy: names, sender: "a")
    var arrival = Arrival(
      fixes: [fix(-9, right), fix(1e9, right)], received: [network], output: harness.output)
    #expect(arrival.removeDatedAhead(at: Self.start) == 3)
    #expect(arrival.removeDatedAhead(at: Self.start) == 0)
    #expect(arrival.fixes == [fix(-9, right)])
    let rest = try #require(arrival.received.first)
    #expect(rest.fixes == [fix(300, right), fix(-1e9, right)])
    #expect(rest.names == [nil, "right"] && rest.sender == "a")
  }

  @Test("A receiver whose count of GPS weeks has rolled over is dated right")
  func rolledOverWeeks() throws {
    let harness = try FeedHarness(FeedAddress("http://127.0.0.1:0"))
    let weeks = 1_024.0 * 7 * 86_400
    let device = DeviceRegistry().number(of: "receiver")
    func fix(_ seconds: Double) -> Fix {
      Fix(
        device: device, time: Self.start.adding(seconds: seconds),
        coordinate: Coordinate(latitude: 1, longitude: 2))
    }
    var arrival = Arrival(
      fixes: [fix(-3), fix(-weeks - 2), fix(-2 * weeks - 1), fix(-weeks / 2), fix(-weeks - 90_000)],
      output: harness.output)
    arrival.correctRolledOverWeeks(at: Self.start)
    #expect(arrival.fixes == [fix(-3), fix(-2), fix(-1), fix(-weeks / 2), fix(-weeks - 90_000)])
  }

  @Test("Positions of a client are those of one device, whatever they name")
  func client() {
    let names = DeviceRegistry()
    let fixes = ["phone", "tablet"].enumerated().map { index, name in
      Fix(
        device: names.number(of: name), time: Self.start.adding(seconds: Double(index)),
        coordinate: Coordinate(latitude: 1, longitude: 2))
    }
    let received = NetworkFixes(fixes, of: "ann", sender: "a")
    #expect(received.fixes.map(received.name(of:)) == ["ann", "ann"])
    #expect(received.fixes.map(\.time) == fixes.map(\.time))
    #expect(received.misnamed == 0)
    let misnamed = NetworkFixes(fixes, of: "a\nb", sender: "a")
    #expect(misnamed.fixes.isEmpty && misnamed.misnamed == 2)
  }

  @Test("A name without a position is ignored")
  func unused() {
    let names = DeviceRegistry()
    for index in 0..<3 { _ = names.number(of: "invented \(index)") }
    let fix = Fix(
      device: names.number(of: "phone"), time: Self.start, coordinate: Coordinate(latitude: 1, longitude: 2))
    let bench = Bench(all: 10, perSender: 10)
    bench.table.beginRound()
    let received = NetworkFixes([fix], namedBy: names, sender: "a")
    #expect(bench.table.admit([received], at: bench.now) { _ in false }.fixes.count == 1)
    #expect(bench.devices.names == ["phone"])
  }

  @Test("When a round is full, the store is not asked about more names")
  func stall() {
    let bench = Bench(all: 6, perSender: 3)
    bench.admit("ann", from: "ann")
    func names(_ sender: String) -> [String] { (0..<1_000).map { "\(sender) \($0)" } }
    bench.table.beginRound()
    #expect(bench.also(names("eve"), from: "eve").count == 3)
    #expect(bench.also(names("mallory"), from: "mallory").count == 3)
    #expect(bench.also(names("oscar"), from: "oscar").isEmpty)
    #expect(bench.questions < 20)
    #expect(bench.admit("new", from: "oscar") == ["new"], "the next round begins with room again")
  }

  @Test("A sender that invents devices only pushes out its own")
  func flood() {
    let bench = Bench(all: 400, perSender: 160)
    bench.admit("ann/phone", "ann/pad", from: "ann")
    for number in 0..<2_000 {
      #expect(bench.admit("invented \(number)", from: "eve") == ["invented \(number)"])
    }
    #expect(bench.admit("bob/phone", from: "bob") == ["bob/phone"])
    #expect(bench.admit("ann/phone", "ann/watch", from: "ann") == ["ann/phone", "ann/watch"])
    #expect(bench.erased.count >= 2_000 - 160 && bench.erased.allSatisfy { $0.hasPrefix("invented") })
    // Numbers are reused, so the number of names does not grow with invented devices.
    #expect(bench.devices.names.count <= 400)
  }

  @Test("Many senders that invent devices do not push out others either")
  func manySenders() {
    let bench = Bench(all: 160, perSender: 40)
    bench.known = ["phone"]
    bench.admit("phone", from: "ann")
    for number in 0..<1_000 { bench.admit("invented \(number)", from: "eve \(number)") }
    #expect(bench.admit("new", from: "bob") == ["new"])
    #expect(bench.admit("phone", from: "ann") == ["phone"])
    #expect(bench.devices.names.count <= 160)
    #expect(!bench.erased.contains("phone") && !bench.erased.isEmpty)
  }

  @Test("A device that was heard once makes room before one that was heard again, which stays in the store")
  func order() {
    let bench = Bench(all: 100, perSender: 3)
    bench.known = ["stored"]
    bench.admit("regular")
    bench.admit("stored")
    bench.now = bench.now.adding(seconds: 7_200)
    bench.admit("regular")
    bench.admit("once")
    bench.admit("new")
    #expect(bench.erased == ["once"], "though others were silent for longer")
    bench.now = bench.now.adding(seconds: 7_200)
    bench.admit("new")
    bench.admit("newer")
    #expect(bench.erased == ["once"])
    #expect(bench.devices.names.contains("") == false)
    #expect(Set(bench.devices.names) == ["regular", "new", "newer"], "the store goes on with what it knew")
  }

  @Test("Devices of the same round do not make room for each other; the surplus is ignored")
  func round() {
    let bench = Bench(all: 100, perSender: 3)
    #expect(bench.admit("a", "b", "c", "d", "e", "a") == ["a", "b", "c", "a"])
    #expect(bench.also(["f"], from: "a").isEmpty)
    #expect(bench.also(["g"], from: "b") == ["g"])
    #expect(bench.admit("d", "a") == ["d", "a"])
    #expect(bench.erased.count == 1)
  }

  @Test("A device that a file or a receiver also names keeps its number")
  func kept() {
    let bench = Bench(all: 2, perSender: 2)
    bench.admit("a", "b")
    let number = bench.devices.number(of: "a")
    bench.admit("c")
    bench.admit("d")
    #expect(bench.devices.name(of: number) == "a")
    #expect(!bench.erased.contains("a"))
  }

  @Test("Too many new devices are logged once")
  func loggedOnce() throws {
    let harness = try FeedHarness(.standardInput)
    for _ in 0..<3 { harness.output.countSurplus(2) }
    harness.output.countSurplus(0)
    #expect(harness.status.current.rejected == 0)
    #expect(harness.log.count == 1)
  }
}
