/// How the engine knows that a device crossed a boundary.
public enum CrossingSource: String, Hashable, Sendable, CaseIterable {
  /// By the device's positions.
  case positions
  /// No position came after one beyond the boundary.
  case silence
  /// The path between two positions leads through the region.
  case passage
  /// The phone reported it.
  case phone
}
