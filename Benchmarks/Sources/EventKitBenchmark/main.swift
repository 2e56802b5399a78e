// EventKit over a store of 100,000 events and 100,000 reminders: the usual operations of an app, in
// milliseconds.
//
//     swift run -c release --package-path Benchmarks EventKitBenchmark [ITEMS] [STORE]
//
// The store is created in a temporary directory and removed at the end. A store with a given path is kept,
// and used unchanged if it exists.
//
// With FENCEPOST_BROKER=PATH, the socket of `fencepost daemon --store STORE --broker PATH`, it also compares that
// with the file.

import EventKit

let arguments = CommandLine.arguments.dropFirst()
let count = arguments.first.flatMap { Int($0) } ?? 100_000
let directory = FileManager.default.temporaryDirectory
  .appendingPathComponent("fencepost-benchmark-\(ProcessInfo.processInfo.processIdentifier)")
let path = arguments.dropFirst().first ?? directory.appendingPathComponent("calendar.sqlite").path
defer { try? FileManager.default.removeItem(at: directory) }

let store = EKEventStore(storePath: path)
let base = Date(timeIntervalSince1970: 1_700_000_000)
let day: TimeInterval = 86_400
let clock = ContinuousClock()

/// The processor time of this process, in milliseconds.
func processorTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
}

/// Runs `body` several times. Prints the median and the maximum time of a run, and the average processor
/// time.
@MainActor
func measure(_ name: String, times: Int, _ body: () throws -> Int) rethrows {
  var runs: [Double] = []
  var result = 0
  let before = processorTime()
  for _ in 0..<times {
    let time = try clock.measure { result = try body() }
    runs.append(Double(time.components.seconds) * 1e3 + Double(time.components.attoseconds) / 1e15)
  }
  runs.sort()
  let median = String(format: "%8.2f", runs[runs.count / 2])
  let busy = String(format: "%8.2f", (processorTime() - before) / Double(times))
  let worst = String(format: "%8.2f", runs[runs.count - 1])
  print(
    "\(name.padding(toLength: 34, withPad: " ", startingAt: 0)) \(median) ms  worst \(worst) ms  processor \(busy) ms  (\(result))"
  )
}

/// Prints what an item by its identifier and a month's events cost over the file and over a broker's socket, in
/// turns: the medians, and the ratio.
func compare(_ stores: [(name: String, store: EKEventStore)], from start: Date, to end: Date) {
  var times: [String: [String: [Double]]] = [:]
  for _ in 0..<15 {
    for (name, store) in stores {
      let month = store.predicateForEvents(withStart: start, end: end, calendars: nil)
      var identifiers: [String] = []
      let whole = clock.measure { identifiers = store.events(matching: month).map(\.calendarItemIdentifier) }
      let picked = (0..<1_000).compactMap { _ in identifiers.randomElement() }
      // Nothing that the store has loaded counts.
      store.reset()
      let items = clock.measure {
        for identifier in picked where store.calendarItem(withIdentifier: identifier) == nil { exit(1) }
      }
      times["a month's \(identifiers.count) events", default: [:]][name, default: []].append(
        whole / .microseconds(1))
      times["an item by its identifier", default: [:]][name, default: []].append(
        items / .microseconds(max(1, picked.count)))
    }
  }
  for (what, times) in times.sorted(by: { $0.key < $1.key }) {
    let medians = stores.map { one in (times[one.name] ?? [0]).sorted()[(times[one.name] ?? [0]).count / 2] }
    let words = zip(stores, medians).map { String(format: "%@ %.1f µs", $0.name, $1) }.joined(separator: ", ")
    print(String(format: "%@: %@, %.2f times", what, words, medians[1] / medians[0]))
  }
}

/// The number of reminders that a predicate finds; waits for the result.
func fetch(_ predicate: NSPredicate, from store: EKEventStore) -> Int {
  let semaphore = DispatchSemaphore(value: 0)
  nonisolated(unsafe) var found = 0
  store.fetchReminders(matching: predicate) {
    found = $0?.count ?? 0
    semaphore.signal()
  }
  semaphore.wait()
  return found
}

