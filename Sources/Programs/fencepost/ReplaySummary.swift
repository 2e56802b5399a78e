import FencepostCalendarModel

/// The result of a replay as one line.
struct ReplaySummary {
  var fixes: Int
  var rejected: [(reason: String, count: Int)]
  /// The first and last time of the trace's clock.
  var span: ClosedRange<Instant>
  /// The crossings of boundaries. Alarms at the same place share a boundary.
  var crossings: Int
  var firings: Int

  var text: String {
    var text = "\(fixes.grouped) \(fixes == 1 ? "fix" : "fixes")"
    if fixes > 1 {
      text += " over \(ReplaySummary.length(span.upperBound.seconds(since: span.lowerBound)))"
    }
    if !rejected.isEmpty {
      let reasons = rejected.map {
        "\($0.count.grouped) \($0.reason.split(separator: "_").joined(separator: " "))"
      }
      text += ", rejected: \(reasons.joined(separator: ", "))"
    }
    return text
      + "; \(crossings.grouped) \(crossings == 1 ? "crossing" : "crossings")"
      + ", \(firings.grouped) \(firings == 1 ? "alarm" : "alarms")"
  }

  /// A duration in its two largest units: `3 d 4 h`, `12 min 5 s`.
  static func length(_ seconds: Double) -> String {
    let whole = seconds < 9e15 ? Int(seconds.rounded()) : Int.max / 2
    let parts = [
      (whole / 86_400, "d"), (whole / 3600 % 24, "h"), (whole / 60 % 60, "min"), (whole % 60, "s"),
    ]
    guard let first = parts.firstIndex(where: { $0.0 > 0 }) else { return "0 s" }
    return parts[first...].prefix(2).filter { $0.0 > 0 }.map { "\($0.0.grouped) \($0.1)" }.joined(
      separator: " ")
  }
}
