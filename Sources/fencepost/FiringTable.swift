import AlarmEngine
import CalendarModel
import CommandLineTable
import Geofencing
import Phrases
import Recurrence

/// Firings and transitions for people: one row each, with a heading for each day.
///
/// In a pipe, rows are tab-separated with full times, without headings.
///
/// A crossing in a gap is listed at the time of its detection, with the time range in which it may have
/// happened.
struct FiringTable {
  private let resolver: TimeResolver
  private let style: Style
  private let isTerminal: Bool
  private var day: CivilDay?
  /// Whether to show the device, because there are several.
  var namesDevices = false

  init(context: CommandContext) {
    resolver = context.resolver
    style = context.style
    isTerminal = context.console.isTerminal
  }

  mutating func row(_ firing: Firing, of item: ItemHeading) -> String {
    let crossing = firing.crossing
    var notes: [String] = []
    if let gap = crossing?.gap { notes.append(between(gap)) }
    if firing.isLate { notes.append("late") }
    if let words = crossing?.source.words { notes.append(words) }
    if firing.folded > 0 { notes.append("with \(firing.folded) missed before") }
    if namesDevices, let device = crossing?.device, !device.isEmpty { notes.append(device) }
    if let crossing, crossing.gap == nil, let confirmed = firing.confirmedAt {
      notes.append("sure \(resolver.floating.civil(at: confirmed).clock)")
    }
    return row(
      at: firing.time, seenAt: crossing?.gap == nil ? nil : firing.wentOffAt,
      what: FiringTable.verb(firing.kind), place: firing.place?.title, title: item.title,
      list: item.list, notes: notes)
  }

  mutating func row(
    _ transition: Transition, at place: StructuredLocation, device: String, of item: ItemHeading,
    gap: ClosedRange<Instant>?
  ) -> String {
    let sure = "sure \(resolver.floating.civil(at: transition.settledAt).clock)"
    return row(
      at: transition.time, seenAt: gap.map { _ in transition.settledAt },
      what: transition.kind == .enter ? "(enter)" : "(leave)", place: place.title, title: item.title,
      list: item.list, notes: [gap.map(between) ?? sure, device])
  }

  /// `between 09:57 and 11:07`, with dates if the days differ.
  private func between(_ gap: ClosedRange<Instant>) -> String {
    FiringTable.between(gap, resolver)
  }

  /// `between 09:57 and 11:07`, with dates if the days differ.
  static func between(_ gap: ClosedRange<Instant>, _ resolver: TimeResolver) -> String {
    let (first, last) = (
      resolver.floating.civil(at: gap.lowerBound), resolver.floating.civil(at: gap.upperBound)
    )
    func text(_ time: CivilDateTime) -> String {
      let minute = String(time.clock.prefix(5))
      return first.day == last.day ? minute : "\(CalendarNames.short(time.day)) \(minute)"
    }
    return "between \(text(first)) and \(text(last))"
  }

  private static func verb(_ kind: Firing.Kind) -> String {
    switch kind {
    case .enter: "arrived"
    case .leave: "left"
    case .dwell: "stayed"
    case .absolute, .relative: "time"
    case .suggestion: "found"
    }
  }

  private mutating func row(
    at time: Instant, seenAt: Instant? = nil, what: String, place: String?, title: String, list: String,
    notes: [String]
  ) -> String {
    guard isTerminal else {
      var line = ""
      line.reserveCapacity(120)
      line += FiringLines(resolver: resolver).text(time)
      func add(_ field: String) {
        line += "\t"
        line += FiringTable.plain(field)
      }
      add(what)
      add(title)
      add(place ?? "")
      add(list)
      for note in notes { add(note) }
      return line
    }
    let local = resolver.floating.civil(at: seenAt ?? time)
    var text = ""
    if local.day != day {
      text = (day == nil ? "" : "\n") + style.paint(CalendarNames.long(local.day), .bold) + "\n"
      day = local.day
    }
    text += "  \(local.clock)  \(pad(what, 8)) "
    text += place.map { "\(FiringTable.plain($0)): " } ?? ""
    text += style.paint(FiringTable.plain(title), .bold)
    let aside = ([list] + notes).map(FiringTable.plain).joined(separator: ", ")
    return text + style.paint("  \(aside)", .dim)
  }

  /// Text on one line, without control characters.
  static func plain(_ text: String) -> String { text.withoutControls }

  private func pad(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}

extension CrossingSource {
  /// The evidence for a crossing as text; `nil` for the usual one.
  fileprivate var words: String? {
    switch self {
    case .positions: nil
    case .silence: "by silence"
    case .passage: "on the way"
    case .phone: "reported by the phone"
    }
  }
}
