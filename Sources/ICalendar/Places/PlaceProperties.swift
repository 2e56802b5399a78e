import CalendarModel
import Geodesy

/// What an item says of where it is, from which its place is made.
struct PlaceProperties {
  /// X-APPLE-STRUCTURED-LOCATION.
  var apple: StructuredLocation?
  /// STRUCTURED-LOCATION of the drafts of RFC 9073.
  var draft: StructuredLocation?
  /// GEO.
  var geo: Coordinate?
  /// X-FENCEPOST-OUTLINE.
  var outline: [Polygon] = []

  /// The place: Apple's, which says most; else a VLOCATION's; else the draft's; else GEO with LOCATION for
  /// its title.
  func resolve(component: () -> StructuredLocation?, title: String?) -> StructuredLocation? {
    var place = apple ?? component() ?? draft.flatMap { $0.coordinate == nil ? nil : $0 }
    if place == nil, let geo { place = StructuredLocation(title: title ?? "", coordinate: geo) }
    place?.outline = outline
    return place
  }
}
