// Occurrences per second of our code and of libical, including their instants, in one run.
//
//     swift run -c release --package-path Benchmarks RecurrenceBenchmark

import CLibicalPeer
import FencepostCalendarModel
import FencepostRecurrence
import Glibc

/// The CPU seconds of this thread.
func cpuSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// The best of five runs of `work`, in seconds per unit; `work` returns the number of units.
func best(_ work: () -> Int) -> Double {
  (0..<5).map { _ in
    let start = cpuSeconds()
    let units = work()
    return (cpuSeconds() - start) / Double(max(1, units))
  }.min() ?? .infinity
}

func millions(_ secondsEach: Double) -> String {
  let tenths = Int((1 / secondsEach / 1e4).rounded())
  return "\(tenths / 100).\(tenths / 10 % 10)\(tenths % 10) M/s"
}

/// Prevents that the compiler removes the computation.
nonisolated(unsafe) var checksum: Int64 = 0

let zoneName = "America/New_York"
let resolver = TimeResolver(zones: TimeZoneDatabase(), floating: TimeZoneID(rawValue: zoneName))
guard let zone = resolver.zones.zone(TimeZoneID(rawValue: zoneName)) else { fatalError("no tzdata") }
set_zone_directory("/usr/share/zoneinfo")
nonisolated(unsafe) let peerZone = icaltimezone_get_builtin_timezone(zoneName)

/// The number of libical's occurrences, at most `limit`, with the instant of each.
func libical(_ text: String, _ start: CivilDateTime, limit: Int) -> Int {
  let rule = icalrecurrencetype_from_string(text)
  var time = icaltime_null_time()
  let (year, month, day) = start.day.components
  (time.year, time.month, time.day) = (Int32(year), Int32(month), Int32(day))
  (time.hour, time.minute, time.second) = (Int32(start.hour), Int32(start.minute), Int32(start.second))
  time.zone = peerZone
  guard let iterator = icalrecur_iterator_new(rule, time) else { return 0 }
  defer { icalrecur_iterator_free(iterator) }
  var count = 0
  while count < limit {
    let next = icalrecur_iterator_next(iterator)
    if icaltime_is_null_time(next) != 0 { break }
    checksum &+= Int64(icaltime_as_timet_with_zone(next, peerZone))
    count += 1
  }
  return count
}

/// Our occurrences, computed with the rule and the zone only.
func ours(_ rule: RecurrenceRule, _ start: CivilDateTime, limit: Int) -> Int {
  var iterator = RuleExpansion(rule, start: start).makeIterator()
  var cursor = ZoneCursor(zone)
  var count = 0
  while count < limit, let next = iterator.next() {
    checksum &+= cursor.instant(of: next).microseconds
    count += 1
  }
  return count
}

func series(_ rule: RecurrenceRule, _ start: CivilDateTime) -> OccurrenceSeries {
  let begin = CalendarTime.zoned(start, TimeZoneID(rawValue: zoneName))
  let end = CalendarTime.zoned(start.adding(seconds: 3600), TimeZoneID(rawValue: zoneName))
  var item = CalendarItem(
    calendar: Identifier(rawValue: "c"), title: "B", details: .event(EventDetails(start: begin, end: end)))
  item.recurrence = Recurrence(rules: [rule])
  return OccurrenceSeries(item, resolver: resolver)
}

/// Our occurrences of an event of an hour, with start, end and recurrence identifier.
func occurrences(_ series: OccurrenceSeries, limit: Int) -> Int {
  var count = 0
  for occurrence in series.occurrences {
    checksum &+= occurrence.startInstant.microseconds &+ occurrence.endInstant.microseconds
    count += 1
    if count == limit { break }
  }
  return count
}

let rules = [
  ("daily", "FREQ=DAILY", CivilDateTime(year: 2000, month: 1, day: 1, hour: 9)),
  (
    "weekly/2 MO,WE,FR", "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE,FR",
    CivilDateTime(year: 2000, month: 1, day: 3, hour: 9)
  ),
  ("last Friday", "FREQ=MONTHLY;BYDAY=-1FR", CivilDateTime(year: 2000, month: 1, day: 28, hour: 9)),
  (
    "4th Thursday Nov", "FREQ=YEARLY;BYMONTH=11;BYDAY=4TH",
    CivilDateTime(year: 2000, month: 11, day: 23, hour: 9)
  ),
]
print(
  "\(zoneName) from 2000, up to 20,000 occurrences, tzdata \(resolver.zones.version ?? "?"); CPU time, best of five"
)
for (name, text, start) in rules {
  let rule = try RecurrenceRule(text: text)
  // libical expands its zone in the first run, which best() ignores.
  let peer = best { libical(text, start, limit: 20_000) }
  let count = libical(text, start, limit: 20_000)
  let mine = best { (0..<10).reduce(0) { sum, _ in sum + ours(rule, start, limit: count) } }
  let whole = series(rule, start)
  let items = best { (0..<10).reduce(0) { sum, _ in sum + occurrences(whole, limit: count) } }
  print(
    "\(name): libical \(millions(peer)) | rule and instants \(millions(mine)) = \(Int(peer / mine)) x"
      + " | occurrences of an event \(millions(items)) = \(Int(peer / items)) x (\(count))")
}

print("a month's window a century after the start:")
let from = Instant(seconds: CivilDateTime(year: 2100, month: 5, day: 1).secondsSinceEpoch)
let window = from..<from.adding(seconds: 31 * 86_400)
for (name, text, start) in rules + [
  ("daily, COUNT", "FREQ=DAILY;COUNT=100000", CivilDateTime(year: 2000, month: 1, day: 1, hour: 9))
] {
  let whole = series(try RecurrenceRule(text: text), start)
  var held = 0
  let each = best {
    for _ in 0..<1_000 {
      held = 0
      for occurrence in whole.occurrences(in: window) {
        checksum &+= occurrence.startInstant.microseconds
        held += 1
      }
    }
    return 1_000
  }
  let making = best {
    for _ in 0..<1_000 { checksum &+= series(rule(text), start).bounds?.start.microseconds ?? 0 }
    return 1_000
  }
  print(
    "\(name): \(Int(each * 1e9)) ns for \(held) occurrences; \(Int(making * 1e9)) ns to make the series and its bounds"
  )
}

func rule(_ text: String) -> RecurrenceRule { (try? RecurrenceRule(text: text)) ?? RecurrenceRule(.daily) }

print("checksum \(checksum)")
