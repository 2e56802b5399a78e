extension CalendarItem {
  /// The content line that marks a reminder that stands for its list. Other programs keep it, and show an
  /// ordinary reminder.
  public static let wholeListLine = "X-FENCEPOST-WHOLE-LIST:TRUE"

  /// Whether it stands for its whole list: its alarms go off only while other reminders of the list are open,
  /// and tell which. "Something to buy at the shop" is one alarm, however much there is to buy.
  public var isForWholeList: Bool {
    get { !isEvent && preserved.properties.contains(Self.wholeListLine) }
    set {
      preserved.properties.removeAll { $0 == Self.wholeListLine }
      if newValue { preserved.properties.append(Self.wholeListLine) }
    }
  }
}
