extension MapAlarm.Kind {
  /// The words before the name of the place: `arrived at`.
  var verb: String {
    switch self {
    case .enter: "arrived at"
    case .leave: "left"
    case .dwell: "stayed at"
    case .time: "time"
    }
  }

  /// The CSS class that colours it.
  var style: String { rawValue }
}