/// One event in 25 minutes, a fifth of them a weekly series, a tenth with an alarm. Each has a reminder due
/// at the same time; two thirds of these are open.
func fill(_ store: EKEventStore, count: Int, from base: Date) throws {
  guard let calendar = store.defaultCalendarForNewEvents, let list = store.defaultCalendarForNewReminders()
  else {
    throw EKError(.noCalendar)
  }
  for number in 0..<count {
    let start = base.addingTimeInterval(Double(number) * 1_500)
    let event = EKEvent(eventStore: store)
    event.title = "Event \(number)"
    event.calendar = calendar
    event.startDate = start
    event.endDate = start.addingTimeInterval(1_800)
    if number % 5 == 0 {
      event.addRecurrenceRule(
        EKRecurrenceRule(recurrenceWith: .weekly, interval: 1, end: EKRecurrenceEnd(occurrenceCount: 20)))
    }
    if number % 10 == 0 { event.addAlarm(EKAlarm(relativeOffset: -600)) }
    try store.save(event, span: .thisEvent, commit: false)
    let reminder = EKReminder(eventStore: store)
    reminder.title = "Reminder \(number)"
    reminder.calendar = list
    reminder.dueDateComponents = Calendar.current.dateComponents(
      [.year, .month, .day, .hour, .minute], from: start)
    reminder.isCompleted = number % 3 == 0
    try store.save(reminder, commit: false)
    if number % 1_000 == 999 { try store.commit() }
  }
  try store.commit()
}

do {
  let events = try await store.requestFullAccessToEvents()
  let reminders = try await store.requestFullAccessToReminders()
  guard events && reminders else { throw EKError(.eventStoreNotAuthorized) }
  let middle = base.addingTimeInterval(Double(count) * 750)
  let month = store.predicateForEvents(
    withStart: middle, end: middle.addingTimeInterval(30 * day), calendars: nil)
  var found = 0
  // With a kept store, the process has just started.
  measure("a month's events, the first time", times: 1) {
    found = store.events(matching: month).count
    return found
  }
  if found == 0 {
    let time = try clock.measure { try fill(store, count: count, from: base) }
    print("saved \(count) events and \(count) reminders in \(time)")
  }
  let identifiers = store.events(matching: month).map { $0.calendarItemIdentifier }
  func anyIdentifier() -> String { identifiers.randomElement() ?? "" }

  measure("a month's events", times: Int(ProcessInfo.processInfo.environment["MONTHS"] ?? "") ?? 20) {
    store.events(matching: month).count
  }
  let week = store.predicateForIncompleteReminders(
    withDueDateStarting: middle, ending: middle.addingTimeInterval(7 * day), calendars: nil)
  measure("incomplete reminders due in a week", times: 20) { fetch(week, from: store) }
  measure("an item by its identifier", times: 500) {
    store.calendarItem(withIdentifier: anyIdentifier()) == nil ? 0 : 1
  }
  try measure("a new reminder, saved", times: 100) {
    let reminder = EKReminder(eventStore: store)
    reminder.title = "New"
    reminder.calendar = store.defaultCalendarForNewReminders()
    try store.save(reminder, commit: true)
    return 1
  }
  try measure("an event, found, changed and saved", times: 100) {
    guard let event = store.event(withIdentifier: anyIdentifier()) else { return 0 }
    event.notes = "\(Int.random(in: 0...1_000_000))"
    try store.save(event, span: .futureEvents)
    return 1
  }
  if ProcessInfo.processInfo.environment["FENCEPOST_BROKER"] != nil {
    let broker = EKEventStore()
    guard try await broker.requestFullAccessToEvents() else { throw EKError(.eventStoreNotAuthorized) }
    compare(
      [("file", store), ("socket", broker)], from: middle, to: middle.addingTimeInterval(30 * day))
  }
} catch {
  print(error.localizedDescription)
  exit(1)
}
