public import CalendarModel

/// One time that an item takes place.
///
/// Small, so that a year of them is cheap: what all occurrences of an item have in common is shared.
public struct Occurrence: Sendable {
  /// When it starts.
  public var startInstant: Instant { Instant(seconds: startSeconds) }
  /// When it ends; the same as ``startInstant`` where it has no length.
  public var endInstant: Instant { Instant(seconds: endSeconds) }
  /// When it starts, in the form in which the item said it.
  public var start: CalendarTime { form.start.with(civil: CivilDateTime(secondsSinceEpoch: startLocal)) }
  /// When it ends, in the form in which the item said it: an event's end, a reminder's due time.
  public var end: CalendarTime { form.end.with(civil: CivilDateTime(secondsSinceEpoch: endLocal)) }
  /// The start that the series' rule gave it, which RECURRENCE-ID names it by; `nil` where the item does not
  /// repeat.
  public var recurrenceID: CalendarTime? {
    form.identifier?.with(civil: CivilDateTime(secondsSinceEpoch: identifierLocal))
  }
  /// Which of the series' items it takes its title and the rest from: an index of ``OccurrenceSeries/items``.
  public var item: Int { form.item }
  /// True where that item stands for this occurrence alone.
  public var isDetached: Bool { form.isDetached }
  /// True where the item it comes from is cancelled (STATUS:CANCELLED).
  public var isCancelled: Bool { form.isCancelled }

  /// What the occurrences of one item have in common.
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
  /// True where both say the same of the same item of their series.
  public static func == (a: Occurrence, b: Occurrence) -> Bool {
    a.startSeconds == b.startSeconds && a.endSeconds == b.endSeconds && a.item == b.item && a.start == b.start
      && a.end == b.end && a.recurrenceID == b.recurrenceID
  }

  /// By moment and item.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(startSeconds)
    hasher.combine(endSeconds)
    hasher.combine(item)
  }
}
