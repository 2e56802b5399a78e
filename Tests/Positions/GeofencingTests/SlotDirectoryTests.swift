import FencepostTestSupport
import Testing

@testable import FencepostGeofencing

@Suite("The directory of slots")
struct SlotDirectoryTests {
  /// Numbers come and go, many of them alike in their low bits, and each is found as a dictionary finds it.
  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func findsWhatADictionaryFinds(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var numbers: [Int64] = []
    var directory = SlotDirectory()
    var oracle: [Int64: Int32] = [:]
    func find(_ number: Int64) -> Int32? { directory.find(number) { numbers[Int($0)] } }
    for _ in 0..<600 {
      let number = Int64.random(in: 0..<60, using: &random) << Int64.random(in: 0...40, using: &random)
      if let slot = oracle.removeValue(forKey: number) {
        #expect(find(number) == slot, "seed \(seed)")
        directory.remove(number) { [numbers] in numbers[Int($0)] }
      } else {
        let slot = Int32(numbers.count)
        numbers.append(number)
        directory.insert(slot) { [numbers] in numbers[Int($0)] }
        oracle[number] = slot
      }
      #expect(directory.count == oracle.count)
      #expect(find(number) == oracle[number], "seed \(seed)")
    }
    for (number, slot) in oracle {
      #expect(find(number) == slot, "seed \(seed)")
    }
  }
}
