/// How to synchronize.
public struct SyncOptions: Hashable, Sendable {
  /// True to only count what would be done.
  public var isDryRun = false
  /// True to remove also more than half of a list (``Reconciliation/SyncPlan/removesMuchHere``).
  public var allowsLargeRemovals = false

  /// The most seconds to wait for another program that synchronizes the same account.
  public var patience = 0.0

  /// The usual way.
  public init() {}
}
