import FencepostCalendarModel
import FencepostRecurrence
import FencepostTestSupport
import Foundation
import Testing

@Suite("The fuzzer's corpus")
struct FuzzCorpusTests {
  @Test(
    "Each rule gives ordered occurrences, or is an error", arguments: FuzzCorpus.inputs("RecurrenceRule"))
  func rules(name: String) throws {
    let text = String(decoding: try FuzzCorpus.bytes(name, of: "RecurrenceRule"), as: UTF8.self)
    let lines = text.split(separator: "\n", maxSplits: 1)
    guard let first = lines.first, let rule = try? RecurrenceRule(text: first) else { return }
    let start = CivilDateTime(year: 2026, month: 1, day: 31, hour: 2, minute: 30)
    let expansion = RuleExpansion(rule, start: start)
    let later = CivilDateTime(year: 2126, month: 1, day: 1)
    for var iterator in [expansion.makeIterator(), expansion.makeIterator(from: later)] {
      var last: CivilDateTime?
      for _ in 0..<100 {
        guard let next = iterator.next() else { break }
        #expect(last.map { $0 < next } ?? true)
        last = next
      }
    }
    guard lines.count == 2, let exception = try? RecurrenceRule(text: lines[1]) else { return }
    var item = try OccurrenceSeriesTests.event(.floating(start))
    item.recurrence = Recurrence(rules: [rule], exceptionRules: [exception])
    let starts = OccurrenceSeriesTests.series(item).occurrences.prefix(100).map(\.startInstant)
    #expect(zip(starts, starts.dropFirst()).allSatisfy { $0 < $1 })
  }

  @Test("Each time zone file answers near and far times", arguments: FuzzCorpus.inputs("TimeZone"))
  func zones(name: String) throws {
    let directory = try TemporaryDirectory()
    let file = directory.url.appendingPathComponent("Fuzz")
    try Data(FuzzCorpus.bytes(name, of: "TimeZone")).write(to: file)
    let database = TimeZoneDatabase(directory: directory.url.path, environmentZone: nil)
    guard let zone = database.zone(TimeZoneID(rawValue: "Fuzz")) else { return }
    for year in [-9999, 1, 1900, 1970, 2026, 2038, 2400, 9999, 250_000] {
      let civil = CivilDateTime(year: year, month: 3, day: 29, hour: 12)
      #expect(zone.civil(at: zone.instant(of: civil)) == civil)
    }
  }
}
