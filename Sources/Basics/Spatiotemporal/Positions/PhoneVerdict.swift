import FencepostAlgorithms

/// A phone's own conclusion about its place. Its system watches regions and notices visits with sensors that position
/// reports do not include.
public struct PhoneVerdict: Hashable, Sendable {
  /// The kind of conclusion.
  public enum Kind: UInt8, Hashable, Sendable, CaseIterable {
    /// It entered a region that it watches.
    case enter
    /// It left such a region.
    case leave
    /// It is in such a region.
    case inside
    /// It stays here: a visit began and goes on.
    case visit
    /// A visit here ended.
    case departure
    /// A boundary of a watched region made it report; which region, and which direction, is unknown.
    case wakened
  }

  /// The kind of conclusion.
  public var kind: Kind
  /// The region; `nil` if the phone does not name one, or names it in a form that can't be resolved.
  public var waypoint: WaypointKey?

  /// A verdict.
  @inlinable
  public init(_ kind: Kind, of waypoint: WaypointKey? = nil) {
    self.kind = kind
    self.waypoint = waypoint
  }
}

/// The key by which a phone knows a region that it watches.
///
/// A number of fixed size, because fixes hold no references.
public struct WaypointKey: Hashable, Sendable {
  /// The number of a fence that the phone received, which is positive; else a hash of the phone's own key.
  private var code: Int64

  private static let prefix = "fencepost-"
  /// OwnTracks' first release. An earlier creation time of a waypoint is the number of a fence that the phone
  /// received.
  private static let firstStamp: Int64 = 1_000_000_000

  /// The key of a fence that the phone received.
  public init(fence number: Int64) { code = number }

  /// The key in a text: OwnTracks' `rid`.
  public init(text: String) {
    if text.hasPrefix(WaypointKey.prefix), let number = Int64(text.dropFirst(WaypointKey.prefix.count)),
      number > 0
    {
      code = number
    } else {
      // Shift out the sign, which distinguishes these keys from numbers of fences.
      code = -Int64(StableHash(of: text).value >> 1) - 1
    }
  }

  /// The key of a waypoint that only has a name: OwnTracks' `inregions`.
  public init(name: String) { self.init(text: "name:" + name) }

  /// The key for a waypoint's creation time in seconds since 1970: OwnTracks' `wtst`.
  public init(stamp: Int64) {
    self =
      stamp > 0 && stamp < WaypointKey.firstStamp
      ? WaypointKey(fence: stamp) : WaypointKey(text: String(stamp))
  }

  /// The number of the fence that the phone received; `nil` for the phone's own region.
  public var fence: Int64? { code > 0 ? code : nil }

  /// The prefix of an item's identifier that was created from a phone's waypoint; the phone's key follows it.
  public static let itemPrefix = "owntracks-"

  /// The key for a fence that a phone receives.
  public static func text(ofFence number: Int64) -> String { prefix + String(number) }
}
