/// An alarm as its firings name it, with its item and place.
///
/// The firings of an alarm at crossings share one: to copy its texts for each would cost more than to find the crossing.
public final class AlarmSubject: Sendable {
  // What each line of a replay needs comes first, so that fewer parts of an object are fetched from memory.

  /// The number of the alarm's fence in the store that it was read from, or `nil`.
  public let fence: Int64?
  /// What a list shows of the item; `nil` if that was not read with the alarm.
  public let heading: ItemHeading?
  /// The place, if the alarm waits for a crossing.
  public let place: StructuredLocation?
  /// The alarm.
  public let alarm: Identifier<Alarm>
  /// The alarm's item.
  public let item: Identifier<CalendarItem>

  /// A subject.
  public init(
    alarm: Identifier<Alarm>, item: Identifier<CalendarItem>, place: StructuredLocation? = nil,
    heading: ItemHeading? = nil, fence: Int64? = nil
  ) {
    self.alarm = alarm
    self.item = item
    self.place = place
    self.heading = heading
    self.fence = fence
  }
}

extension AlarmSubject: Hashable {
  /// Whether alarm, item and place are equal. The other properties only save a look at the store.
  public static func == (one: AlarmSubject, other: AlarmSubject) -> Bool {
    one === other || one.alarm == other.alarm && one.item == other.item && one.place == other.place
  }

  /// Hashes alarm and item.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(alarm)
    hasher.combine(item)
  }
}

/// The title of an item, and where it is listed.
public struct ItemHeading: Hashable, Sendable {
  /// The item's title.
  public var title: String
  /// The name of its list or calendar.
  public var list: String

  /// A heading.
  public init(title: String, list: String) {
    self.title = title
    self.list = list
  }
}
