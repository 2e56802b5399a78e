/// The name of a time zone: an IANA name such as `Europe/Berlin`, or the TZID of a VTIMEZONE that came
/// with a file.
public struct TimeZoneID: RawRepresentable, Hashable, Sendable {
  /// The name as it was said.
  public var rawValue: String

  /// The zone named `rawValue`. Whether there is such a zone is for the Recurrence room to say.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Coordinated Universal Time.
  public static let utc = TimeZoneID(rawValue: "UTC")
}
