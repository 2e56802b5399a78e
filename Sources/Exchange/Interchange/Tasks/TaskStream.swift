/// Tasks of another program as a stream of iCalendar, so that one reader repairs and checks the tasks of all
/// programs.
struct TaskStream {
  /// The text so far, a VCALENDAR for each list.
  private(set) var text = ""

  /// A task as the values of its VTODO.
  struct Task {
    var uid: String
    var title: String
    var list: String?
    /// `PROPERTY[;PARAMETERS]:VALUE`, in the form of RFC 5545.
    var lines: [String] = []
    var tags: [String] = []
    var notes: [String] = []

    init(uid: String, title: String) {
      self.uid = uid
      self.title = title
    }
  }

  /// Adds tasks, those of one list together.
  mutating func add(_ tasks: [Task]) {
    var lists: [String?] = []
    var members: [String?: [Task]] = [:]
    for task in tasks {
      if members[task.list] == nil { lists.append(task.list) }
      members[task.list, default: []].append(task)
    }
    for list in lists {
      line("BEGIN:VCALENDAR")
      line("VERSION:2.0")
      if let list { line("NAME:" + Self.escaped(list)) }
      for task in members[list] ?? [] { add(task) }
      line("END:VCALENDAR")
    }
  }

  private mutating func add(_ task: Task) {
    line("BEGIN:VTODO")
    line("UID:" + Self.escaped(task.uid))
    line("SUMMARY:" + Self.escaped(task.title))
    for known in task.lines { line(known) }
    if !task.tags.isEmpty { line("CATEGORIES:" + task.tags.map(Self.escaped).joined(separator: ",")) }
    if !task.notes.isEmpty { line("DESCRIPTION:" + Self.escaped(task.notes.joined(separator: "\n"))) }
    line("END:VTODO")
  }

  /// The reader joins folded lines, but needs none: a line may have any length.
  private mutating func line(_ line: String) { text += line + "\r\n" }

  /// A text as a TEXT value (RFC 5545, section 3.3.11).
  private static func escaped(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case "\\", ";", ",": result += "\\\(character)"
      case "\n", "\r\n": result += "\\n"
      case "\r": break
      default: result.append(character)
      }
    }
    return result
  }
}
