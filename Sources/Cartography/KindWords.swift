import CalendarModel

extension Firing.Kind {
  /// The word before the place: `arrived`.
  var verb: String {
    switch self {
    case .enter: "arrived"
    case .leave: "left"
    case .dwell: "stayed"
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
