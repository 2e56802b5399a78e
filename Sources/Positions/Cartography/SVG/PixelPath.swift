/// Lines in the units of a picture, without points that make no visible difference.
enum PixelPath {
  /// Drops the points that change the line by at most `tolerance`.
  ///
  /// Source: D. H. Douglas and T. K. Peucker, "Algorithms for the reduction of the number of points required
  /// to represent a digitized line or its caricature", Cartographica 10 (1973).
  static func simplified(_ points: [MapPoint], tolerance: Double) -> [MapPoint] {
    guard points.count > 2 else { return points }
    var isKept = [Bool](repeating: false, count: points.count)
    isKept[0] = true
    isKept[points.count - 1] = true
    var stretches = [(0, points.count - 1)]
    while let (first, last) = stretches.popLast() {
      var farthest = (index: first, square: tolerance * tolerance)
      for index in first + 1..<max(last, first + 1) {
        let square = squaredDistance(points[index], from: points[first], to: points[last])
        if square > farthest.square { farthest = (index, square) }
      }
      if farthest.index != first {
        isKept[farthest.index] = true
        stretches.append((first, farthest.index))
        stretches.append((farthest.index, last))
      }
    }
    return zip(points, isKept).compactMap { $1 ? $0 : nil }
  }

  private static func squaredDistance(_ point: MapPoint, from a: MapPoint, to b: MapPoint) -> Double {
    let (dx, dy) = (b.x - a.x, b.y - a.y)
    let square = dx * dx + dy * dy
    let along = square > 0 ? ((point.x - a.x) * dx + (point.y - a.y) * dy) / square : 0
    let fraction = min(max(along, 0), 1)
    let (x, y) = (point.x - a.x - fraction * dx, point.y - a.y - fraction * dy)
    return x * x + y * y
  }

  /// A line as SVG path data, with relative coordinates to a tenth of a unit.
  static func data(_ points: [MapPoint], isClosed: Bool = false) -> String {
    var text = ""
    // Each step corrects the rounding of the steps before. Otherwise the errors would add up.
    var (lastX, lastY) = (0.0, 0.0)
    for (index, point) in points.enumerated() {
      let (x, y) = ((point.x * 10).rounded() / 10, (point.y * 10).rounded() / 10)
      text += index == 0 ? "M" : index == 1 ? "l" : " "
      text += Markup.number(x - lastX) + " " + Markup.number(y - lastY)
      (lastX, lastY) = (x, y)
    }
    return isClosed ? text + "z" : text
  }
}
