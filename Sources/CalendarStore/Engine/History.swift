public import CalendarModel
internal import Geodesy

extension StoreReader {
  /// Hands over positions that were kept, the oldest of each device first, until `body` says false.
  ///
  /// - Parameters:
  ///   - device: Only those of this device; of all for `nil`, one device after the other by name.
  ///   - start: Only those from then on.
  ///   - end: Only those before then.
  ///   - body: Called with the name of the device and the position. ``CalendarModel/Fix/device`` is of no meaning here.
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

  /// When the oldest position that was kept is from; `nil` where none was.
  ///
  /// Cost: a look-up for each device.
  public func oldestPosition() throws(StoreError) -> Instant? {
    try connection.first(Queries.oldest) { $0.optionalInstant() } ?? nil
  }
}

extension StoreWriter {
  /// Keeps positions of a device besides its last one. One that was kept already is passed over.
  public func addHistory(_ fixes: [Fix], of device: String) throws(StoreError) {
    for fix in fixes {
      try connection.run(Queries.add) {
        $0.add(fix)
        $0.add(device)
      }
    }
  }

  /// Erases positions that were kept, up to a moment. Each device's last one stays.
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
  // By device: there is no index by time alone, as it would cost each position another page.
  static let oldest = SQL(
    "SELECT min((SELECT min(time_at) FROM positions WHERE device = d.row)) FROM devices d")
  static let remove = SQL(
    "DELETE FROM positions WHERE device IN (SELECT row FROM devices) AND time_at < ?")
}
