import FencepostGeodesy
import FencepostSpatiotemporal
import FencepostTestSupport
import Testing

@Suite("The order of fixes")
struct FixOrderTests {
  private func fix(_ seconds: Int64, _ startsSegment: Bool = false, device: UInt32 = 0) -> Fix {
    Fix(
      device: DeviceNumber(rawValue: device), time: Instant(seconds: seconds),
      coordinate: Coordinate(latitude: 1, longitude: 2), startsSegment: startsSegment)
  }

  @Test("After sorting, a segment starts at its first fix")
  func segments() {
    let expected = [
      fix(0, true), fix(1), fix(2), fix(5, true, device: 1), fix(10, true), fix(11), fix(15, device: 1),
      fix(20, true),
    ]
    // Newest first, each segment's flag is on the fix that comes first in the file.
    var reversed = [
      fix(20, true), fix(11, true), fix(10), fix(2, true), fix(1), fix(0), fix(15, true, device: 1),
      fix(5, device: 1),
    ]
    reversed.sortByTime()
    #expect(reversed == expected)
  }

  @Test("Fixes without segments keep having none", arguments: 0..<20 as Range<UInt64>)
  func noSegments(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var fixes = (0..<50).map { _ in
      fix(.random(in: 0..<40, using: &random), device: .random(in: 0..<3, using: &random))
    }
    let before = fixes
    fixes.sortByTime()
    #expect(fixes.allSatisfy { !$0.startsSegment }, "seed \(seed)")
    #expect(Set(fixes) == Set(before) && fixes.map(\.time) == before.map(\.time).sorted(), "seed \(seed)")
  }

  @Test("A device with a high number takes no more space than any other, and is sorted alike")
  func highNumbers() {
    let numbers: [UInt32] = [4_000_000_000, 0, 70, .max]
    var order = FixOrder()
    for number in numbers { #expect(order.add([fix(20, device: number)]) == (1, 0)) }
    // With more fixes, some get a place by their number.
    for second in 0..<40 as Range<Int64> { #expect(order.add([fix(100 + second, device: 0)]) == (1, 0)) }
    for number in numbers { #expect(order.add([fix(10, device: number)]) == (1, 1), "\(number)") }
    for number in numbers { #expect(order.add([fix(-40 * 86_400, device: number)]) == (0, 0), "\(number)") }
  }
}
