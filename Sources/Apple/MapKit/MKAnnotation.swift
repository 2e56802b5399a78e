public import CoreLocation
public import Foundation

/// A position with texts.
public protocol MKAnnotation: NSObjectProtocol {
  /// The position.
  var coordinate: CLLocationCoordinate2D { get }
  /// The title.
  var title: String? { get }
  /// The text below the title.
  var subtitle: String? { get }
}

extension MKAnnotation {
  /// No title.
  public var title: String? { nil }
  /// No text below it.
  public var subtitle: String? { nil }
}
