import FencepostAlarmEngine
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostCommandLineTable
import FencepostDaemon
import FencepostICalendar
import FencepostInterchange
import FencepostItems
import FencepostJSON
import FencepostRecurrence
import FencepostSystem
import FoundationEssentials
import Glibc

extension FencepostTable {
  static let `import` = Command(
    "import", summary: "Import files into the store",
    discussion: [
      """
      Each file is imported completely or not at all. An item with a known UID is updated, unless the store has a \
      later revision (by SEQUENCE, then LAST-MODIFIED or DTSTAMP). It stays in its list unless `--list` is given. \
      Unchanged items are not touched.
      """,
      """
      New items go to the list that the file names (`X-WR-CALNAME`, `NAME`), with its colour, unless `--list` is \
      given. Journals and similar components are kept for export.
      """,
      """
      A file may also be a scheduling message (RFC 5546). A `REPLY` changes only the attendee's answer, and a `CANCEL` \
      cancels the event or the occurrence. Other messages are refused with an error.
      """,
      """
      Birthdays and anniversaries of contacts (vCard, `.vcf`) go to the read-only calendar `Birthdays`, or that of \
      `--list`. OwnTracks waypoints (`.otrw`) become reminders in the list `Places`.
      """,
      """
      A file of JSCalendar (RFC 8984) has an event, a task or a group of them. Its entries without a `uid` are skipped.
      """,
      """
      Tasks of Taskwarrior (`task export`) go to lists named like their projects; those of a `todo.txt` or `done.txt` \
      get their projects and contexts as tags.
      """,
      """
      For a folder, all such files except JSON and todo.txt in it and its subfolders are imported. If one fails, the others \
      are still imported.
      """,
    ],
    examples: [
      Example("fencepost import Data/errands.ics --list Errands", "Import a file into one list"),
      Example("fencepost import --dry-run Data/errands.ics", "Show what would change"),
    ],
    options: [
      .value(
        .list, "NAME", short: "l", aliases: ["into"], completion: .program("lists"),
        "Put all items into this list or calendar; created if needed"), createListOption,
      .flag(.dryRun, short: "n", "Show what would change, and change nothing"),
      .flag(.prune, "Remove items of the list that are not in the file"),
      .flag(.yes, short: "y", "Don't ask for confirmation before removing items"),
    ],
    positionals: [
      Positional(
        .file, .oneOrMore,
        "A file of iCalendar (RFC 5545), JSCalendar, vCard, OwnTracks waypoints, Taskwarrior or todo.txt, `-` for iCalendar on standard input, or a folder",
        completion: .file(extensions: ["ics", "json", "vcf", "otrw", "txt"]))
    ],
    action: .run { try $0.importFiles() })
}

/// Options of an import.
struct ImportOptions {
  /// The list or calendar for all items; `nil` to keep known items in their lists.
  var list: String?
  /// Whether to show the changes only.
  var isDryRun = false
  /// Whether to remove items of the list that are not in the file.
  var prunes = false
  /// Whether to remove items without asking.
  var hasConsent = false
}

/// The result of importing a file.
struct ImportResult {
  var counts = MergeCounts()
  var warnings = 0
  /// The alarms that will not ring.
  var silent = SilentAlarmList()
}

extension CommandContext {
  /// `import FILE|FOLDER… [--list NAME] [--prune] [--dry-run]`.
  func importFiles() throws {
    let (files, isFolder) = try ImportFolder.files(parsed.positionals(.file)) { path in
      console.say("fencepost: \(path): is not a file, and was skipped")
    }
    var options = ImportOptions(
      list: parsed.value(.list), isDryRun: parsed.flag(.dryRun), prunes: parsed.flag(.prune),
      hasConsent: parsed.flag(.yes))
    if options.prunes {
      guard files.count == 1 else {
        throw CommandError("--prune takes one file only")
      }
      guard options.list != nil || ImportSource(files[0]) == .contacts else {
        throw CommandError("--prune needs --list NAME")
      }
    }
    let store = try options.isDryRun ? storeForDryRun() : openStore()
    options.list = try knownList(options.list, for: [.events, .reminders], in: store)
    var failed = 0
    for file in files {
      do {
        try say(try importFile(file, into: store, options), of: file, options)
      } catch let error where isFolder && !(error is OutputError) {
        console.say("fencepost: \(error)")
        failed += 1
      }
    }
    guard failed == 0 else { throw CommandError("\(failed) of \(files.count) files were not imported") }
  }

