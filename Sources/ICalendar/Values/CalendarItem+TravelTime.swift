public import CalendarModel

extension CalendarItem {
  /// The time that the way to an event takes, in seconds: Apple's X-APPLE-TRAVEL-DURATION; `nil` if it is not known.
  ///
  /// The item keeps the line, so it is exported unchanged.
  public var travelTime: Int? {
    get {
      for line in preserved.properties where Self.isTravelTime(line) {
        if let duration = PreservedProperty(line).flatMap({ CalendarDuration(text: $0.value) }),
          duration.nominalSeconds > 0
        {
          return Int(duration.nominalSeconds)
        }
      }
      return nil
    }
    set {
      guard newValue != travelTime else { return }
      preserved.properties.removeAll(where: Self.isTravelTime)
      if let newValue, newValue > 0 {
        preserved.properties.append(
          "\(Self.travelName);VALUE=DURATION:\(CalendarDuration(seconds: newValue).text)")
      }
    }
  }

  private static let travelName = "X-APPLE-TRAVEL-DURATION"

  private static func isTravelTime(_ line: String) -> Bool {
    line.prefix(travelName.count).uppercased() == travelName && PreservedProperty(line)?.name == travelName
  }
}
