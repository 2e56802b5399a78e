public import Spatiotemporal

/// A device crossed the boundary of a fence.
public struct Transition: Hashable, Sendable {
  /// Which way.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// From outside to inside.
    case enter
    /// From inside to outside.
    case leave
  }

  /// The fence.
  public var fence: FenceID
  /// Which way.
  public var kind: Kind
  /// When the boundary was crossed, as near as the fixes tell.
  public var time: Instant
  /// When it was sure: the time of ``fix``; `nil` where that is ``time``.
  public var confirmedAt: Instant?
  /// The fix that settled it.
  public var fix: Fix
  /// True where ``time`` was found between two fixes.
  public var isInterpolated: Bool
  /// True where the device was inside already at its first look at the fence (see
  /// ``Fence/reportsInitialPresence``); ``kind`` is then ``Kind/enter``.
  public var isInitial: Bool
  /// True where the fix before is older than the fence: the crossing may be, too, which the fence's owner can tell by
  /// ``time``.
  public var isFirstLook: Bool
  /// What settled it.
  public var source: CrossingSource
  /// True where the fixes that settled it came after later ones: where the device is now does not follow from it.
  public var isLate: Bool

  /// A transition.
  public init(
    fence: FenceID, kind: Kind, time: Instant, confirmedAt: Instant? = nil, fix: Fix,
    isInterpolated: Bool = false, isInitial: Bool = false, isFirstLook: Bool = false,
    source: CrossingSource = .positions, isLate: Bool = false
  ) {
    self.fence = fence
    self.kind = kind
    self.time = time
    self.confirmedAt = confirmedAt
    self.fix = fix
    self.isInterpolated = isInterpolated
    self.isInitial = isInitial
    self.isFirstLook = isFirstLook
    self.source = source
    self.isLate = isLate
  }
}