  /// A copy of the store in memory, or a new one if there is no store yet: a dry run creates no file and
  /// blocks no program.
  private func storeForDryRun() throws -> CalendarStore {
    let path = try storePath()
    return access(path, F_OK) == 0
      ? try CalendarStore(copyOf: open(CalendarStore(path: path, access: .existing))) : try CalendarStore()
  }

  /// Merges a file into a store in one transaction, and prints warnings.
  @discardableResult
  func importFile(
    _ path: String, into store: CalendarStore, _ options: ImportOptions = ImportOptions()
  ) throws -> ImportResult {
    if options.prunes && !options.hasConsent && !options.isDryRun {
      try askToPrune(path, into: store, options)
    }
    let warnings = WarningLog()
    let counts = try merge(path, into: store, options, warnings) { change, reader in
      if options.isDryRun { try printChange(change, in: reader) }
    }
    for warning in warnings.lines { console.say("fencepost: \(warning)") }
    if warnings.omitted > 0 { console.say("fencepost: \(path): \(warnings.omitted) more warnings") }
    for line in warnings.silent.lines { console.say("fencepost: \(path): \(line)") }
    return ImportResult(
      counts: counts, warnings: warnings.lines.count + warnings.omitted, silent: warnings.silent)
  }

  private func askToPrune(_ path: String, into store: CalendarStore, _ options: ImportOptions) throws {
    guard path != "-" else { throw CommandError("can't preview standard input; use --yes") }
    let copy = try CalendarStore(copyOf: store)
    let counts = try merge(path, into: copy, options, WarningLog()) { _, _ in }
    let count = counts[.removed]
    if count == 0 { return }
    guard console.canAsk else {
      throw CommandError("this would remove \(count); use --yes to confirm")
    }
    guard console.confirms("Remove \(count) that \(count == 1 ? "is" : "are") not in \(path)?") else {
      throw CommandError("nothing was imported")
    }
  }

  // MARK: Merging

  private func merge(
    _ path: String, into store: CalendarStore, _ options: ImportOptions, _ warnings: WarningLog,
    _ observer: @escaping SteppedMerge.Observer
  ) throws -> MergeCounts {
    switch ImportSource(path) {
    case .calendar: try mergeCalendar(path, into: store, options, warnings, observer)
    case .json: try mergeJSON(path, into: store, options, warnings, observer)
    case .todoText:
      try mergeTodoText(path, into: store, options, warnings, observer)
    case .waypoints: try mergeWaypoints(path, into: store, options, warnings, observer)
    case .contacts: try mergeContacts(path, into: store, options, warnings, observer)
    }
  }

  /// Merges what `reading` reads; it returns warnings, and the number of those that it left out.
  func mergeParts(
    into store: CalendarStore, _ options: ImportOptions, _ warnings: WarningLog,
    _ observer: @escaping SteppedMerge.Observer,
    reading: (SteppedMerge) throws -> (warnings: [String], omitted: Int)
  ) throws -> MergeCounts {
    let list = options.list
    let rules = CalendarMerge(
      list == nil ? .keep : .move, prunes: options.prunes, at: now, resolver: resolver
    ) { isEvent, writer in
      try writer.list(named: list, for: isEvent ? .events : .reminders, widens: true).id
    }
    let merge = SteppedMerge(
      rules, into: store,
      observer: { change, reader in
        if let warning = change.warning { return warnings.add(warning) }
        try observer(change, reader)
      })
    let read = try reading(merge)
    let counts = try merge.finish { reader in
      guard options.prunes, let list else { return [] }
      var pruned: Set<Identifier<ItemCalendar>> = []
      for entities in [ItemCalendar.Entities.reminders, .events] {
        guard let calendar = try reader.list(named: list, for: entities),
          calendar.allowsContentModifications
        else { continue }
        pruned.insert(calendar.id)
      }
      return Array(pruned)
    }
    warnings.lines += read.warnings
    warnings.omitted += read.omitted
    return counts
  }

