public import FencepostGeofencing

extension Judgement {
  /// The decision about a boundary, in words.
  public var sentence: String {
    let entering = !believedInside
    return switch outcome {
    case .doubtful: entering ? "may have arrived" : "may have left"
    case .crossed: entering ? "arrived" : "left"
    case .dismissed: entering ? "has not arrived after all" : "has not left after all"
    case .passed: "passed through between two positions"
    case .settledBySilence: (entering ? "arrived" : "left") + ": no position came since the last one"
    case .reached: "arrived: the last position before the gap is just outside"
    case .elsewhere: "left: it has arrived elsewhere"
    case .reportedByPhone:
      (entering ? "arrived" : "left") + ": reported by the phone, which watches this place"
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
