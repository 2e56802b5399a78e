/// By what it is known that a device crossed a boundary.
public enum CrossingSource: String, Hashable, Sendable, CaseIterable {
  /// Its positions say so.
  case positions
  /// No position came after one beyond the boundary.
  case silence
  /// The way between two positions leads through.
  case passage
  /// The phone says so itself.
  case phone
}
