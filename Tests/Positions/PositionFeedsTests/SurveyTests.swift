import FencepostCalendarModel
import FencepostGeodesy
import FencepostTestSupport
import Testing

@testable import FencepostPositionFeeds

@Suite("Surveys of traces")
struct SurveyTests {
  @Test("Jitter at rest is not movement, and a confirmed jump is accepted")
  func motion() {
    var random = SeededRandom(seed: 7)
    var survey = DeviceSurvey(maxSpeed: 100)
    for second in 0..<600 {
      let jitter = Double.random(in: -2e-5...2e-5, using: &random)
      survey.add(
        Fix(
          time: Instant(seconds: Int64(second)),
          coordinate: Coordinate(latitude: (second < 300 ? 50 : 51) + jitter, longitude: 10)))
    }
    #expect(survey.topSpeed < 0.5)
    #expect(survey.jumps == 2, "the first far one, and the one that confirms it")
    #expect(survey.metres < 150)
  }

  @Test("The sketch's median is within 1 % of the median", arguments: 1...10 as ClosedRange<UInt64>)
  func sketch(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var sketch = QuantileSketch()
    let values = (0..<1001).map { _ in Double.random(in: 0...4, using: &random) }.map { $0 * $0 * $0 }
    for value in values { sketch.add(value) }
    let median = try #require(sketch.median)
    #expect(abs(median / values.sorted()[500] - 1) < 0.02, "seed \(seed)")
    #expect(sketch.largest == values.max())
  }

  @Test("The sketch takes anything", arguments: [0, -1, .nan, .infinity, 1e300, 1e-300])
  func oddValues(value: Double) {
    var sketch = QuantileSketch()
    sketch.add(value)
    #expect(sketch.count == (value >= 0 && value.isFinite ? 1 : 0))
    #expect(sketch.median == (value >= 0 && value.isFinite ? value : nil))
  }
}
