public import FencepostCalendarStore
public import FencepostJSON

extension JSONLine {
  /// Adds the values of a conflict: which one was kept, and which one was lost.
  public mutating func add(_ conflict: SyncConflict) {
    add("title", conflict.title)
    add("occurrence", conflict.occurrence)
    add("property", conflict.property)
    add("loser", conflict.loser)
    add("kept", conflict.kept)
    add("lost", conflict.lost)
  }
}
