import FencepostAlgorithms
import FencepostTestSupport
import Testing

@Suite("Heap")
struct HeapTests {
  @Test(
    "Elements come in order, whatever the order of insertion",
    arguments: [0, 1, 2, 3, 100, 1_000])
  func sorts(count: Int) {
    var random = SeededRandom(seed: UInt64(count))
    let numbers = (0..<count).map { _ in Int.random(in: 0..<50, using: &random) }
    var inserted = Heap<Int>()
    for number in numbers { inserted.insert(number) }
    var built = Heap(numbers)
    #expect(inserted.count == count && built.count == count)
    for expected in numbers.sorted() {
      #expect(inserted.first == expected)
      #expect(inserted.popFirst() == expected)
      #expect(built.popFirst() == expected)
    }
    #expect(inserted.isEmpty && inserted.popFirst() == nil && inserted.first == nil)
  }

  @Test("Random operations agree with a sorted array", arguments: 0..<20 as Range<UInt64>)
  func agrees(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var heap = Heap<Int>()
    var model: [Int] = []
    for _ in 0..<400 {
      let number = Int.random(in: 0..<1_000, using: &random)
      switch Int.random(in: 0..<8, using: &random) {
      case 0...3:
        heap.insert(number)
        model.append(number)
      case 4...5:
        #expect(heap.popFirst() == (model.isEmpty ? nil : model.removeFirst()), "seed \(seed)")
      case 6:
        heap.updateFirst { $0 = number }
        if !model.isEmpty { model[0] = number }
      default:
        heap.removeAll { $0 % 7 == 0 }
        model.removeAll { $0 % 7 == 0 }
      }
      model.sort()
      #expect(heap.first == model.first && heap.count == model.count, "seed \(seed)")
    }
    heap.removeAll()
    #expect(heap.isEmpty)
  }
}
