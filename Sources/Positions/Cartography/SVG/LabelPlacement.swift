/// Places labels, one after the other. Each goes where it covers the least.
struct LabelPlacement {
  /// An upright rectangle in a picture.
  struct Box {
    var x: Double
    var y: Double
    var width: Double
    var height: Double

    /// The area that two rectangles share.
    func overlap(_ other: Box) -> Double {
      let across = min(x + width, other.x + other.width) - max(x, other.x)
      let down = min(y + height, other.y + other.height) - max(y, other.y)
      return across > 0 && down > 0 ? across * down : 0
    }
  }

  private let frame: Box
  private var taken: [Box] = []

  /// Room for labels in a picture of `width` and `height`.
  init(width: Double, height: Double) {
    frame = Box(x: 0, y: 0, width: width, height: height)
  }

  /// Keeps a rectangle free of labels.
  mutating func reserve(_ box: Box) { taken.append(box) }

  /// Reserves and returns the first of the least covered candidates; `nil` if more than a third of each
  /// candidate is covered or outside the picture.
  mutating func place(_ candidates: [Box]) -> Box? {
    var best: (box: Box, cost: Double)?
    for box in candidates {
      let outside = box.width * box.height - box.overlap(frame)
      let cost = taken.reduce(4 * outside) { $0 + $1.overlap(box) }
      // An overlap below one pixel is a rounding error.
      if cost < 1 {
        best = (box, 0)
        break
      }
      if cost < best?.cost ?? .infinity { best = (box, cost) }
    }
    guard let best, best.cost <= best.box.width * best.box.height / 3 else { return nil }
    taken.append(best.box)
    return best.box
  }
}
