public import FencepostSpatiotemporal

/// A device crossed the boundary of a fence.
public struct Transition: Hashable, Sendable {
  /// The direction.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// From outside to inside.
    case enter
    /// From inside to outside.
    case leave
  }

  /// The fence.
  public var fence: FenceID
  /// The direction.
  public var kind: Kind
  /// When the device crossed the boundary, as exactly as the fixes allow.
  public var time: Instant
  /// When the policy was sure: the time of ``fix``; `nil` if that is ``time``.
  public var confirmedAt: Instant?
  /// The fix that settled it.
  public var fix: Fix
  /// True if ``time`` was interpolated between two fixes.
  public var isInterpolated: Bool
  /// True if the device was already inside at its first look at the fence (see
  /// ``Fence/reportsInitialPresence``). ``kind`` is then ``Kind/enter``.
  public var isInitial: Bool
  /// True if the fix before is older than the fence. The crossing may be older too: compare ``time`` with the
  /// fence.
  public var isFirstLook: Bool
  /// What settled the crossing.
  public var source: CrossingSource
  /// True if later fixes came before those that settled it: it does not show where the device is now.
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
