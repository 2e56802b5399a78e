import FencepostDBus
import FencepostCalendarModel
import FencepostGeodesy
import FencepostSystem
import Glibc

/// The location of this machine from GeoClue, which uses receivers, networks and nearby phones, over D-Bus.
/// (https://www.freedesktop.org/software/geoclue/docs/)
///
/// GeoClue asks the desktop's agent, or its own configuration, whether the desktop ID may get the location.
/// Without either it refuses, and the feed's status shows that.
final class GeoClueFeed: LiveFeed {
  /// The desktop ID that GeoClue shows to the user.
  static let defaultDesktopID = "fencepost"

  private static let service = "org.freedesktop.GeoClue2"
  private static let client = "org.freedesktop.GeoClue2.Client"
  private static let location = "org.freedesktop.GeoClue2.Location"
  /// `GCLUE_ACCURACY_LEVEL_EXACT`.
  private static let exactly: UInt32 = 8

  private let desktopID: String
  private let bus: DBusConnection.Bus
  private let device: String
  private let interrupter: Int32

  /// A feed of this machine's positions.
  ///
  /// - Parameters:
  ///   - desktopID: The desktop ID of the client.
  ///   - device: The device's name.
  ///   - bus: The bus of GeoClue.
  ///   - interrupter: A descriptor that becomes ready when the feed should end; -1 for never.
  init(
    desktopID: String, device: String = "geoclue", bus: DBusConnection.Bus = .system,
    interruptedBy interrupter: Int32 = -1
  ) {
    self.desktopID = desktopID
    self.device = device
    self.bus = bus
    self.interrupter = interrupter
  }

  func run(_ output: FeedOutput) throws {
    let connection = try DBusConnection(bus)
    let found = try connection.call(
      GeoClueFeed.service, path: "/org/freedesktop/GeoClue2/Manager",
      interface: "org.freedesktop.GeoClue2.Manager", "GetClient")
    guard let path = found.first?.text else { throw DBusFailure("connect to GeoClue", code: EPROTO) }
    func set(_ property: String, _ value: DBusValue) throws {
      try connection.set(
        property, to: value, GeoClueFeed.service, path: path, interface: GeoClueFeed.client)
    }
    try set("DesktopId", .string(desktopID))
    try set("RequestedAccuracyLevel", .uint32(GeoClueFeed.exactly))
    let number = output.devices.number(of: device)
    var failure: (any Error)?
    // Unowned, because the connection retains its handlers.
    try connection.onSignal(
      of: GeoClueFeed.service, path: path, interface: GeoClueFeed.client, "LocationUpdated"
    ) { [unowned connection] _, arguments in
      guard arguments.count == 2, let location = arguments[1].text else { return }
      do {
        let properties = try connection.properties(
          GeoClueFeed.service, path: location, interface: GeoClueFeed.location)
        if let fix = GeoClueFeed.fix(properties, of: number, now: .wallClock()) {
          output.post([fix])
        } else {
          output.status.reject(1)
        }
      } catch {
        failure = error
        connection.endProcessing()
      }
    }
    // Without GeoClue its client is gone too, so reopen the feed.
    try connection.onSignal(
      of: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus",
      "NameOwnerChanged", first: GeoClueFeed.service
    ) { [unowned connection] _, _ in
      failure = DBusFailure("receive from GeoClue", code: ECONNRESET)
      connection.endProcessing()
    }
    try connection.call(GeoClueFeed.service, path: path, interface: GeoClueFeed.client, "Start")
    output.opened()
    try connection.process(stop: interrupter)
    if let failure { throw failure }
  }

  /// The fix from the properties of a location; `nil` if they are invalid.
  static func fix(_ properties: DBusValue, of device: DeviceNumber, now: Instant) -> Fix? {
    guard let latitude = properties["Latitude"]?.number, let longitude = properties["Longitude"]?.number
    else { return nil }
    let coordinate = Coordinate(latitude: latitude, longitude: longitude)
    guard coordinate.isValid else { return nil }
    func known(_ name: String, from least: Double = 0, to most: Double = .greatestFiniteMagnitude) -> Double?
    {
      properties[name]?.number.flatMap { $0 >= least && $0 <= most ? $0 : nil }
    }
    // Seconds and microseconds since 1970; 0 if unknown.
    let parts = properties["Timestamp"]?.elements?.compactMap(\.number) ?? []
    let seconds = parts.count == 2 ? parts[0] + parts[1] / 1e6 : 0
    return Fix(
      device: device, time: seconds > 0 ? Instant(secondsSince1970: seconds) ?? now : now,
      coordinate: coordinate, horizontalAccuracy: known("Accuracy", from: .leastNonzeroMagnitude),
      // For an unknown altitude GeoClue sends the least finite double.
      altitude: known("Altitude", from: -100_000, to: 1e9), speed: known("Speed"),
      course: known("Heading", to: 360))
  }
}
