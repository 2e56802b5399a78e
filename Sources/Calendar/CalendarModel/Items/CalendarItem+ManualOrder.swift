public import FencepostSpatiotemporal

/// The order of reminders that people give them by hand.
///
/// It is in the property X-APPLE-SORT-ORDER, as Apple's Reminders, Tasks.org and Nextcloud's Tasks write
/// it, so it goes wherever the item goes: a whole number, smaller ones first. A reminder without one counts
/// as if it had the seconds from 2001 to its creation: a new one comes last.
extension CalendarItem {
  private static let orderProperty = "X-APPLE-SORT-ORDER"
  /// Larger numbers are a mistake, and can't be counted on.
  private static let maximumOrder: UInt64 = 1 << 53
  /// The start of Apple's time, in seconds.
  private static let firstSecond: Int64 = 978_307_200

  /// Its place among its siblings, smaller ones first.
  public var manualOrder: Int64 {
    if let order = writtenOrder { return order }
    return created.map { $0.microseconds / 1_000_000 - Self.firstSecond } ?? 0
  }

  /// The order that the property has; `nil` without a usable one.
  private var writtenOrder: Int64? {
    for line in preserved.properties where Self.isOrder(line) {
      guard let colon = line.lastIndex(of: ":"), let order = Int64(line[line.index(after: colon)...]),
        order.magnitude <= Self.maximumOrder
      else { continue }
      return order
    }
    return nil
  }

  /// Gives it a place among its siblings.
  ///
  /// - Parameter now: The time of the change.
  public mutating func setManualOrder(_ order: Int64, at now: Instant) {
    preserved.properties.removeAll(where: Self.isOrder)
    preserved.properties.append("\(Self.orderProperty):\(order)")
    lastModified = now
  }

  private static func isOrder(_ line: String) -> Bool {
    let name = line.prefix { $0 != ":" && $0 != ";" }
    return name.utf8.count == orderProperty.utf8.count && name.uppercased() == orderProperty
  }

  /// Whether it comes before another one in the order by hand; of two with one number the older one.
  public func precedesManually(_ other: CalendarItem) -> Bool {
    let (one, two) = (manualOrder, other.manualOrder)
    if one != two { return one < two }
    if created != other.created { return (created ?? .distantPast) < (other.created ?? .distantPast) }
    return id < other.id
  }
}
