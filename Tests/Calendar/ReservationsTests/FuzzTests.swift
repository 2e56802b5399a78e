import FencepostJSON
import FencepostTestSupport
import Testing

@testable import FencepostReservations

@Suite("Damaged markup")
struct FuzzTests {
  @Test("Damaged pages give reservations that are valid, or none", arguments: 1...40 as ClosedRange<UInt64>)
  func damaged(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var page = Array((Samples.page(Samples.all.randomElement(using: &random) ?? "") + "<p itemprop=x>").utf8)
    for _ in 0..<Int.random(in: 1...20, using: &random) {
      let index = Int.random(in: 0..<page.count, using: &random)
      switch Int.random(in: 0..<3, using: &random) {
      case 0: page[index] = UInt8.random(in: 0...255, using: &random)
      case 1: page.remove(at: index)
      default: page.insert(contentsOf: page[index...].prefix(30), at: index)
      }
    }
    let found = reader.reservations(inPage: page)
    #expect(found.allSatisfy { $0.isValid }, "seed \(seed)")
    for reservation in found {
      let kept = reader.reservations(inJSON: Array(reservation.jsonLD.line.utf8))
      #expect(kept == [reservation], "seed \(seed)")
    }
  }
}
