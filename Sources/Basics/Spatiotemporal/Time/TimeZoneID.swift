/// The name of a time zone: an IANA name such as `Europe/Berlin`, or the TZID of a VTIMEZONE in a file.
public struct TimeZoneID: RawRepresentable, Hashable, Sendable {
  /// The name as written.
  public var rawValue: String

  /// The zone named `rawValue`. The Recurrence room knows if it exists.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Coordinated Universal Time.
  public static let utc = TimeZoneID(rawValue: "UTC")
}
