public import FencepostCalendarModel
public import FencepostDatabase
internal import FencepostGeodesy

/// A device with at least one position report, and its last position.
public struct StoredDevice: Hashable, Sendable {
  /// Its name.
  public var name: String
  /// Its last position; `nil` if it was erased. ``CalendarModel/Fix/device`` has no meaning here.
  public var lastFix: Fix?
}

extension Sequence<StoredDevice> {
  /// The device with the latest position, and that position; `nil` if no device has one.
  public var latest: (name: String, fix: Fix)? {
    compactMap { device in device.lastFix.map { (device.name, $0) } }.max { $0.1.time < $1.1.time }
  }
}

/// The device that stands for a person.
public enum PersonDevice: Hashable, Sendable {
  /// This one, with its last position.
  case device(StoredDevice)
  /// Unknown: no device has sent a position, or not the one that the settings name.
  case none
  /// Unknown: there are several, and the settings name none.
  case several
}

/// When the engine got the positions of a device that its state rests on, by the engine's clock.
///
/// A position may be older. While the device is silent, time passes for it from here on.
public struct ArrivalTimes: Hashable, Sendable {
  /// When the last accepted position came; `nil` if unknown.
  public var accepted: Instant?
  /// When the last position came that was set aside; `nil` if none is set aside, or unknown.
  public var setAside: Instant?

  /// Times of arrival.
  public init(accepted: Instant? = nil, setAside: Instant? = nil) {
    self.accepted = accepted
    self.setAside = setAside
  }
}

extension StoreReader {
  /// The device that stands for the person.
  ///
  /// - Parameter name: The name in the setting `me-device`; `nil` for the only device.
  public func personDevice(named name: String?) throws(StoreError) -> PersonDevice {
    let devices = try connection.all(Queries.person, { $0.add(name) }, read: { $0.device() })
    return devices.count > 1 ? .several : devices.first.map { .device($0) } ?? .none
  }

  /// All devices, by name.
  public func devices() throws(StoreError) -> [StoredDevice] {
    try connection.all(Queries.devices) { $0.device() }
  }

  /// Whether there is a device called `name`.
  public func hasDevice(named name: String) throws(StoreError) -> Bool {
    try connection.first(Queries.device, { $0.add(name) }, read: { _ in true }) ?? false
  }

  /// The engine's state of a device and its fences; `nil` for a new device.
  public func fenceState(of device: String) throws(StoreError) -> [UInt8]? {
    try connection.first(Queries.state, { $0.add(device) }, read: { $0.bytes() })
  }

  /// When the positions came that the engine's state of a device rests on.
  public func arrivals(of device: String) throws(StoreError) -> ArrivalTimes {
    try connection.first(Queries.arrivals, { $0.add(device) }) {
      ArrivalTimes(accepted: $0.optionalInstant(), setAside: $0.optionalInstant())
    } ?? ArrivalTimes()
  }

  /// The engine's state of each device, by name.
  public func fenceStates() throws(StoreError) -> [(device: String, state: [UInt8])] {
    try connection.all(Queries.states) { ($0.text(), $0.bytes()) }
  }
}

extension StoreWriter {
  /// Saves the engine's state of a device and its fences, in the engine's own form.
  public func saveFenceState(_ state: [UInt8], of device: String) throws(StoreError) {
    try addDevice(device)
    try saveFenceState(state, arrivals: ArrivalTimes(), ofKnown: device)
  }

  /// Adds a device unless the store has it.
  func addDevice(_ device: String) throws(StoreError) {
    try connection.run(Queries.addDevice) { $0.add(device) }
  }

  /// Saves the engine's state of a device that the store has.
  func saveFenceState(
    _ state: [UInt8], arrivals: ArrivalTimes, ofKnown device: String
  ) throws(StoreError) {
    try connection.run(Queries.saveState) {
      $0.add(state)
      $0.add(arrivals.accepted)
      $0.add(arrivals.setAside)
      $0.add(device)
    }
  }

  /// Saves a device's last position; replaces the one before. A position without the charge of the battery
  /// keeps the last known one: OwnTracks reports a region that it enters without it.
  public func saveLastFix(_ fix: Fix, of device: String) throws(StoreError) {
    try connection.run(Queries.saveFix) {
      $0.add(device)
      $0.add(fix)
      $0.add(fix.battery.map(Int64.init))
    }
  }

  /// Erases devices, their positions and the state of their fences. It leaves the stays that they have begun,
  /// because finding them takes a look at every due time.
  public func removeDevices(named names: [String]) throws(StoreError) {
    for name in names {
      try connection.run(Queries.remove) { $0.add(name) }
      try removeRecords(ofDevice: name)
      try forgetAppRegionStates(ofDevice: name)
    }
  }

  /// Erases a device, its positions, what was decided about it, the state of its fences and the stays that it
  /// has begun; for `nil`, of all devices. Its firings stay in the ledger.
  public func forgetDevices(named device: String? = nil) throws(StoreError) {
    try removeRecords(ofDevice: device)
    try connection.run(Queries.forgetStays) { $0.add(device) }
    try connection.run(Queries.forget) { $0.add(device) }
    try forgetAppRegionStates(ofDevice: device)
  }
}

extension RowReader {
  fileprivate mutating func device() -> StoredDevice {
    var device = StoredDevice(name: text(), lastFix: optionalFix())
    device.lastFix?.battery = optionalInt64().flatMap(UInt8.init(exactly:))
    return device
  }
}

private enum Queries {
  static let device = SQL("SELECT 1 FROM devices WHERE name = ?")
  static let remove = SQL("DELETE FROM devices WHERE name = ?")
  private static let columns =
    "SELECT name, fix_at, latitude, longitude, accuracy, altitude, speed, course, battery FROM devices "
  static let devices = SQL(columns + "ORDER BY name")
  static let person = SQL(columns + "WHERE ?1 IS NULL OR name = ?1 LIMIT 2")
  static let state = SQL(
    "SELECT s.state FROM fence_states s JOIN devices d ON d.row = s.device WHERE d.name = ?")
  static let arrivals = SQL(
    """
    SELECT s.arrived_at, s.set_aside_at FROM fence_states s JOIN devices d ON d.row = s.device
    WHERE d.name = ?
    """)
  static let states = SQL(
    "SELECT d.name, s.state FROM fence_states s JOIN devices d ON d.row = s.device ORDER BY d.name")
  static let addDevice = SQL("INSERT INTO devices (name) VALUES (?) ON CONFLICT (name) DO NOTHING")
  static let saveState = SQL(
    """
    INSERT INTO fence_states (state, arrived_at, set_aside_at, device)
      SELECT ?, ?, ?, row FROM devices WHERE name = ?
    ON CONFLICT (device) DO UPDATE SET
      state = excluded.state, arrived_at = excluded.arrived_at, set_aside_at = excluded.set_aside_at
    """)
  static let saveFix = SQL(
    """
    INSERT INTO devices (name, fix_at, latitude, longitude, accuracy, altitude, speed, course, battery)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (name) DO UPDATE SET
      fix_at = excluded.fix_at, latitude = excluded.latitude, longitude = excluded.longitude,
      accuracy = excluded.accuracy, altitude = excluded.altitude, speed = excluded.speed,
      course = excluded.course, battery = coalesce(excluded.battery, battery)
    """)
  static let forgetStays = SQL(
    "DELETE FROM due_times WHERE device IS NOT NULL AND (?1 IS NULL OR device = ?1)")
  static let forget = SQL("DELETE FROM devices WHERE ?1 IS NULL OR name = ?1")
}
