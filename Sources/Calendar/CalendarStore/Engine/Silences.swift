public import FencepostDatabase
public import FencepostSpatiotemporal

/// What the engine knows of a silence of a device, for positions that come late from it: in its own form.
///
/// Most positions change nothing of it, so it is saved beside the state of the device.
public struct StoredSilence: Hashable, Sendable {
  /// Identifies it among those of the device.
  public var number: Int64
  /// What was true before it, and what was reported since; `nil` in a change that leaves it as it is.
  public var state: [UInt8]?
  /// Only in a change: late positions up to this time are removed, before ``late`` is added.
  public var settledThrough: Instant?
  /// The late positions, by their times.
  public var late: [Instant: [UInt8]]

  /// A silence.
  public init(
    number: Int64, state: [UInt8]? = nil, settledThrough: Instant? = nil, late: [Instant: [UInt8]] = [:]
  ) {
    self.number = number
    self.state = state
    self.settledThrough = settledThrough
    self.late = late
  }
}

/// What a step changes of the silences of a device.
public struct SilenceChanges: Hashable, Sendable {
  /// True to remove all that there are first.
  public var replacesAll: Bool
  /// Those that are no longer needed.
  public var ended: [Int64]
  /// Those that are new or have changed.
  public var changed: [StoredSilence]

  /// Changes.
  public init(replacesAll: Bool = false, ended: [Int64] = [], changed: [StoredSilence] = []) {
    self.replacesAll = replacesAll
    self.ended = ended
    self.changed = changed
  }
}

extension StoreReader {
  /// The silences of a device, in the order of their numbers, each with its state.
  public func silences(of device: String) throws(StoreError) -> [StoredSilence] {
    var found = try connection.all(Queries.silences, { $0.add(device) }) { row in
      StoredSilence(number: row.int64(), state: row.bytes())
    }
    for place in found.indices {
      try connection.forEach(Queries.late) {
        $0.add(device)
        $0.add(found[place].number)
      } _: { row in
        found[place].late[row.instant()] = row.bytes()
        return true
      }
    }
    return found
  }
}

extension StoreWriter {
  /// Saves changes of the silences of a device that is in the store.
  public func save(_ changes: SilenceChanges, of device: String) throws(StoreError) {
    guard changes != SilenceChanges() else { return }
    guard let row = try connection.first(Queries.device, { $0.add(device) }, read: { $0.int64() }) else {
      return
    }
    if changes.replacesAll { try connection.run(Queries.removeAll) { $0.add(row) } }
    for number in changes.ended {
      try connection.run(Queries.remove) {
        $0.add(row)
        $0.add(number)
      }
    }
    for silence in changes.changed {
      if let state = silence.state {
        try connection.run(Queries.save) {
          $0.add(row)
          $0.add(silence.number)
          $0.add(state)
        }
      }
      if let settled = silence.settledThrough {
        try connection.run(Queries.settle) {
          $0.add(row)
          $0.add(silence.number)
          $0.add(settled)
        }
      }
      for (time, position) in silence.late {
        try connection.run(Queries.addLate) {
          $0.add(row)
          $0.add(silence.number)
          $0.add(time)
          $0.add(position)
        }
      }
    }
  }
}

private enum Queries {
  static let device = SQL("SELECT row FROM devices WHERE name = ?")
  static let silences = SQL(
    """
    SELECT s.number, s.state FROM silences s JOIN devices d ON d.row = s.device WHERE d.name = ?
    ORDER BY s.number
    """)
  static let late = SQL(
    """
    SELECT p.time_at, p.position FROM late_positions p JOIN devices d ON d.row = p.device
    WHERE d.name = ? AND p.silence = ?
    """)
  static let removeAll = SQL("DELETE FROM silences WHERE device = ?")
  static let remove = SQL("DELETE FROM silences WHERE device = ? AND number = ?")
  static let save = SQL(
    """
    INSERT INTO silences (device, number, state) VALUES (?, ?, ?)
    ON CONFLICT (device, number) DO UPDATE SET state = excluded.state
    """)
  static let settle = SQL("DELETE FROM late_positions WHERE device = ? AND silence = ? AND time_at <= ?")
  static let addLate = SQL("INSERT OR REPLACE INTO late_positions VALUES (?, ?, ?, ?)")
}
