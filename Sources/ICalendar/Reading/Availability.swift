import CalendarModel

/// How TRANSP and Microsoft's X-MICROSOFT-CDO-BUSYSTATUS together say whether an event's time is taken.
struct Availability {
  private var isTransparent = false
  private var busyStatus: EventDetails.Availability?
  private var isNotSupported = false

  /// What they say. The time is taken where nothing is said.
  var value: EventDetails.Availability {
    if isNotSupported { return .notSupported }
    if let busyStatus, busyStatus == .tentative || busyStatus == .unavailable { return busyStatus }
    return isTransparent || busyStatus == .free ? .free : .busy
  }

  /// Takes TRANSP; `false` where the line is to be kept as it stands, as it says nothing that is not so
  /// without it.
  mutating func readTransparency(_ text: String) -> Bool {
    isTransparent = text.uppercased() == "TRANSPARENT"
    return isTransparent
  }

  /// Takes X-MICROSOFT-CDO-BUSYSTATUS; `false` where the line is to be kept as it stands.
  mutating func readBusyStatus(_ text: String) -> Bool {
    busyStatus = Availability.busyStatus(text)
    return busyStatus == .tentative || busyStatus == .unavailable
  }

  /// Takes X-FENCEPOST-AVAILABILITY; `false` where the line is to be kept as it stands.
  mutating func readOwn(_ text: String) -> Bool {
    isNotSupported = text.uppercased() == "NOT-SUPPORTED"
    return isNotSupported
  }

  /// True where a preserved line goes with `availability`, and false where it is out of date.
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
