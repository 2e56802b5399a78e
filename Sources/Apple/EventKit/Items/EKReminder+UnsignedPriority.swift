/// Makes `reminder.priority = EKReminderPriority.medium.rawValue` compile, which tutorials use: the raw value is a
/// `UInt`, but the property an `Int`. A class's own member takes precedence over a protocol's, so `priority` is an
/// `Int` unless the context requires a `UInt`.
public protocol _EKUnsignedPriority: AnyObject {}

extension _EKUnsignedPriority where Self: EKReminder {
  /// ``EKReminder/priority`` as the raw value of an ``EKReminderPriority``.
  public var priority: UInt {
    get { UInt(clamping: (self as EKReminder).priority as Int) }
    set { (self as EKReminder).priority = Int(clamping: newValue) as Int }
  }
}

extension EKReminder: _EKUnsignedPriority {}
