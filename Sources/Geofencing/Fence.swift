public import Spatiotemporal

/// The number by which a caller knows a fence.
public struct FenceID: RawRepresentable, Hashable, Sendable, Comparable {
  /// The number; the row of the store where the fence comes from there.
  public var rawValue: Int64

  /// The fence called `rawValue`.
  @inlinable
  public init(rawValue: Int64) { self.rawValue = rawValue }

  /// By number.
  @inlinable
  public static func < (a: FenceID, b: FenceID) -> Bool { a.rawValue < b.rawValue }
}

/// A region whose boundary is watched.
///
/// A circle whose radius is negative or not a number, or whose centre is not on the globe, contains nothing; nor does a
/// polygon of fewer than three points, with one that is not on the globe, or that reaches around half of the Earth. What
/// a polygon's boundary goes around is the smaller side of it.
public struct Fence: Hashable, Sendable, Identifiable {
  /// Who it is.
  public var id: FenceID
  /// What it covers, on WGS 84.
  public var region: Region
  /// When it came to be or was last moved, as a number that rises with each change to the set of fences.
  ///
  /// A device whose ``DeviceState`` last looked at fences of a lower revision has not seen this one: what it
  /// is at its next look (inside or outside) is taken as given, not as a crossing. Row numbers that are never
  /// used twice serve, as long as fences keep their place; so does the number of the store's last change.
  public var revision: Int64
  /// True where a device that is inside at its first look at the fence is told so, by a transition whose
  /// ``Transition/isInitial`` is true.
  public var reportsInitialPresence: Bool
  /// True where a device that passes through counts as having come in: see ``ProximityTrigger/includesPassing``.
  public var seesPassing: Bool

  /// A fence. Its revision is its number where none is given.
  public init(
    id: FenceID, region: Region, revision: Int64? = nil, reportsInitialPresence: Bool = false,
    seesPassing: Bool = false
  ) {
    self.id = id
    self.region = region
    self.revision = revision ?? id.rawValue
    self.reportsInitialPresence = reportsInitialPresence
    self.seesPassing = seesPassing
  }
}
