import Glibc

/// The rectangle through which the plane is seen, in the units of a picture.
struct MapFrame {
  let width: Double
  let height: Double
  /// Units of the picture for the whole width of the world.
  let scale: Double
  private let origin: MapPoint

  /// The frame of `width` that shows the extent from corner to corner, as high as that asks for, within bounds.
  init(showing extent: (MapPoint, MapPoint), width: Double, heights: ClosedRange<Double>, margin: Double) {
    let middle = extent.0.interpolated(to: extent.1, fraction: 0.5)
    // Where there is next to nothing to see, some 300 metres are shown.
    let least = 300 / MapPoint.metres(at: middle.y)
    let spanX = max(extent.1.x - extent.0.x, least)
    let spanY = max(extent.1.y - extent.0.y, least / 2)
    let wanted = (width - 2 * margin) / spanX * spanY + 2 * margin
    height = min(max(wanted, heights.lowerBound), heights.upperBound).rounded()
    self.width = width
    scale = min((width - 2 * margin) / spanX, (height - 2 * margin) / spanY)
    origin = MapPoint(x: middle.x - width / 2 / scale, y: middle.y - height / 2 / scale)
  }

  /// Where a point of the plane is in the picture.
  func place(_ point: MapPoint) -> MapPoint {
    MapPoint(x: (point.x - origin.x) * scale, y: (point.y - origin.y) * scale)
  }

  /// True where a point of the picture lies within it, or no more than `margin` outside.
  func contains(_ place: MapPoint, margin: Double = 0) -> Bool {
    place.x >= -margin && place.x <= width + margin && place.y >= -margin && place.y <= height + margin
  }

  /// A length in metres that is a round number, and how long it is in the picture: not longer than `longest`.
  func scaleBar(longest: Double) -> (metres: Double, length: Double) {
    let metresPerUnit = MapPoint.metres(at: origin.y + height / 2 / scale) / scale
    let most = longest * metresPerUnit
    let power = pow(10, log10(most).rounded(.down))
    let metres = [5, 2, 1].map { $0 * power }.first { $0 <= most } ?? power
    return (metres, metres / metresPerUnit)
  }
}
