import CalendarModel
import Recurrence

/// Times as people read them in tables: `Fri 1 May 2026 08:30`, in the reader's zone. Piped, they are RFC
/// 3339, which programs sort and read.
struct TimeText {
  let resolver: TimeResolver
  let isTerminal: Bool

  init(context: CommandContext) {
    resolver = context.resolver
    isTerminal = context.console.isTerminal
  }

  /// A time as it was said, brought into the reader's zone; a whole day without a time.
  func text(_ time: CalendarTime) -> String {
    time.isDate ? day(time.day) : text(resolver.instant(of: time))
  }

  func text(_ instant: Instant) -> String {
    guard isTerminal else { return instant.rfc3339(utcOffset: resolver.floating.offset(at: instant)) }
    let civil = resolver.floating.civil(at: instant)
    return "\(day(civil.day)) \(FiringTable.clock(civil).prefix(5))"
  }

  /// `Fri 1 May 2026`.
  func day(_ day: CivilDay) -> String {
    guard isTerminal else { return "\(day)" }
    let (year, month, dayOfMonth) = day.components
    let weekday = "\(day.weekday)".prefix(3)
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    return
      "\(weekday.prefix(1).uppercased())\(weekday.dropFirst()) \(dayOfMonth) \(months[month - 1]) \(year)"
  }

  /// An alarm in words: `15 min before`, `arriving at Bakery`.
  func text(_ alarm: Alarm) -> String {
    var parts: [String] = []
    if let proximity = alarm.proximity {
      let place = proximity.location.title
      switch proximity.event {
      case .enter: parts.append("arriving at \(place)")
      case .leave: parts.append("leaving \(place)")
      case .dwell(let seconds): parts.append("\(ReplaySummary.length(Double(seconds))) at \(place)")
      }
      if let coordinate = proximity.location.coordinate {
        let radius =
          proximity.location.radius > 0 ? proximity.location.radius : StructuredLocation.defaultRadius
        parts[0] += " (\(coordinate), within \(LengthPhrase.text(radius)))"
      }
    }
    switch alarm.trigger {
    case .none: break
    case .absolute(let instant): parts.append(text(instant))
    case .relative(let offset, let edge):
      let seconds = offset.nominalSeconds
      let of = edge == .end ? " the end" : ""
      parts.append(
        seconds == 0
          ? (edge == .end ? "at the end" : "on time")
          : "\(ReplaySummary.length(Double(abs(seconds)))) \(seconds < 0 ? "before" : "after")\(of)")
    }
    return parts.joined(separator: "; ")
  }
}
