public import Foundation

extension NSNotification.Name {
  /// Something in the store changed: through this `EKEventStore`, another one, or another process. Posted on the
  /// main actor with the `EKEventStore` as its object.
  ///
  /// It does not say what changed. Take all events for out of date: fetch them again, and `refresh()` those that
  /// are being edited.
  public static let EKEventStoreChanged = NSNotification.Name("EKEventStoreChangedNotification")
}
