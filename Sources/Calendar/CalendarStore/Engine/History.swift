public import FencepostCalendarModel
public import FencepostDatabase
internal import FencepostGeodesy

extension StoreReader {
  /// Calls `body` with the stored positions, the oldest of each device first, until it returns false.
  ///
  /// - Parameters:
  ///   - device: Only this device; `nil` for all, by name.
  ///   - start: Only positions from this time on.
  ///   - end: Only positions before this time.
  ///   - body: Gets the name of the device and the position. ``CalendarModel/Fix/device`` has no meaning
  ///     here.
  public func forEachPosition(
    of device: String? = nil, from start: Instant = .distantPast, until end: Instant = .distantFuture,
    _ body: (String, Fix) -> Bool
  ) throws(StoreError) {
    try connection.forEach(Queries.between) {
      $0.add(device)
      $0.add(start)
      $0.add(end)
    } _: { row in
      let name = row.text()
      guard let fix = row.optionalFix() else { return true }
      return row.damage == nil && body(name, fix)
    }
  }

  /// The time of the oldest stored position, or `nil`.
  ///
  /// Cost: one look-up per device.
  public func oldestPosition() throws(StoreError) -> Instant? {
    try connection.first(Queries.oldest) { $0.optionalInstant() } ?? nil
  }
}

extension StoreWriter {
  /// Adds positions of a device to its history. Ignores those that are already there.
  public func addHistory(_ fixes: [Fix], of device: String) throws(StoreError) {
    for fix in fixes {
      try connection.run(Queries.add) {
        $0.add(fix)
        $0.add(device)
      }
    }
  }

  /// Erases stored positions up to a moment. Each device's last position stays.
  public func removeHistory(before moment: Instant) throws(StoreError) {
    try connection.run(Queries.remove) { $0.add(moment) }
  }
}

private enum Queries {
  static let add = SQL(
    """
    INSERT INTO positions (device, time_at, latitude, longitude, accuracy, altitude, speed, course)
    SELECT row, ?, ?, ?, ?, ?, ?, ? FROM devices WHERE name = ?
    ON CONFLICT (device, time_at) DO NOTHING
    """)
  static let between = SQL(
    """
    SELECT d.name, p.time_at, p.latitude, p.longitude, p.accuracy, p.altitude, p.speed, p.course
    FROM devices d CROSS JOIN positions p ON p.device = d.row
    WHERE (?1 IS NULL OR d.name = ?1) AND p.time_at >= ?2 AND p.time_at < ?3
    ORDER BY d.name, p.time_at
    """)
  // By device: an index by time alone would cost another page per position.
  static let oldest = SQL(
    "SELECT min((SELECT min(time_at) FROM positions WHERE device = d.row)) FROM devices d")
  static let remove = SQL(
    "DELETE FROM positions WHERE device IN (SELECT row FROM devices) AND time_at < ?")
}
