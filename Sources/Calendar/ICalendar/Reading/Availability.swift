import FencepostCalendarModel

/// Combines TRANSP and Microsoft's X-MICROSOFT-CDO-BUSYSTATUS into an event's availability.
struct Availability {
  private var isTransparent = false
  private var busyStatus: EventDetails.Availability?
  private var isNotSupported = false

  /// The result; busy by default.
  var value: EventDetails.Availability {
    if isNotSupported { return .notSupported }
    if let busyStatus, busyStatus == .tentative || busyStatus == .unavailable { return busyStatus }
    return isTransparent || busyStatus == .free ? .free : .busy
  }

  /// Reads TRANSP; `false` if the line states the default and must be kept unchanged.
  mutating func readTransparency(_ text: String) -> Bool {
    isTransparent = text.uppercased() == "TRANSPARENT"
    return isTransparent
  }

  /// Reads X-MICROSOFT-CDO-BUSYSTATUS; `false` if the line must be kept unchanged.
  mutating func readBusyStatus(_ text: String) -> Bool {
    busyStatus = Availability.busyStatus(text)
    return busyStatus == .tentative || busyStatus == .unavailable
  }

  /// Reads X-FENCEPOST-AVAILABILITY; `false` if the line must be kept unchanged.
  mutating func readOwn(_ text: String) -> Bool {
    isNotSupported = text.uppercased() == "NOT-SUPPORTED"
    return isNotSupported
  }

  /// True if a preserved line matches `availability`; false if it is outdated.
  static func agrees(_ line: ContentLine, with availability: EventDetails.Availability) -> Bool {
    switch line.property {
    case .transparency: (line.word.uppercased() == "TRANSPARENT") == (availability == .free)
    case .busyStatus: busyStatus(line.word) == nil || busyStatus(line.word) == availability
    default: true
    }
  }

  private static func busyStatus(_ text: String) -> EventDetails.Availability? {
    switch text.uppercased() {
    case "FREE": .free
    case "TENTATIVE": .tentative
    case "BUSY": .busy
    case "OOF": .unavailable
    default: nil
    }
  }
}
