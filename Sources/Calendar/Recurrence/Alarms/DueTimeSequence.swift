import FencepostAlgorithms
public import FencepostCalendarModel

/// The due times of one alarm after an instant, in order, computed on demand.
///
/// Cost: one search for an occurrence, then one step of the series for each.
public struct DueTimeSequence: Sequence, IteratorProtocol {
  /// The next due time for one occurrence.
  private struct Candidate: Comparable {
    var time: Instant
    var repetition: Int
    let occurrence: CalendarTime?

    static func < (a: Candidate, b: Candidate) -> Bool { a.time < b.time }
    static func == (a: Candidate, b: Candidate) -> Bool { a.time == b.time }
  }

  private let kind: Firing.Kind
  private let alarm: Identifier<Alarm>
  private let item: Identifier<CalendarItem>
  private let repetitions: (count: Int, interval: Double)
  /// The first due time for an occurrence.
  private let moment: (Occurrence) -> Instant
  /// The earliest due time, in seconds after an occurrence's start.
  private let lead: Double
  private var occurrences: OccurrenceSequence?
  private var upcoming: Occurrence?
  private var candidates = Heap<Candidate>()
  private var after: Instant

  /// One due time with repetitions.
  init(
    of alarm: Alarm, of item: CalendarItem, at base: Instant, repetitions: (count: Int, interval: Double),
    after: Instant
  ) {
    (kind, self.alarm, self.item) = (.absolute, alarm.id, item.id)
    self.repetitions = repetitions
    (moment, lead) = ({ _ in base }, 0)
    self.after = after
    add(base, of: nil)
  }

  /// One due time for each occurrence, with repetitions.
  init(
    of alarm: Alarm, of item: CalendarItem, in occurrences: OccurrenceSequence,
    repetitions: (count: Int, interval: Double), after: Instant, lead: Double,
    moment: @escaping (Occurrence) -> Instant
  ) {
    (kind, self.alarm, self.item) = (.relative, alarm.id, item.id)
    self.repetitions = repetitions
    (self.moment, self.lead) = (moment, lead)
    self.after = after
    self.occurrences = occurrences
    upcoming = self.occurrences?.next()
  }

  /// No due times.
  init(neverOf alarm: Alarm, of item: CalendarItem) {
    (kind, self.alarm, self.item) = (.absolute, alarm.id, item.id)
    (repetitions, moment, lead, after) = ((0, 0), { _ in .distantFuture }, 0, .distantFuture)
  }

  /// The next due time; `nil` at the end. Each is later than the one before.
  public mutating func next() -> DueTime? {
    while true {
      while let occurrence = upcoming,
        candidates.first.map({ occurrence.startInstant.adding(seconds: lead) <= $0.time }) ?? true
      {
        add(moment(occurrence), of: occurrence.recurrenceID == nil ? nil : occurrence.start)
        upcoming = occurrences?.next()
      }
      guard let first = candidates.first else { return nil }
      takeFirst()
      // Two occurrences may have the same due time.
      guard first.time > after else { continue }
      after = first.time
      return DueTime(
        kind: kind, time: first.time, alarm: alarm, item: item, occurrence: first.occurrence,
        repetition: first.repetition)
    }
  }

  /// Adds the first time from `base` on, repetitions included, that is after the last due time.
  private mutating func add(_ base: Instant, of occurrence: CalendarTime?) {
    var passed = 0.0
    if base <= after {
      guard repetitions.count > 0 else { return }
      passed = (after.seconds(since: base) / repetitions.interval).rounded(.down) + 1
      guard passed <= Double(repetitions.count) else { return }
    }
    let time = passed == 0 ? base : base.adding(seconds: passed * repetitions.interval)
    candidates.insert(Candidate(time: time, repetition: Int(passed), occurrence: occurrence))
  }

  /// Removes the earliest candidate, or replaces it by its next repetition.
  private mutating func takeFirst() {
    guard let first = candidates.first else { return }
    guard first.repetition < repetitions.count else {
      candidates.popFirst()
      return
    }
    candidates.updateFirst {
      $0.repetition += 1
      $0.time = $0.time.adding(seconds: repetitions.interval)
    }
  }
}
