import FencepostAlgorithms
import FencepostSpatiotemporal

/// A todo.txt file as a stream of iCalendar for the reader.
///
/// `(A) 2026-11-20 Call the bank +house @phone due:2026-12-01 t:2026-11-28 rec:1w`: priority, day of creation,
/// text, projects and contexts (as tags, contexts with their `@`), due day, first day, and repeat. `x` and a day
/// begin a completed task. `A` is a high priority, `B` a medium and others a low one.
///
/// Source: github.com/todotxt/todo.txt, and the extensions `due`, `t`, `rec` and `pri` of SimpleTask and
/// QTodoTxt.
public struct TodoText {
  /// The tasks in the form of RFC 5545.
  public let calendar: [UInt8]
  /// What was not understood, one line each, with the number of the line.
  public let warnings: [String]

  /// Parses a file.
  public init(_ bytes: [UInt8]) {
    var tasks: [TaskStream.Task] = []
    var warnings: [String] = []
    var known: [String: Int] = [:]
    let text = String(decoding: bytes, as: UTF8.self)
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .enumerated()
    {
      guard line.contains(where: { !$0.isWhitespace }) else { continue }
      let task = Task(line)
      guard !task.title.isEmpty else {
        warnings.append("line \(index + 1): a task without words was left out")
        continue
      }
      warnings += task.unread.map { "line \(index + 1): '\($0)' was not understood and stays in the title" }
      // The same words twice are two tasks. A changed date leaves a task the same.
      known[task.title, default: 0] += 1
      let key = task.title + "\n\(known[task.title] ?? 0)"
      tasks.append(task.made(uid: "todo-txt-" + StableHash(of: key).text))
    }
    var stream = TaskStream()
    stream.add(tasks)
    calendar = Array(stream.text.utf8)
    self.warnings = warnings
  }

  /// A line.
  private struct Task {
    var words: [Substring] = []
    var tags: [String] = []
    var lines: [String] = []
    var unread: [String] = []

    var title: String { words.joined(separator: " ") }

    init(_ line: Substring) {
      var rest = line.split(whereSeparator: \.isWhitespace)[...]
      if rest.first == "x" {
        rest.removeFirst()
        lines.append("STATUS:COMPLETED")
        if let day = rest.first.flatMap(Self.day) {
          rest.removeFirst()
          lines.append("COMPLETED:\(day)T000000Z")
        }
      }
      if let letter = rest.first?.wholeMatch(of: /\(([A-Z])\)/)?.1 {
        rest.removeFirst()
        priority(letter)
      }
      if let day = rest.first.flatMap(Self.day) {
        rest.removeFirst()
        lines.append("CREATED:\(day)T000000Z")
      }
      for word in rest { add(word) }
    }

    private mutating func add(_ word: Substring) {
      if word.count > 1, word.hasPrefix("+") { return tags.append(String(word.dropFirst())) }
      if word.count > 1, word.hasPrefix("@") { return tags.append(String(word)) }
      let parts = word.split(separator: ":", maxSplits: 1)
      guard parts.count == 2 else { return words.append(word) }
      switch parts[0].lowercased() {
      case "due", "t":
        guard let day = Self.day(parts[1]) else { return keep(word) }
        lines.append((parts[0].lowercased() == "due" ? "DUE" : "DTSTART") + ";VALUE=DATE:\(day)")
      case "rec":
        // A plus sign counts from the due day instead of the day of completion.
        guard let match = parts[1].wholeMatch(of: /\+?([0-9]{1,4})([dbwmy])/),
          let count = Int(match.1), count > 0, match.2 != "b" || count == 1
        else { return keep(word) }
        lines.append(
          "RRULE:"
            + [
              "d": "FREQ=DAILY;INTERVAL=\(count)", "w": "FREQ=WEEKLY;INTERVAL=\(count)",
              "b": "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "m": "FREQ=MONTHLY;INTERVAL=\(count)",
              "y": "FREQ=YEARLY;INTERVAL=\(count)",
            ][String(match.2), default: ""])
      case "pri":
        guard let letter = parts[1].wholeMatch(of: /[A-Z]/)?.0 else { return keep(word) }
        priority(letter)
      default: words.append(word)
      }
    }

    private mutating func keep(_ word: Substring) {
      words.append(word)
      unread.append(String(word))
    }

    private mutating func priority(_ letter: Substring) {
      lines.append("PRIORITY:" + (letter == "A" ? "1" : letter == "B" ? "5" : "9"))
    }

    /// `2026-12-01` as `20261201`.
    private static func day(_ word: Substring) -> String? {
      guard let match = word.wholeMatch(of: /([0-9]{4})-([0-9]{2})-([0-9]{2})/),
        let year = Int(match.1), let month = Int(match.2), let day = Int(match.3),
        CivilDay(validYear: year, month: month, day: day) != nil
      else { return nil }
      return "\(match.1)\(match.2)\(match.3)"
    }

    func made(uid: String) -> TaskStream.Task {
      var task = TaskStream.Task(uid: uid, title: title)
      task.tags = tags
      // A rule needs a day to count from.
      let hasDay = lines.contains { $0.hasPrefix("DUE") || $0.hasPrefix("DTSTART") }
      task.lines = lines.filter { hasDay || !$0.hasPrefix("RRULE") }
      return task
    }
  }
}
