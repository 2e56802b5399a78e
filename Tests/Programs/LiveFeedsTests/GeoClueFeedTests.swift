import FencepostDBusTestSupport
import FencepostDBus
import FencepostCalendarModel
import FencepostTestSupport
import Synchronization
import Testing

@testable import FencepostLiveFeeds

@Suite("GeoClue", .enabled(if: PrivateBus.isInstalled, "dbus-daemon is not installed"))
struct GeoClueFeedTests {
  private static let service = "org.freedesktop.GeoClue2"
  private static let client = "/org/freedesktop/GeoClue2/Client/1"

  private static func location(_ latitude: Double, seconds: UInt64) -> DBusValue {
    .dictionary([
      ("Latitude", .double(latitude)), ("Longitude", .double(13.4)), ("Accuracy", .double(25)),
      ("Altitude", .double(-.greatestFiniteMagnitude)), ("Speed", .double(-1)), ("Heading", .double(-1)),
      ("Description", .string("GPS")), ("Timestamp", .structure([.uint64(seconds), .uint64(250_000)])),
    ])
  }

  /// A stand-in for GeoClue.
  private static func standIn(_ bus: PrivateBus, isAllowed: Bool = true) throws -> DBusStandIn {
    try DBusStandIn(bus, name: service, path: "/org/freedesktop/GeoClue2") { call in
      switch call.member {
      case "GetClient": [.objectPath(client)]
      case "Set": []
      case "Start": isAllowed ? [] : nil
      case "GetAll":
        call.path.hasSuffix("/7")
          ? [.dictionary([("Latitude", .double(95)), ("Longitude", .double(0))])]
          : [location(52 + (Double(call.path.suffix(1)) ?? 0), seconds: 1_777_622_400)]
      default: nil
      }
    }
  }

  private func tell(_ service: DBusStandIn, _ number: Int) {
    service.emit(
      Self.client, "org.freedesktop.GeoClue2.Client", "LocationUpdated",
      [.objectPath("/"), .objectPath("\(Self.client)/Location/\(number)")])
  }

  @Test("The feed uses its desktop ID, asks for the best accuracy, and receives each position")
  func positions() throws {
    let bus = try PrivateBus()
    let service = try Self.standIn(bus)
    let harness = try FeedHarness(.geoclue(desktopID: "org.example.App"))
    let (kind, stop) = (bus.bus, harness.stopDescriptor)
    harness.run { GeoClueFeed(desktopID: "org.example.App", bus: kind, interruptedBy: stop) }
    #expect(eventually { harness.status.current.state == .open })
    for number in [1, 7, 2] { tell(service, number) }
    #expect(eventually { harness.fixes.count == 2 })
    #expect(harness.fixes == ["geoclue 1777622400 53.0,13.4", "geoclue 1777622400 54.0,13.4"])
    #expect(harness.status.current.rejected == 1)
    let set = service.calls.filter { $0.member == "Set" }.map { $0.arguments.dropFirst().map(\.self) }
    #expect(
      set == [
        [.string("DesktopId"), .variant(.string("org.example.App"))],
        [.string("RequestedAccuracyLevel"), .variant(.uint32(8))],
      ])
    harness.stop()
    #expect(eventually { harness.hasEnded })
    #expect(harness.failures.isEmpty)
  }

  @Test("The feed reports if it is not allowed, gets no answer, or GeoClue ends")
  func failures() throws {
    let bus = try PrivateBus()
    let kind = bus.bus
    let absent = try FeedHarness(.geoclue(desktopID: "x"))
    absent.run { GeoClueFeed(desktopID: "x", bus: kind) }
    #expect(eventually { absent.hasEnded })
    #expect(absent.failures.first?.contains("GetClient of org.freedesktop.GeoClue2") == true)

    let refusing = try FeedHarness(.geoclue(desktopID: "x"))
    do {
      let service = try Self.standIn(bus, isAllowed: false)
      refusing.run { GeoClueFeed(desktopID: "x", bus: kind) }
      #expect(eventually { refusing.hasEnded })
      service.stop()
    }
    #expect(refusing.failures.first?.contains("Start of org.freedesktop.GeoClue2") == true)

    let ended = try FeedHarness(.geoclue(desktopID: "x"))
    do {
      let service = try Self.standIn(bus)
      ended.run { GeoClueFeed(desktopID: "x", bus: kind) }
      #expect(eventually { ended.status.current.state == .open })
      service.stop()
    }
    #expect(eventually { ended.hasEnded })
    #expect(ended.failures == ["can't receive from GeoClue: Connection reset by peer"])
  }

  @Test("A failed attempt leaves no connection open")
  func leavesNothing() throws {
    let bus = try PrivateBus()
    let kind = bus.bus
    let service = try Self.standIn(bus, isAllowed: false)
    let harness = try FeedHarness(.geoclue(desktopID: "x"))
    harness.run(attempts: 3) { GeoClueFeed(desktopID: "x", bus: kind) }
    #expect(eventually { harness.hasEnded })
    #expect(harness.failures.count == 3)
    let probe = try DBusConnection(kind)
    let names = {
      try probe.call(
        "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus", "ListNames")
    }
    // The connections of GeoClue and of this test.
    #expect(
      try eventually {
        try names().first?.elements?.compactMap(\.text).count { $0.hasPrefix(":") } == 2
      })
    withExtendedLifetime(service) {}
  }

  @Test("Values that GeoClue does not know are nil")
  func unknown() throws {
    let device = DeviceNumber.first
    let now = Instant(seconds: 1_777_622_500)
    let fix = try #require(
      GeoClueFeed.fix(Self.location(52.5, seconds: 1_777_622_400), of: device, now: now))
    #expect(fix.time == Instant(microseconds: 1_777_622_400_250_000))
    #expect(fix.horizontalAccuracy == 25)
    #expect(fix.altitude == nil && fix.speed == nil && fix.course == nil)
    let bare = try #require(
      GeoClueFeed.fix(
        .dictionary([("Latitude", .double(1)), ("Longitude", .double(2))]), of: device, now: now))
    #expect(bare.time == now && bare.horizontalAccuracy == nil)
    #expect(GeoClueFeed.fix(.dictionary([("Latitude", .double(1))]), of: device, now: now) == nil)
  }
}
