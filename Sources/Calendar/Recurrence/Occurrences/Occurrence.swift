public import FencepostCalendarModel

/// One occurrence of an item.
///
/// It is small, so that a year of them is cheap: the occurrences of an item share their common data.
public struct Occurrence: Sendable {
  /// The start.
  public var startInstant: Instant { Instant(seconds: startSeconds) }
  /// The end; the same as ``startInstant`` if it has no duration.
  public var endInstant: Instant { Instant(seconds: endSeconds) }
  /// The start, in the form of the item's start.
  public var start: CalendarTime { form.start.with(civil: CivilDateTime(secondsSinceEpoch: startLocal)) }
  /// The end, in the form of the item's end: an event's end, a reminder's due time.
  public var end: CalendarTime { form.end.with(civil: CivilDateTime(secondsSinceEpoch: endLocal)) }
  /// The original start in the series, like RECURRENCE-ID; `nil` if the item does not recur.
  public var recurrenceID: CalendarTime? {
    form.identifier?.with(civil: CivilDateTime(secondsSinceEpoch: identifierLocal))
  }
  /// The index in ``OccurrenceSeries/items`` of the item with its title and other properties.
  public var item: Int { form.item }
  /// Whether that item is for this occurrence only.
  public var isDetached: Bool { form.isDetached }
  /// Whether that item is cancelled (STATUS:CANCELLED).
  public var isCancelled: Bool { form.isCancelled }

  /// The common data of the occurrences of one item.
  final class Form: Sendable {
    let item: Int
    let start: CalendarTime
    let end: CalendarTime
    let identifier: CalendarTime?
    let isDetached: Bool
    let isCancelled: Bool

    init(
      item: Int, start: CalendarTime, end: CalendarTime, identifier: CalendarTime?, isDetached: Bool,
      isCancelled: Bool
    ) {
      self.item = item
      self.start = start
      self.end = end
      self.identifier = identifier
      self.isDetached = isDetached
      self.isCancelled = isCancelled
    }
  }

  let form: Form
  let identifierLocal: Int64
  let startLocal: Int64
  let endLocal: Int64
  let startSeconds: Int64
  let endSeconds: Int64
}

extension Occurrence: Hashable {
  /// Whether both have the same times and the same item.
  public static func == (a: Occurrence, b: Occurrence) -> Bool {
    a.startSeconds == b.startSeconds && a.endSeconds == b.endSeconds && a.item == b.item && a.start == b.start
      && a.end == b.end && a.recurrenceID == b.recurrenceID
  }

  /// Hashes times and item.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(startSeconds)
    hasher.combine(endSeconds)
    hasher.combine(item)
  }
}
