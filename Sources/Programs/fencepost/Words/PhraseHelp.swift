import FencepostCalendarModel
import FencepostCommandLineTable
import FencepostPhrases
import FencepostRecurrence

/// `help phrases`: what the line of `add` may say, and what each example means at this moment, as the reader of
/// such lines finds it.
struct PhraseHelp {
  private let dates: DatePhrase
  private let resolver: TimeResolver
  private let style: Style

  /// - Parameters:
  ///   - now: The moment at which the examples are said.
  ///   - resolver: The zone of their times.
  init(at now: Instant, resolver: TimeResolver, style: Style) {
    dates = DatePhrase(at: now, resolver: resolver, order: .dayFirst)
    self.resolver = resolver
    self.style = style
  }

  /// The lines of the help.
  var lines: [String] {
    var lines = [
      "What the line of 'fencepost add' may say, in English and German, and what it means now:"
    ]
    let groups = PhraseExamples.groups
    let width = (groups.flatMap(\.examples).map(\.count).max() ?? 0) + 2
    for group in groups {
      lines += ["", style.paint(group.title, .bold) + ": " + group.form]
      for example in group.examples {
        let gap = String(repeating: " ", count: width - example.count)
        lines.append("  " + example + gap + style.paint(meaning(of: example), .dim))
      }
    }
    lines += [
      "", style.paint("Not guessed", .bold) + ": 'add' says which words it does not understand, such as",
    ]
    lines += PhraseExamples.refused.map { "  " + $0 }
    lines += ["With --title, all words are the title."]
    return lines
  }

  /// What an example means: `Fri 1 May 09:00`, `every week on Monday, from Mon 4 May`, `arriving at Bakery`.
  func meaning(of example: String) -> String {
    guard let entry = try? QuickEntry("x " + example, dates: dates), entry.unread == nil else { return "" }
    var parts: [String] = []
    if let rule = entry.rule {
      parts.append(RepeatPhrase.text(rule) { text($0) })
      parts += entry.due.map { ["from " + text($0)] } ?? []
      if let end = entry.end { parts.append("to " + clock(end)) }
    } else if let due = entry.due {
      parts.append(text(due) + (entry.end.map { span(from: due, to: $0) } ?? ""))
    }
    if let place = entry.place {
      let radius = entry.radius.map { " within \(LengthPhrase.text($0))" } ?? ""
      parts.append((entry.crossing == .arrive ? "arriving at " : "leaving ") + place + radius)
    }
    parts += entry.tags.map { "the tag \($0)" }
    if let priority = entry.priority { parts.append("priority \(priority)") }
    return parts.joined(separator: ", ")
  }

  /// ` to 10:00` on the same day, ` to Mon 4 May` for days.
  private func span(from start: CalendarTime, to end: CalendarTime) -> String {
    let isSameDay = !end.isDate && end.day(in: resolver) == start.day(in: resolver)
    return " to " + (isSameDay ? clock(end) : text(end))
  }

  private func text(_ time: CalendarTime) -> String {
    let day = time.day(in: resolver)
    let year = day.components.year == dates.now.day.components.year ? "" : " \(day.components.year)"
    let clock = clock(time)
    return CalendarNames.brief(day) + year + (clock.isEmpty ? "" : " " + clock)
  }

  private func clock(_ time: CalendarTime) -> String {
    guard !time.isDate else { return "" }
    return String(resolver.floating.civil(at: resolver.instant(of: time)).clock.prefix(5))
  }
}
