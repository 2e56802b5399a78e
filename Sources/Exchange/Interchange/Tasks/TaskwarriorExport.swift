import FencepostJSON

/// The tasks that Taskwarrior exports (`task export`), as a stream of iCalendar for the reader.
///
/// A project becomes a list, annotations become notes, `wait` and `scheduled` the start. A recurring task is one
/// reminder: its template gives the rule, and its first open instance the due date. Deleted tasks are left out.
///
/// Source: taskwarrior.org/docs/design/task ("Taskwarrior JSON format").
public struct TaskwarriorExport {
  /// The tasks in the form of RFC 5545.
  public let calendar: [UInt8]
  /// What was left out or not understood, one line each.
  public let warnings: [String]

  /// Parses a file: an array of objects, or an object a line.
  ///
  /// - Returns: `nil` if it is neither, or has no task.
  public init?(_ bytes: [UInt8]) {
    guard let tasks = Self.objects(bytes),
      tasks.contains(where: { $0["uuid"] != nil && $0["entry"] != nil && $0["@type"] == nil })
    else { return nil }
    var reading = Reading()
    var templates: [String: JSONValue] = [:]
    for task in tasks where task["status"]?.text == "recurring" {
      if let uuid = task["uuid"]?.text { templates[uuid] = task }
    }
    // The first open instance says when a series is due next.
    var next: [String: String] = [:]
    for task in tasks where task["status"]?.text != "completed" && task["status"]?.text != "deleted" {
      guard let parent = task["parent"]?.text, let due = task["due"]?.text else { continue }
      next[parent] = min(next[parent] ?? due, due)
    }
    var read: [TaskStream.Task] = []
    for task in tasks {
      let status = task["status"]?.text
      if status == "deleted" { continue }
      if let parent = task["parent"]?.text, let template = templates[parent], status != "completed",
        Self.rule(template) != nil
      {
        continue
      }
      let due = status == "recurring" ? task["uuid"]?.text.flatMap { next[$0] } : nil
      if let made = reading.task(task, due: due) { read.append(made) }
    }
    var stream = TaskStream()
    stream.add(read)
    calendar = Array(stream.text.utf8)
    warnings = reading.warnings
  }

  private static func objects(_ bytes: [UInt8]) -> [JSONValue]? {
    if let whole = try? JSONValue(reading: bytes, maxDepth: 16) { return whole.list ?? [whole] }
    let lines = bytes.split { $0 == 0x0A || $0 == 0x0D }
    // Older versions write no brackets, and a comma after each object.
    let objects = lines.compactMap { line in
      try? JSONValue(reading: Array(line.last == 0x2C ? line.dropLast() : line), maxDepth: 16)
    }
    return objects.count == lines.count ? objects : nil
  }

  // MARK: Rules

  private static let words: [String: String] = [
    "daily": "FREQ=DAILY", "day": "FREQ=DAILY", "weekdays": "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR",
    "weekly": "FREQ=WEEKLY", "sennight": "FREQ=WEEKLY", "biweekly": "FREQ=WEEKLY;INTERVAL=2",
    "fortnight": "FREQ=WEEKLY;INTERVAL=2", "monthly": "FREQ=MONTHLY", "bimonthly": "FREQ=MONTHLY;INTERVAL=2",
    "quarterly": "FREQ=MONTHLY;INTERVAL=3", "semiannual": "FREQ=MONTHLY;INTERVAL=6", "annual": "FREQ=YEARLY",
    "yearly": "FREQ=YEARLY", "biannual": "FREQ=YEARLY;INTERVAL=2", "biyearly": "FREQ=YEARLY;INTERVAL=2",
  ]

  /// The rule of a template, without its end; `nil` if a calendar can't repeat by its period.
  private static func rule(_ template: JSONValue) -> String? {
    guard let period = template["recur"]?.text?.lowercased() else { return nil }
    if let rule = words[period] { return rule }
    // `2w`, `3 months`, and ISO 8601 durations of one unit: `P2W`.
    guard let parts = period.wholeMatch(of: /(?<iso>p)?(?<count>[0-9]{1,4}) ?(?<unit>[a-z]+)/),
      let count = Int(parts.count), count > 0
    else { return nil }
    let unit = parts.unit
    let frequency: String? =
      switch unit {
      case "d", "day", "days": "DAILY"
      case "w", "wk", "wks", "week", "weeks": "WEEKLY"
      case "m" where parts.iso != nil, "mo", "mos", "mth", "mths", "month", "months": "MONTHLY"
      case "q", "qtr", "qtrs", "quarter", "quarters": "QUARTERLY"
      case "y", "yr", "yrs", "year", "years": "YEARLY"
      case "h", "hr", "hrs", "hour", "hours": "HOURLY"
      default: nil
      }
    return frequency.map {
      $0 == "QUARTERLY" ? "FREQ=MONTHLY;INTERVAL=\(count * 3)" : "FREQ=\($0);INTERVAL=\(count)"
    }
  }

  // MARK: Tasks

  /// Whether a text is a time in UTC (RFC 5545, section 3.3.5).
  private static func isTime(_ text: String) -> Bool { text.wholeMatch(of: /[0-9]{8}T[0-9]{6}Z/) != nil }

  private struct Reading {
    var warnings: [String] = []

    mutating func task(_ task: JSONValue, due nextDue: String?) -> TaskStream.Task? {
      guard let title = task["description"]?.text, let uid = task["uuid"]?.text else {
        warnings.append("line \(task.line): a task without 'uuid' or 'description' was left out")
        return nil
      }
      var made = TaskStream.Task(uid: uid, title: title)
      made.list = task["project"]?.text
      made.tags = task["tags"]?.list?.compactMap(\.text) ?? []
      made.notes = task["annotations"]?.list?.compactMap { $0["description"]?.text } ?? []
      let isRecurring = task["status"]?.text == "recurring"
      func add(_ property: String, _ text: String?) {
        // Taskwarrior writes the form of RFC 5545: 20261201T080000Z.
        guard let text else { return }
        if TaskwarriorExport.isTime(text) {
          made.lines.append("\(property):\(text)")
        } else {
          warnings.append("'\(title)': '\(text)' is no time; \(property.lowercased()) was left out")
        }
      }
      let due = nextDue ?? task["due"]?.text
      add("DUE", due)
      // A start after the due date would be refused.
      if let start = task["wait"]?.text ?? task["scheduled"]?.text, due.map({ start <= $0 }) ?? true {
        add("DTSTART", start)
      }
      add("CREATED", task["entry"]?.text)
      add("LAST-MODIFIED", task["modified"]?.text)
      switch task["priority"]?.text {
      case "H": made.lines.append("PRIORITY:1")
      case "M": made.lines.append("PRIORITY:5")
      case "L": made.lines.append("PRIORITY:9")
      default: break
      }
      if task["status"]?.text == "completed" {
        made.lines.append("STATUS:COMPLETED")
        add("COMPLETED", task["end"]?.text)
      }
      if isRecurring, due != nil {
        if let rule = TaskwarriorExport.rule(task) {
          let end = task["until"]?.text.flatMap { TaskwarriorExport.isTime($0) ? ";UNTIL=\($0)" : nil }
          made.lines.append("RRULE:" + rule + (end ?? ""))
        } else {
          let period = task["recur"]?.text ?? ""
          warnings.append("'\(title)': a calendar can't repeat by the period '\(period)'; it does not repeat")
          return nil
        }
      }
      return made
    }
  }
}