  private func mergeCalendar(
    _ path: String, into store: CalendarStore, _ options: ImportOptions, _ warnings: WarningLog,
    _ observer: @escaping SteppedMerge.Observer
  ) throws -> MergeCounts {
    try mergeParts(into: store, options, warnings, observer) { merge in
      let reader = ICalendarReader(calendar: Identifier(rawValue: ""))
      var progress = Progress(self)
      let size = fileSize(path)
      var count = 0
      let document = try reader.forEachPart(
        path: path,
        progress: { progress.update(bytes: Int64($0), of: size, count: count, of: "items") }
      ) { part in
        if case .item(let item) = part {
          count += 1
          warnings.silent.add(item)
        }
        try merge.apply(part)
      }
      progress.end()
      if options.prunes {
        guard !merge.hasMessages else {
          throw CommandError(
            "\(path): is a scheduling message (METHOD), not a calendar; don't use --prune with it")
        }
        guard !document.isCutOff else {
          throw CommandError(
            "\(path): is incomplete (no END:VCALENDAR); --prune would remove what is missing")
        }
      }
      return (document.warnings.map(\.description), document.omittedWarnings)
    }
  }

  private func mergeTodoText(
    _ path: String, into store: CalendarStore, _ options: ImportOptions, _ warnings: WarningLog,
    _ observer: @escaping SteppedMerge.Observer
  ) throws -> MergeCounts {
    let file = TodoText(try WholeFile.read(path))
    return try mergeTasks(file.calendar, file.warnings, of: path, into: store, options, warnings, observer)
  }

  /// Imports OwnTracks' waypoints as reminders at their places, by default into the list "Places".
  private func mergeWaypoints(
    _ path: String, into store: CalendarStore, _ options: ImportOptions, _ warnings: WarningLog,
    _ observer: @escaping SteppedMerge.Observer
  ) throws -> MergeCounts {
    guard let export = OwnTracksWaypoints(Data(try WholeFile.read(path))) else {
      throw CommandError("\(path): is not an OwnTracks waypoints file")
    }
    let list = options.list ?? "Places"
    let rules = CalendarMerge(options.list == nil ? .keep : .move, prunes: options.prunes, at: now) {
      _, writer in
      try writer.list(named: list, for: .reminders).id
    }
    let merge = SteppedMerge(rules, into: store, observer: observer)
    for item in export.items { try merge.apply(.item(item)) }
    let counts = try merge.finish(pruning: { reader in
      options.prunes ? try reader.list(named: list, for: .reminders).map { [$0.id] } ?? [] : []
    })
    if export.skipped > 0 {
      warnings.lines.append(
        "\(path): \(export.skipped) waypoints have no place or no radius and were skipped")
    }
    return counts
  }

  /// Imports contacts' days as events, by default into the calendar "Birthdays".
  private func mergeContacts(
    _ path: String, into store: CalendarStore, _ options: ImportOptions, _ warnings: WarningLog,
    _ observer: @escaping SteppedMerge.Observer
  ) throws -> MergeCounts {
    let calendar = try store.read { try $0.birthdayCalendar(titled: options.list ?? "Birthdays") }
    let rules = CalendarMerge(only: calendar.id, prunes: options.prunes, at: now)
    let merge = SteppedMerge(rules, into: store, preparing: { try $0.save(calendar) }, observer: observer)
    let summary = try ContactReader().forEachContact(path: path) { contact in
      for event in BirthdayEvents.events(of: contact, in: calendar.id) { try merge.apply(.item(event)) }
    }
    let counts = try merge.finish(pruning: { _ in options.prunes ? [calendar.id] : [] })
    warnings.lines += summary.warnings.map(\.description)
    warnings.omitted += summary.omittedWarnings
    return counts
  }

