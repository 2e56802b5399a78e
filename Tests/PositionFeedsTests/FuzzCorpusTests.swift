import CalendarModel
import Geodesy
import PositionFeeds
import TestSupport
import Testing

@Suite("The corpus of the fuzzer")
struct FuzzCorpusTests {
  @Test("Each input is read to its end, or refused", arguments: FuzzCorpus.inputs("Traces"))
  func replay(name: String) throws {
    let bytes = try FuzzCorpus.bytes(name, of: "Traces")
    do {
      let whole = try Reading(bytes: bytes, name: name)
      #expect(whole.fixes.allSatisfy { $0.coordinate.isValid })
      #expect(whole.fixes.allSatisfy { ($0.horizontalAccuracy ?? 1) > 0 && ($0.speed ?? 0) >= 0 })
      #expect(whole.fixes.allSatisfy { (0...360).contains($0.course ?? 0) && $0.altitude?.isNaN != true })
      let single = try Reading(bytes: bytes, name: name, limit: 1)
      #expect(single.fixes == whole.fixes)
    } catch { #expect(error is FeedError) }
  }

  @Test("The seeds are traces of every format")
  func seeds() throws {
    let formats = FuzzCorpus.inputs("Traces").compactMap { name in
      (try? FuzzCorpus.bytes(name, of: "Traces")).flatMap { try? Reading(bytes: $0, name: name) }
    }.filter { !$0.fixes.isEmpty }.map(\.report.format)
    #expect(Set(formats) == Set(TraceFormat.allCases))
  }
}
