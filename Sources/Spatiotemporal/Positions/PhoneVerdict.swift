/// What a phone itself made of where it is: its system watches regions and notices visits with sensors that no position
/// report tells of.
public struct PhoneVerdict: Hashable, Sendable {
  /// What the phone says.
  public enum Kind: UInt8, Hashable, Sendable, CaseIterable {
    /// It came into a region that it watches.
    case enter
    /// It left such a region.
    case leave
    /// It is in such a region.
    case inside
    /// It stays here: a visit began, and is not over.
    case visit
    /// A visit here is over.
    case departure
    /// A boundary of a region that it watches made it report; it does not say which one, or which way.
    case wakened
  }

  /// What it says.
  public var kind: Kind
  /// The region that it means; `nil` where it does not say, or says it in a way that leads nowhere.
  public var waypoint: WaypointKey?

  /// A verdict.
  @inlinable
  public init(_ kind: Kind, of waypoint: WaypointKey? = nil) {
    self.kind = kind
    self.waypoint = waypoint
  }
}

/// By what a phone knows a region that it watches.
///
/// A number of fixed size, as fixes hold no references.
public struct WaypointKey: Hashable, Sendable {
  /// Positive for a fence that the phone was given, as its number; else made of the phone's own key.
  private var code: Int64

  private static let prefix = "fencepost-"
  /// When OwnTracks began: a waypoint that says that it was made before is one that it was given.
  private static let firstStamp: Int64 = 1_000_000_000

  /// The key of a fence that the phone was given.
  public init(fence number: Int64) { code = number }

  /// The key that stands in a text: OwnTracks' `rid`.
  public init(text: String) {
    if text.hasPrefix(WaypointKey.prefix), let number = Int64(text.dropFirst(WaypointKey.prefix.count)),
      number > 0
    {
      code = number
    } else {
      // FNV-1a of 64 bits (Fowler, Noll, Vo), without the sign.
      let hash = text.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x0100_0000_01b3 }
      code = -Int64(hash >> 1) - 1
    }
  }

  /// The key of a waypoint that is only named: OwnTracks' `inregions`.
  public init(name: String) { self.init(text: "name:" + name) }

  /// The key that is the time, in seconds since 1970, when a waypoint was made: OwnTracks' `wtst`.
  public init(stamp: Int64) {
    self =
      stamp > 0 && stamp < WaypointKey.firstStamp
      ? WaypointKey(fence: stamp) : WaypointKey(text: String(stamp))
  }

  /// The number of the fence that the phone was given; `nil` where the region is its own.
  public var fence: Int64? { code > 0 ? code : nil }

  /// How the identifier of an item begins that was made of a phone's waypoint; the phone's key comes after it.
  public static let itemPrefix = "owntracks-"

  /// The text by which a phone shall know a fence.
  public static func text(ofFence number: Int64) -> String { prefix + String(number) }
}
