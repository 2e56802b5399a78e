public import FencepostCalendarModel

extension CalendarItem {
  /// The time that the way to an event takes, in seconds: Apple's X-APPLE-TRAVEL-DURATION; `nil` if it is not known.
  ///
  /// The item keeps the line, so it is exported unchanged.
  public var travelTime: Int? {
    get {
      for line in preserved.properties {
        if let property = Self.travelTime(line), let duration = CalendarDuration(text: property.value),
          duration.nominalSeconds > 0
        {
          return duration.nominalSeconds
        }
      }
      return nil
    }
    set {
      guard newValue != travelTime else { return }
      preserved.properties.removeAll { Self.travelTime($0) != nil }
      if let newValue, newValue > 0 {
        preserved.properties.append(
          "\(Self.travelName);VALUE=DURATION:\(CalendarDuration(seconds: newValue).text)")
      }
    }
  }

  private static let travelName = "X-APPLE-TRAVEL-DURATION"

  private static func travelTime(_ line: String) -> PreservedProperty? {
    PreservedProperty(line, named: [travelName])
  }
}
