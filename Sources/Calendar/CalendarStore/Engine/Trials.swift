import FencepostCalendarModel
public import FencepostDatabase

/// What a channel made of a firing.
public struct DeliveryOutcome: Hashable, Sendable {
  /// The channel.
  public var channel: String
  /// Whether it has taken it.
  public var state: Delivery.State
  /// How often it was tried.
  public var attempts: Int
  /// The last error.
  public var lastError: String?
}

extension StoreReader {
  /// The deliveries of a firing, in the order of its channels.
  public func deliveries(ofFiring key: String) throws(StoreError) -> [DeliveryOutcome] {
    try connection.all(Queries.outcomes, { $0.add(key) }) { row in
      DeliveryOutcome(
        channel: row.text(), state: row.value(or: .pending), attempts: row.int(),
        lastError: row.optionalText())
    }
  }

  /// The firings of a pretended phone, in order.
  public func firings(ofTrial device: String) throws(StoreError) -> [LedgerEntry] {
    try connection.all(Queries.firings, { $0.add(device) }, read: { $0.ledgerEntry() })
  }
}

extension StoreWriter {
  /// Erases what trials left: their phones with positions and stays, their firings with deliveries, and their
  /// clients.
  ///
  /// Cost: reads the whole ledger, because no index is worth its price for this.
  public func removeTrialPhones() throws(StoreError) {
    for query in [Queries.removeFirings, Queries.removeStays, Queries.removeDevices] {
      try connection.run(query)
    }
    for client in try reader.clients() where Trial.isDevice(client.name) {
      try removeClient(user: client.user)
    }
  }
}

private enum Queries {
  static let pattern = "'\(Trial.devicePrefix)*'"
  static let outcomes = SQL(
    """
    SELECT d.channel, d.state, d.attempts, d.last_error
    FROM deliveries d JOIN firings f ON f.row = d.firing WHERE f.key = ? ORDER BY d.row
    """)
  static let firings = SQL("SELECT \(LedgerColumns.list) FROM firings f WHERE f.device = ? ORDER BY f.row")
  static let removeFirings = SQL("DELETE FROM firings WHERE device GLOB \(pattern)")
  static let removeStays = SQL("DELETE FROM due_times WHERE device GLOB \(pattern)")
  static let removeDevices = SQL("DELETE FROM devices WHERE name GLOB \(pattern)")
}
