import AlarmEngine
import CalendarModel
import CommandLineTable
import Geofencing
import Recurrence

/// Firings and transitions for people: a row each, under a heading for each day.
///
/// Piped, a row is tab-separated with its time in full, and there are no headings: a row must stand alone.
struct FiringTable {
  private let resolver: TimeResolver
  private let style: Style
  private let isTerminal: Bool
  private var day: CivilDay?

  init(context: CommandContext) {
    resolver = context.resolver
    style = context.style
    isTerminal = context.console.isTerminal
  }

  mutating func row(_ firing: Firing, of item: ItemSummary) -> String {
    var notes: [String] = []
    if firing.isLate { notes.append("late") }
    if firing.folded > 0 { notes.append("with \(firing.folded) missed before it") }
    if let confirmed = firing.confirmedAt, firing.crossing != nil {
      notes.append("sure \(FiringTable.clock(resolver.floating.civil(at: confirmed)))")
    }
    return row(
      at: firing.time, what: FiringTable.verb(firing.kind), place: firing.crossing?.place.title,
      title: item.title, list: item.list, notes: notes)
  }

  mutating func row(
    _ transition: Transition, at place: StructuredLocation, device: String, of item: ItemSummary
  ) -> String {
    row(
      at: transition.time, what: transition.kind == .enter ? "(enter)" : "(leave)", place: place.title,
      title: item.title, list: item.list,
      notes: ["sure \(FiringTable.clock(resolver.floating.civil(at: transition.settledAt)))", device])
  }

  private static func verb(_ kind: Firing.Kind) -> String {
    switch kind {
    case .enter: "arrived"
    case .leave: "left"
    case .dwell: "stayed"
    case .absolute, .relative: "time"
    }
  }

  private mutating func row(
    at time: Instant, what: String, place: String?, title: String, list: String, notes: [String]
  ) -> String {
    let local = resolver.floating.civil(at: time)
    guard isTerminal else {
      let zoned = FiringLines(resolver: resolver).text(time)
      return ([zoned, what, title, place ?? "", list] + notes).map(FiringTable.plain).joined(separator: "\t")
    }
    var text = ""
    if local.day != day {
      text = (day == nil ? "" : "\n") + style.paint(CalendarNames.long(local.day), .bold) + "\n"
      day = local.day
    }
    text += "  \(FiringTable.clock(local))  \(pad(what, 8)) "
    text += place.map { "\(FiringTable.plain($0)): " } ?? ""
    text += style.paint(FiringTable.plain(title), .bold)
    let aside = ([list] + notes).map(FiringTable.plain).joined(separator: ", ")
    return text + style.paint("  \(aside)", .dim)
  }

  static func clock(_ time: CivilDateTime) -> String {
    [time.hour, time.minute, time.second].map { ($0 < 10 ? "0" : "") + String($0) }.joined(separator: ":")
  }

  /// Text of a file on one line, with nothing in it that a terminal obeys.
  static func plain(_ text: String) -> String { text.withoutControls }

  private func pad(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}
