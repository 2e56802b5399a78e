import Glibc

/// The visible rectangle of the plane, in the units of a picture.
struct MapFrame {
  let width: Double
  let height: Double
  /// The width of the whole world in units of the picture.
  let scale: Double
  private let origin: MapPoint

  /// A frame of `width` that shows the extent. The height follows from the extent, within `heights`.
  init(showing extent: (MapPoint, MapPoint), width: Double, heights: ClosedRange<Double>, margin: Double) {
    let middle = extent.0.interpolated(to: extent.1, fraction: 0.5)
    // An empty or tiny extent still shows about 300 metres.
    let least = 300 / MapPoint.metres(at: middle.y)
    let spanX = max(extent.1.x - extent.0.x, least)
    let spanY = max(extent.1.y - extent.0.y, least / 2)
    let wanted = (width - 2 * margin) / spanX * spanY + 2 * margin
    height = min(max(wanted, heights.lowerBound), heights.upperBound).rounded()
    self.width = width
    scale = min((width - 2 * margin) / spanX, (height - 2 * margin) / spanY)
    origin = MapPoint(x: middle.x - width / 2 / scale, y: middle.y - height / 2 / scale)
  }

  /// Converts a point of the plane to the picture.
  func place(_ point: MapPoint) -> MapPoint {
    MapPoint(x: (point.x - origin.x) * scale, y: (point.y - origin.y) * scale)
  }

  /// Whether the point is in the picture, or at most `margin` outside.
  func contains(_ place: MapPoint, margin: Double = 0) -> Bool {
    place.x >= -margin && place.x <= width + margin && place.y >= -margin && place.y <= height + margin
  }

  /// The longest round length in metres that fits into `longest`, and its length in the picture.
  func scaleBar(longest: Double) -> (metres: Double, length: Double) {
    let metresPerUnit = MapPoint.metres(at: origin.y + height / 2 / scale) / scale
    let most = longest * metresPerUnit
    let power = pow(10, log10(most).rounded(.down))
    let metres = [5, 2, 1].map { $0 * power }.first { $0 <= most } ?? power
    return (metres, metres / metresPerUnit)
  }
}
