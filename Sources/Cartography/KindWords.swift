import CalendarModel

extension Firing.Kind {
  /// The words before the name of the place: `arrived at`.
  var verb: String {
    switch self {
    case .enter: "arrived at"
    case .leave: "left"
    case .dwell: "stayed at"
    case .absolute, .relative: "time"
    }
  }

  /// The CSS class that colours it.
  var style: String {
    switch self {
    case .enter: "enter"
    case .leave: "leave"
    case .dwell: "dwell"
    case .absolute, .relative: "time"
    }
  }
}
