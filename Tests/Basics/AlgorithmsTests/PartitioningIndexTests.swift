import FencepostAlgorithms
import Testing

@Suite("partitioningIndex")
struct PartitioningIndexTests {
  @Test("It is the first index that meets the condition", arguments: 0...9)
  func firstIndex(count: Int) {
    let numbers = Array(0..<count)
    for bound in -1...count {
      #expect(numbers.partitioningIndex { $0 >= bound } == max(bound, 0))
      // A slice keeps its own indices.
      #expect(numbers[(count / 2)...].partitioningIndex { $0 >= bound } == max(bound, count / 2))
    }
  }
}
