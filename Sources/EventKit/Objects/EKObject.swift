public import Foundation

/// What calendars, items, alarms and the rest have in common: they may be new or changed, and changes can be
/// taken back.
///
/// Objects belong to the store that they were made with, and are not `Sendable`: use one store and its objects
/// from one place at a time.
open class EKObject: NSObject {
  /// True where this object, or one that is a part of it such as an alarm, was changed and not saved.
  open var hasChanges: Bool { false }

  /// True where it was never saved.
  open var isNew: Bool { true }

  /// Takes back all changes and forgets what was loaded: the next look at it loads it again. Nothing for a
  /// new object.
  open func reset() {}

  /// Takes back all changes. Nothing for a new object.
  open func rollback() {}

  /// Loads what the store says of it now, but for what was changed here.
  ///
  /// - Returns: False where the store no longer has it: let go of the object then.
  @discardableResult
  open func refresh() -> Bool { true }
}
