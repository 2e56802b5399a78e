public import Foundation

/// The base class of calendars, items, alarms and other objects. They may be new or changed, and changes can
/// be reverted.
///
/// Objects belong to the store that created them, and are not `Sendable`: use a store and its objects from
/// one thread at a time.
open class EKObject: NSObject {
  /// True if this object, or a part such as an alarm, has unsaved changes.
  open var hasChanges: Bool { false }

  /// True if it was never saved.
  open var isNew: Bool { true }

  /// Reverts all changes and discards loaded values; the next access loads them again. Does nothing for a new
  /// object.
  open func reset() {}

  /// Reverts all changes. Does nothing for a new object.
  open func rollback() {}

  /// Loads the store's value, but keeps unsaved changes.
  ///
  /// - Returns: False if the store no longer has it: release the object then.
  @discardableResult
  open func refresh() -> Bool { true }
}
