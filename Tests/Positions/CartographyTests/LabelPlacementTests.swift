import Testing

@testable import FencepostCartography

@Suite("Label placement")
struct LabelPlacementTests {
  typealias Box = LabelPlacement.Box

  @Test("A label takes the first free place in the picture")
  func first() {
    for x in stride(from: 0.0, to: 800, by: 0.7) {
      var labels = LabelPlacement(width: 960, height: 680)
      let boxes = [
        Box(x: x, y: x / 2, width: 83.3, height: 16), Box(x: x + 3, y: x / 2, width: 83.3, height: 16),
      ]
      #expect(labels.place(boxes)?.x == x)
    }
  }

  @Test("If no place is free, the label takes the least covered one, or none if all are covered")
  func least() {
    var labels = LabelPlacement(width: 100, height: 100)
    labels.reserve(Box(x: 0, y: 0, width: 50, height: 100))
    let outside = Box(x: 95, y: 10, width: 20, height: 10)
    let covered = Box(x: 20, y: 10, width: 20, height: 10)
    let touched = Box(x: 46, y: 10, width: 20, height: 10)
    #expect(labels.place([outside, covered, touched])?.x == 46)
    #expect(labels.place([outside, covered, touched]) == nil)
  }
}
