/// The options of a synchronization.
public struct SyncOptions: Hashable, Sendable {
  /// True for a dry run: only count the changes.
  public var isDryRun = false
  /// True to allow removing more than half of a list (``Reconciliation/SyncPlan/removesMuchHere``).
  public var allowsLargeRemovals = false

  /// The most seconds to wait for another program that synchronizes the same account.
  public var lockTimeout = 0.0

  /// What servers are asked to push.
  public enum Pushes: Hashable, Sendable {
    /// What they were asked before.
    case asBefore
    /// All changes, to an address of this program without a path; with `nil` nothing.
    case to(String?)
  }

  /// What the server is asked to push.
  public var pushes = Pushes.asBefore

  /// The default options.
  public init() {}
}
