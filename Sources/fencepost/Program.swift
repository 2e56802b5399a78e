import CalendarStore
import CommandLineTable
import Configuration
import FencepostDaemon

/// One run of the program: words in, an exit code out.
struct Program {
  let console: Console

  /// Runs a command line without the program's name.
  func run(_ words: [String]) -> ExitCode {
    do {
      let code = try execute(words)
      try console.flush()
      return code
    } catch {
      return report(error)
    }
  }

  /// Runs the command of a process, whose words may not be valid text.
  func run(arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> ExitCode {
    var words: [String] = []
    var next = arguments
    while let argument = next.pointee {
      guard let word = String(validatingCString: argument) else {
        // A repaired name could be the name of another file.
        console.say(
          "fencepost: '\(String(cString: argument))' is not in UTF-8, as words and names of files have to be")
        return .misuse
      }
      words.append(word)
      next += 1
    }
    return run(Array(words.dropFirst()))
  }

  /// Prints an error.
  private func report(_ error: any Error) -> ExitCode {
    switch error {
    case OutputError.closed:
      // The reader has closed its pipe; this is normal.
      return .success
    case let error as UsageError:
      try? console.flush()
      console.say("fencepost: \(error)")
      console.say("See '\(error.helpLine)'.")
      return .misuse
    default:
      try? console.flush()
      console.say("fencepost: \(error)")
      // A service manager should not retry with wrong settings.
      return error is SettingError || error is ConfigurationError ? .misuse : .failure
    }
  }

  private func execute(_ words: [String]) throws -> ExitCode {
    let table = FencepostTable.table
    if words.isEmpty {
      try console.write(table.root.help(.short, width: console.width, style: style(nil)))
      return .misuse
    }
    let parsed = try table.parse(words, environment: console.environment)
    let style = style(parsed.value("color"))
    if let form = parsed.helpRequest {
      try console.write(parsed.node.help(form, width: console.width, style: style))
      return .success
    }
    if parsed.name.isEmpty {
      if parsed.flag("version") {
        try console.print("fencepost \(FencepostTable.version)")
        return .success
      }
      try console.write(table.root.help(.short, width: console.width, style: style))
      return .misuse
    }
    if try speakOfItself(parsed, style: style) { return .success }
    let context = try CommandContext(parsed, words: words, console: console, style: style)
    switch parsed.name {
    case "candidates": try context.printCandidates()
    case "replay": try context.replay()
    case "explain": try context.explain()
    case "tracks": try context.tracks()
    case "import": try context.importFiles()
    case "export": try context.export()
    case "subscribe": try context.subscribe()
    case "unsubscribe": try context.unsubscribe()
    case "subscriptions": try context.listSubscriptions()
    case "refresh": return try context.refresh() ? .success : .failure
    case "add reminder": try context.addReminders()
    case "add event": try context.addEvent()
    case "edit": try context.edit()
    case "complete": try context.complete()
    case "remove": try context.remove()
    case "move": try context.move()
    case "list": try context.list()
    case "agenda": try context.agenda()
    case "search": try context.search()
    case "show": try context.show()
    case "near": try context.near()
    case "lists": try context.lists()
    case "lists add": try context.addList()
    case "lists rename": try context.renameList()
    case "lists color": try context.colorList()
    case "lists edit": try context.editList()
    case "lists default": try context.chooseDefaultList()
    case "lists remove": try context.removeList()
    case "sources": try context.sources()
    case "sources add": try context.addSource()
    case "sources rename": try context.renameSource()
    case "sources remove": try context.removeSource()
    case "places": try context.places()
    case "places add": try context.addPlace()
    case "places move": try context.movePlace()
    case "places rename": try context.renamePlace()
    case "places remove": try context.removePlace()
    case "undo": try context.undo()
    case "redo": try context.redo()
    case "backup": try context.backUp()
    case "restore": try context.restore()
    case "occurrences": try context.occurrences()
    case "access list": try context.listAccess()
    case "access grant": try context.grantAccess()
    case "access revoke": try context.revokeAccess()
    case "access policy": try context.accessPolicy()
    case "daemon": try context.daemon()
    case "status": try context.status()
    case "alarms next": try context.nextAlarms()
    case "alarms log": try context.alarmLog()
    case "alarms ack": try context.acknowledgeAlarms()
    case "alarms snooze": try context.snoozeAlarms()
    case "alarms test": return try context.testAlarm() ? .success : .failure
    case "pause": try context.askDaemon(.pause)
    case "resume": try context.askDaemon(.resume)
    case "reload": try context.askDaemon(.reload)
    case "history": try context.history()
    case "forget": try context.forget()
    case "config": return try context.config()
    default: throw CommandError("'\(parsed.name)' is in the table of commands, but nothing runs it")
    }
    return .success
  }

  /// The commands that tell of the program alone, and neither read settings nor open a store.
  private func speakOfItself(_ parsed: ParsedCommand, style: Style) throws -> Bool {
    switch parsed.name {
    case "help":
      let node = try FencepostTable.table.node(at: parsed.positionals("command"))
      try console.write(node.help(.long, width: console.width, style: style))
    case "completions": try console.write(FencepostTable.completions(parsed))
    case "manual": try console.write(FencepostTable.manual(parsed))
    default: return false
    }
    return true
  }

  private func style(_ when: String?) -> Style {
    switch when {
    case "always": .ansi
    case "never": .plain
    default: console.usesColor ? .ansi : .plain
    }
  }
}

/// The error of a command, one line.
struct CommandError: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }
}
