public import FencepostGeofencing

/// Why an alarm did not go off although a device crossed its boundary.
public enum Suppression: String, Hashable, Sendable, CaseIterable {
  /// It waits for other devices.
  case otherDevice = "other_device"
  /// The device was inside already, and the alarm waits for an arrival.
  case alreadyInside = "already_inside"
  /// The crossing was before the alarm was made, or before its item last changed.
  case beforeAlarm = "before_alarm"
  /// It is limited to other hours, days or dates.
  case outsideWindow = "outside_window"
  /// It is limited to once, or once a day, and has already gone off.
  case wentOffBefore = "went_off_before"
  /// It is older than the limit for late positions.
  case tooLate = "too_late"
}

extension Judgement {
  /// The decision about a boundary, in words.
  public var sentence: String {
    let entering = !believedInside
    return switch outcome {
    case .doubtful: entering ? "may have arrived" : "may have left"
    case .crossed: entering ? "arrived" : "left"
    case .dismissed: entering ? "has not arrived after all" : "has not left after all"
    case .passed: "passed through between two positions"
    case .ripened: (entering ? "arrived" : "left") + ": no position came since the last one"
    case .reached: "arrived: the last position before the gap is just outside"
    case .elsewhere: "left: it has arrived elsewhere"
    case .believed: (entering ? "arrived" : "left") + ": reported by the phone, which watches this place"
    case .overruled: "had not left: the phone, which watches this place, reports that it is there"
    }
  }
}

extension Rejection {
  /// Why a position was ignored, in words.
  public var words: String {
    switch self {
    case .duplicate: "same time as the previous one"
    case .late: "older than the previous one"
    case .badCoordinate: "invalid coordinate"
    case .imprecise: "too imprecise"
    case .clockJump: "its clock jumped"
    case .impossibleSpeed: "impossible speed"
    case .unconfirmed: "far from where it rests, and not confirmed by a second one"
    }
  }
}

extension Suppression {
  /// Why an alarm did not go off, in words.
  public var words: String {
    switch self {
    case .otherDevice: "it is for other devices"
    case .alreadyInside: "the device was already there"
    case .beforeAlarm: "it happened before the alarm was created"
    case .outsideWindow: "outside its hours, days or dates"
    case .wentOffBefore: "it fired already, and is limited to once or once a day"
    case .tooLate: "it was too long ago"
    }
  }
}
