import CalendarModel

extension Firing.Kind {
  /// What stands before the place: `arrived at`.
  var verb: String {
    switch self {
    case .enter: "arrived at"
    case .leave: "left"
    case .dwell: "stayed at"
    case .absolute, .relative: "time"
    }
  }

  /// The class of its colour.
  var style: String {
    switch self {
    case .enter: "enter"
    case .leave: "leave"
    case .dwell: "dwell"
    case .absolute, .relative: "time"
    }
  }
}
