public import CoreLocation
public import Foundation

/// Something with a position and words for it.
public protocol MKAnnotation: NSObjectProtocol {
  /// The position.
  var coordinate: CLLocationCoordinate2D { get }
  /// The title.
  var title: String? { get }
  /// The words below the title.
  var subtitle: String? { get }
}

extension MKAnnotation {
  /// No title.
  public var title: String? { nil }
  /// No words below it.
  public var subtitle: String? { nil }
}
