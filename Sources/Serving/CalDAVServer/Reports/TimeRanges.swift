import FencepostCalDAV
import FencepostCalendarModel
import FencepostRecurrence

/// The times of an object, for the time ranges of conditions (RFC 4791, section 9.9). Each answer is computed
/// once.
final class TimeRanges {
  private let items: [CalendarItem]
  private let resolver: TimeResolver
  private lazy var series = OccurrenceSeries(items, resolver: resolver)
  private lazy var hasDates = items.contains { $0.anchor != nil }
  /// The relative alarms of all items, each once: overrides of a series usually have the same.
  private lazy var relativeAlarms: Set<RelativeAlarm> = Set(
    items.flatMap(\.alarms).compactMap { alarm in
      guard case .relative(let offset, let edge) = alarm.trigger else { return nil }
      return RelativeAlarm(
        seconds: Double(offset.nominalSeconds), isOfStart: edge == .start, repeats: Repeats(alarm))
    })
  private var answers: [Question: Bool] = [:]

  private struct RelativeAlarm: Hashable {
    var seconds: Double
    var isOfStart: Bool
    var repeats: Repeats
  }

  /// When an alarm goes off again: REPEAT and DURATION.
  private struct Repeats: Hashable {
    var count = 0
    var seconds = 0.0

    init(_ alarm: Alarm) {
      guard let interval = alarm.repeatInterval, interval.nominalSeconds > 0 else { return }
      seconds = Double(interval.nominalSeconds)
      count = min(max(alarm.repeatCount, 0), Int(TimeRanges.maximumRepeats / seconds))
    }

    /// Whether an alarm that first goes off at a time goes off in a range.
    func contains(_ first: Instant, in range: Range<Instant>) -> Bool {
      if range.contains(first) { return true }
      guard count > 0, first < range.lowerBound else { return false }
      let number = (range.lowerBound.seconds(since: first) / seconds).rounded(.up)
      return number <= Double(count) && range.contains(first.adding(seconds: number * seconds))
    }
  }
  /// Repetitions that go on for longer are not looked at: each range would need all earlier occurrences.
  private static let maximumRepeats = 86_400.0

  private struct Question: Hashable {
    var range: TimeRange
    var name: String
  }

  init(of items: [CalendarItem], resolver: TimeResolver) {
    self.items = items
    self.resolver = resolver
  }

  /// Whether the object has an occurrence in a range, or an alarm goes off in it.
  ///
  /// - Parameter name: The kind of component that the range is for.
  func contains(_ range: TimeRange, _ name: String) -> Bool {
    let question = Question(range: range, name: name)
    if let answer = answers[question] { return answer }
    let answer = answer(range, name)
    answers[question] = answer
    return answer
  }

  private func answer(_ range: TimeRange, _ name: String) -> Bool {
    let (start, end) = (range.start ?? .distantPast, range.end ?? .distantFuture)
    switch name {
    case "VEVENT", "VTODO":
      if hasDates {
        guard name == "VTODO" else {
          var occurrences = series.occurrences(in: start..<end)
          return occurrences.next() != nil
        }
        // Ranges of reminders also contain some that only touch them.
        return series.occurrences(in: moved(start, by: -1)..<moved(end, by: 1)).contains {
          contains($0, start, end)
        }
      }
      // A reminder without dates: by when it was made and completed.
      guard let item = items.first else { return false }
      switch (item.created, item.reminder?.completed) {
      case (let created?, let completed?):
        return (start <= created || start <= completed) && (end >= created || end >= completed)
      case (nil, let completed?): return start <= completed && completed <= end
      case (let created?, nil): return end > created
      case (nil, nil): return true
      }
    case "VALARM":
      return items.contains { item in
        item.alarms.contains {
          if case .absolute(let instant) = $0.trigger {
            Repeats($0).contains(instant, in: start..<end)
          } else {
            false
          }
        }
      } || relativeAlarms.contains { goesOff($0, in: start..<end) }
    default: return false
    }
  }

  /// Whether an occurrence of a reminder is in a range: the table for VTODO.
  private func contains(_ occurrence: Occurrence, _ start: Instant, _ end: Instant) -> Bool {
    guard let reminder = items[occurrence.item].reminder else { return false }
    let (begin, due) = (occurrence.startInstant, occurrence.endInstant)
    switch (reminder.start, reminder.due) {
    case (_?, _?): return (start < due || start <= begin) && (end > begin || end >= due)
    case (nil, _?): return start < due && end >= due
    case (_, nil): return start <= begin && end > begin
    }
  }

  private func moved(_ instant: Instant, by seconds: Double) -> Instant {
    [.distantPast, .distantFuture].contains(instant) ? instant : instant.adding(seconds: seconds)
  }

  private func goesOff(_ alarm: RelativeAlarm, in range: Range<Instant>) -> Bool {
    let shifted = moved(range.lowerBound, by: -alarm.seconds)..<moved(range.upperBound, by: -alarm.seconds)
    let earliest = moved(shifted.lowerBound, by: -Double(alarm.repeats.count) * alarm.repeats.seconds)
    return series.occurrences(in: earliest..<shifted.upperBound).contains {
      alarm.repeats.contains(alarm.isOfStart ? $0.startInstant : $0.endInstant, in: shifted)
    }
  }
}
