import FencepostDBusTestSupport
import FencepostTestSupport
import Synchronization
import Testing

@testable import FencepostDBus

@Suite("D-Bus", .enabled(if: PrivateBus.isInstalled, "dbus-daemon is not installed"))
struct DBusTests {
  static let values: [DBusValue] = [
    .bool(true), .bool(false), .byte(255), .int16(-7), .uint16(65_535), .int32(.min), .uint32(.max),
    .int64(.min), .uint64(.max), .double(-0.25), .string("Grüße\n\u{1F6A9}"), .string(""),
    .objectPath("/org/example/Thing"), .signature("a{sv}"),
    .array([], of: "s"), .array([.string("a"), .string("b")], of: "s"),
    .structure([.uint64(1), .string("x")]),
    .array([.structure([.double(1), .array([.byte(1)], of: "y")])], of: "(day)"),
    .dictionary([]), .dictionary([("urgency", .byte(2)), ("nested", .dictionary([("k", .int32(1))]))]),
    .variant(.variant(.double(2))),
  ]

  @Test("A value comes back unchanged", arguments: values)
  func roundTrip(_ value: DBusValue) throws {
    let bus = try PrivateBus()
    let service = try DBusStandIn(bus, name: "org.example.Echo", path: "/org/example") { $0.arguments }
    let connection = try DBusConnection(bus.bus)
    let reply = try connection.call(
      "org.example.Echo", path: "/org/example/Thing", interface: "org.example.Echo", "Echo",
      [value, .string("end")])
    #expect(reply == [value, .string("end")])
    #expect(
      service.calls == [
        .init(
          path: "/org/example/Thing", interface: "org.example.Echo", member: "Echo",
          arguments: [value, .string("end")])
      ])
  }

  @Test("Signals reach their listener in order")
  func signals() throws {
    let bus = try PrivateBus()
    let service = try DBusStandIn(bus, name: "org.example.Bell", path: "/org/example") { _ in [] }
    let connection = try DBusConnection(bus.bus)
    var heard: [[DBusValue]] = []
    try connection.onSignal(of: "org.example.Bell", interface: "org.example.Bell", "Rang") { path, values in
      #expect(path == "/org/example/Bell")
      heard.append(values)
    }
    for number in 0..<3 {
      service.emit("/org/example/Bell", "org.example.Bell", "Rang", [.int32(Int32(number))])
      service.emit("/org/example/Bell", "org.example.Bell", "Fell", [])
    }
    while heard.count < 3 { try connection.process(until: .now + .milliseconds(20)) }
    #expect(heard == [[.int32(0)], [.int32(1)], [.int32(2)]])
  }

  @Test("An error contains the call and the service's reason")
  func failures() throws {
    let bus = try PrivateBus()
    let service = try DBusStandIn(bus, name: "org.example.No", path: "/org/example") { _ in nil }
    let connection = try DBusConnection(bus.bus)
    let refusal = #expect(throws: DBusFailure.self) {
      try connection.call("org.example.No", path: "/org/example", interface: "org.example.No", "Go")
    }
    #expect(refusal?.name == "org.freedesktop.DBus.Error.AccessDenied")
    #expect(refusal?.description.hasPrefix("can't call org.example.No.Go of org.example.No: ") == true)
    let absence = #expect(throws: DBusFailure.self) {
      try connection.call("org.example.Nobody", path: "/x", interface: "org.example.No", "Go")
    }
    #expect(absence?.name == "org.freedesktop.DBus.Error.ServiceUnknown")
    withExtendedLifetime(service) {}
  }

  @Test("A lost bus is an error, and waiting can be interrupted")
  func ends() throws {
    let bus = try PrivateBus()
    let connection = try DBusConnection(bus.bus)
    try connection.process(until: .now)
    bus.stop()
    #expect(throws: DBusFailure.self) { try connection.process(until: .now + .seconds(30)) }
    #expect(throws: DBusFailure.self) { try DBusConnection(bus.bus) }
  }
}
