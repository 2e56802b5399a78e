import CalDAV
import CalendarModel
import Recurrence

/// The times of an object, for the time ranges of conditions (RFC 4791, section 9.9). Each answer is computed once.
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
        seconds: Double(offset.days) * 86_400 + Double(offset.seconds), isOfStart: edge == .start)
    })
  private var answers: [Question: Bool] = [:]

  private struct RelativeAlarm: Hashable {
    var seconds: Double
    var isOfStart: Bool
  }

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
        var occurrences = series.occurrences(in: start..<end)
        return occurrences.next() != nil
      }
      // A reminder without dates: by when it was made and completed.
      guard let item = items.first else { return false }
      switch (item.created, item.reminder?.completed) {
      case (let created?, let completed?): return created <= end && completed >= start
      case (nil, let completed?): return start <= completed && completed <= end
      case (let created?, nil): return created < end
      case (nil, nil): return true
      }
    case "VALARM":
      return items.contains { item in
        item.alarms.contains {
          if case .absolute(let instant) = $0.trigger { (start..<end).contains(instant) } else { false }
        }
      } || relativeAlarms.contains { goesOff($0, in: start..<end) }
    default: return false
    }
  }

  private func goesOff(_ alarm: RelativeAlarm, in range: Range<Instant>) -> Bool {
    func moved(_ instant: Instant) -> Instant {
      [.distantPast, .distantFuture].contains(instant) ? instant : instant.adding(seconds: -alarm.seconds)
    }
    let shifted = moved(range.lowerBound)..<moved(range.upperBound)
    return series.occurrences(in: shifted).contains {
      shifted.contains(alarm.isOfStart ? $0.startInstant : $0.endInstant)
    }
  }
}