  private func fileSize(_ path: String) -> Int64? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int64(status.st_size)
  }

  // MARK: Results

  /// Prints the change of an item, if any.
  private func printChange(_ change: MergeChange, in reader: borrowing StoreReader) throws {
    guard change.outcome != .unchanged else { return }
    let list = try reader.calendar(change.calendar)?.title ?? ""
    if json {
      var line = JSONLine(type: "change")
      line.add("outcome", change.outcome.rawValue)
      line.add("id", change.item.rawValue)
      line.add("title", change.title)
      line.add("list", list)
      try console.print(line.line)
      return
    }
    let cells = [change.outcome.rawValue, change.title, list, change.item.rawValue].map(FiringTable.plain)
    guard console.isTerminal else { return try console.print(cells.joined(separator: "\t")) }
    let word = cells[0] + String(repeating: " ", count: max(0, 9 - cells[0].count))
    try console.print("\(word) \(cells[1])  (\(cells[2]))")
  }

  private func say(_ result: ImportResult, of path: String, _ options: ImportOptions) throws {
    let counts = result.counts
    if json {
      var line = JSONLine(type: "import")
      line.add("file", path)
      for outcome in MergeOutcome.allCases { line.add(outcome.rawValue, counts[outcome]) }
      line.add("preserved", counts.preserved.values.reduce(0, +))
      line.add("warnings", result.warnings)
      line.add("will_not_ring", result.silent.json)
      line.add("dry_run", options.isDryRun)
      try console.print(line.line)
    } else {
      let note = options.isDryRun ? " (dry run: nothing was written)" : ""
      try console.print("\(path): \(CommandContext.text(counts))\(note)")
    }
    if !counts.preserved.isEmpty {
      let kept = counts.preserved.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
      let verb = options.isDryRun ? "would be kept" : "kept"
      console.say(
        "fencepost: \(path): \(verb) for export, not shown: \(kept.joined(separator: ", "))")
    }
    if counts[.older] > 0 && !options.isDryRun {
      console.say(
        "fencepost: \(path): skipped \(counts[.older]) older than the stored version")
    }
  }

  /// `3 added, 0 updated, 12 unchanged`.
  static func text(_ counts: MergeCounts) -> String {
    MergeOutcome.allCases.filter { counts[$0] > 0 || $0 == .added || $0 == .updated }
      .map { "\(counts[$0]) \($0.rawValue)" }.joined(separator: ", ")
  }
}

/// Collects warnings until the merge has succeeded.
final class WarningLog {
  var lines: [String] = []
  var silent = SilentAlarmList()
  var omitted = 0

  /// Adds a line, unless there are many.
  func add(_ line: String) {
    if lines.count < 1_000 { lines.append(line) } else { omitted += 1 }
  }
}

extension CommandContext {
  /// Merges a file of JSCalendar, whose objects change the items that are there, or of Taskwarrior.
  func mergeJSON(
    _ path: String, into store: CalendarStore, _ options: ImportOptions, _ warnings: WarningLog,
    _ observer: @escaping SteppedMerge.Observer
  ) throws -> MergeCounts {
    let bytes = try WholeFile.read(path)
    if let export = TaskwarriorExport(bytes) {
      return try mergeTasks(
        export.calendar, export.warnings, of: path, into: store, options, warnings, observer)
    }
    let document: JSCalendarDocument
    do {
      document = try JSCalendarDocument(reading: bytes, resolver: resolver, at: now) { uid in
        try store.read { try $0.items(uid: uid) }
      }
    } catch let error as JSONFailure {
      throw CommandError("\(path):\(error.line): \(error.complaint)")
    } catch let error as ItemPatchError {
      throw CommandError("\(path): \(error.sentence)")
    }
    guard !options.prunes || document.problems.isEmpty else {
      throw CommandError("\(path): \(document.problems[0].sentence); --prune would remove what is broken")
    }
    return try mergeParts(into: store, options, warnings, observer) { merge in
      var header = ICalendarHeader()
      header.name = document.title
      try merge.apply(.header(header))
      for item in document.items { try merge.apply(.item(item)) }
      let shown = document.problems.prefix(1_000)
      return (
        shown.map { "\(path): \($0.sentence); the entry was skipped" }, document.problems.count - shown.count
      )
    }
  }

  /// Merges the tasks of another program, which are in the form of RFC 5545 already.
  private func mergeTasks(
    _ calendar: [UInt8], _ problems: [String], of path: String, into store: CalendarStore,
    _ options: ImportOptions, _ warnings: WarningLog, _ observer: @escaping SteppedMerge.Observer
  ) throws -> MergeCounts {
    try mergeParts(into: store, options, warnings, observer) { merge in
      let reader = ICalendarReader(calendar: Identifier(rawValue: ""))
      let document = try reader.forEachPart(calendar, name: path) { try merge.apply($0) }
      let shown = problems.prefix(1_000).map { "\(path): \($0)" }
      return (
        shown + document.warnings.map(\.description),
        problems.count - shown.count + document.omittedWarnings
      )
    }
  }
}
