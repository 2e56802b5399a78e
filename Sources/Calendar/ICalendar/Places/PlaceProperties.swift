import FencepostCalendarModel
import FencepostGeodesy

/// The properties of an item that describe its place.
struct PlaceProperties {
  /// X-APPLE-STRUCTURED-LOCATION.
  var apple: StructuredLocation?
  /// STRUCTURED-LOCATION of the drafts for RFC 9073.
  var draft: StructuredLocation?
  /// GEO.
  var geo: Coordinate?
  /// X-FENCEPOST-OUTLINE.
  var outline: [Polygon] = []

  /// The place: first Apple's, which has the most data; then a VLOCATION's; then the draft's; then GEO with LOCATION as
  /// its title.
  func resolve(component: () -> StructuredLocation?, title: String?) -> StructuredLocation? {
    var place = apple ?? component() ?? draft.flatMap { $0.coordinate == nil ? nil : $0 }
    if place == nil, let geo { place = StructuredLocation(title: title ?? "", coordinate: geo) }
    place?.outline = outline
    return place
  }
}
