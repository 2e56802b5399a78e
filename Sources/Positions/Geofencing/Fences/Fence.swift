public import FencepostSpatiotemporal

/// The number that identifies a fence to its caller.
public struct FenceID: RawRepresentable, Hashable, Sendable, Comparable {
  /// The number: the row of the store, if the fence comes from a store.
  public var rawValue: Int64

  /// The fence with the number `rawValue`.
  @inlinable
  public init(rawValue: Int64) { self.rawValue = rawValue }

  /// Orders by number.
  @inlinable
  public static func < (a: FenceID, b: FenceID) -> Bool { a.rawValue < b.rawValue }
}

/// A region whose boundary is watched.
///
/// A circle contains nothing if its radius is negative or NaN, or if its centre is not on the globe. A
/// polygon contains nothing if it has fewer than three points, has a point that is not on the globe, or
/// reaches around half of the Earth. A polygon's inside is the smaller side of its boundary.
public struct Fence: Hashable, Sendable, Identifiable {
  /// Identifies it.
  public var id: FenceID
  /// What it covers, on WGS 84.
  public var region: Region
  /// When it was created or last moved, as a number that rises with each change to the set of fences.
  ///
  /// A device whose ``DeviceState`` last looked at fences of a lower revision has not seen this one. The fix
  /// before its next look then decides where it was, if that is clear; a crossing since is marked with
  /// ``Transition/isFirstLook``. Row numbers serve if they are never reused, and a fence that moves gets a new
  /// one.
  public var revision: Int64
  /// True to report a device that is inside at its first look at the fence, by a transition with
  /// ``Transition/isInitial``.
  public var reportsInitialPresence: Bool
  /// True if a device that only passes through also enters.
  public var seesPassing: Bool

  /// A fence. Its revision defaults to its number.
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
