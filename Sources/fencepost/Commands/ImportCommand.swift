import AlarmEngine
import CalendarModel
import CalendarStore
import CommandLineTable
import FencepostDaemon
import FoundationEssentials
import Glibc
import ICalendar
import Interchange
import JSON
import Recurrence
import System

/// How files are imported.
struct ImportOptions {
  /// The list or calendar that all items go into; `nil` to let known ones stay where they are.
  var list: String?
  /// Only show what would change.
  var isDryRun = false
  /// Remove items of the list that are not in the file.
  var prunes = false
  /// Don't ask before something is removed.
  var hasConsent = false
}

/// What a file brought.
struct ImportResult {
  var counts = MergeCounts()
  var warnings = 0
}

extension CommandContext {
  /// `import FILE|FOLDER… [--list NAME] [--prune] [--dry-run]`.
  func importFiles() throws {
    let (files, isFolder) = try ImportFolder.files(parsed.positionals("file"))
    var options = ImportOptions(
      list: parsed.value("list"), isDryRun: parsed.flag("dry-run"), prunes: parsed.flag("prune"),
      hasConsent: parsed.flag("yes"))
    if options.prunes {
      guard files.count == 1 else {
        throw CommandError("--prune takes one file: what another one brings would be removed again")
      }
      guard options.list != nil || ImportSource(files[0]) == .contacts else {
        throw CommandError("--prune needs a list to remove from; say --list NAME")
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

  /// The store, or one in memory if there is none: a dry run creates no file.
  private func storeForDryRun() throws -> CalendarStore {
    let path = try storePath()
    return access(path, F_OK) == 0
      ? try open(CalendarStore(path: path, access: .existing)) : try CalendarStore()
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
    let counts: MergeCounts
    if options.isDryRun {
      counts = try store.dryRun { writer in
        try merge(path, into: writer, options, warnings) { try printChange($0, in: writer) }
      }
    } else {
      counts = try store.write { try merge(path, into: $0, options, warnings) }
    }
    for warning in warnings.lines { console.say("fencepost: \(warning)") }
    if warnings.omitted > 0 { console.say("fencepost: \(path): \(warnings.omitted) more warnings") }
    return ImportResult(counts: counts, warnings: warnings.lines.count + warnings.omitted)
  }

  private func askToPrune(_ path: String, into store: CalendarStore, _ options: ImportOptions) throws {
    guard path != "-" else { throw CommandError("standard input can't be looked at first; say --yes") }
    let counts = try store.dryRun { try merge(path, into: $0, options, WarningLog()) }
    let count = counts[.removed]
    if count == 0 { return }
    guard console.canAsk else {
      throw CommandError("\(count) would be removed, and nobody is there to confirm it; say --yes")
    }
    guard console.confirms("Remove \(count) that \(count == 1 ? "is" : "are") not in \(path)?") else {
      throw CommandError("nothing was imported")
    }
  }

  // MARK: Merging

  private func merge(
    _ path: String, into writer: borrowing StoreWriter, _ options: ImportOptions, _ warnings: WarningLog,
    _ body: (MergeChange) throws -> Void = { _ in }
  ) throws -> MergeCounts {
    switch ImportSource(path) {
    case .calendar: try mergeCalendar(path, into: writer, options, warnings, body)
    case .waypoints: try mergeWaypoints(path, into: writer, options, warnings, body)
    case .contacts: try mergeContacts(path, into: writer, options, warnings, body)
    }
  }

  private func mergeCalendar(
    _ path: String, into writer: borrowing StoreWriter, _ options: ImportOptions, _ warnings: WarningLog,
    _ body: (MergeChange) throws -> Void
  ) throws -> MergeCounts {
    let list = options.list
    var merge = CalendarMerge(
      list == nil ? .keep : .move, prunes: options.prunes, at: now, resolver: resolver
    ) { isEvent, writer in
      try writer.list(named: list, for: isEvent ? .events : .reminders, widens: true).id
    }
    let reader = ICalendarReader(calendar: Identifier(rawValue: ""))
    var progress = Progress(self)
    let size = fileSize(path)
    var count = 0
    let document = try reader.forEachPart(
      path: path,
      progress: { progress.update(bytes: Int64($0), of: size, count: count, of: "items") }
    ) { part in
      if case .item = part { count += 1 }
      try merge.take(part, in: writer) { change in
        if let warning = change.warning { return warnings.add(warning) }
        try body(change)
      }
    }
    progress.end()
    if options.prunes, let list {
      guard !merge.hasMessages else {
        throw CommandError(
          "\(path): is a message about a calendar (METHOD) and no calendar; leave --prune out")
      }
      guard !document.isCutOff else {
        throw CommandError("\(path): ends before END:VCALENDAR; what is missing would be removed")
      }
      var pruned: Set<Identifier<ItemCalendar>> = []
      for entities in [ItemCalendar.Entities.reminders, .events] {
        guard let calendar = try writer.reader.list(named: list, for: entities),
          calendar.allowsContentModifications, pruned.insert(calendar.id).inserted
        else { continue }
        try merge.prune(calendar.id, in: writer, body)
      }
    }
    try writer.saveNew(document.timeZones)
    for zone in document.timeZones { _ = resolver.zones.register(zone) }
    warnings.lines += document.warnings.map(\.description)
    warnings.omitted += document.omittedWarnings
    return merge.counts
  }

  /// OwnTracks' waypoints as reminders at their places, in the list "Places" unless another is asked for.
  private func mergeWaypoints(
    _ path: String, into writer: borrowing StoreWriter, _ options: ImportOptions, _ warnings: WarningLog,
    _ body: (MergeChange) throws -> Void
  ) throws -> MergeCounts {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw CommandError("\(path): can't be read")
    }
    guard let export = OwnTracksWaypoints(data) else {
      throw CommandError("\(path): holds no waypoints as OwnTracks exports them")
    }
    let list = options.list ?? "Places"
    var merge = CalendarMerge(options.list == nil ? .keep : .move, prunes: options.prunes, at: now) {
      _, writer in
      try writer.list(named: list, for: .reminders).id
    }
    for item in export.items { try body(try merge.take(item, in: writer)) }
    if options.prunes {
      let calendar = try writer.list(named: list, for: .reminders)
      try merge.prune(calendar.id, in: writer, body)
    }
    if export.skipped > 0 {
      warnings.lines.append(
        "\(path): \(export.skipped) waypoints without a place and a radius were passed over")
    }
    return merge.counts
  }

  /// Contacts' days as events, in the calendar "Birthdays" unless another is asked for.
  private func mergeContacts(
    _ path: String, into writer: borrowing StoreWriter, _ options: ImportOptions, _ warnings: WarningLog,
    _ body: (MergeChange) throws -> Void
  ) throws -> MergeCounts {
    let calendar = try writer.birthdayCalendar(titled: options.list ?? "Birthdays")
    var merge = CalendarMerge(only: calendar.id, prunes: options.prunes, at: now)
    let summary = try ContactReader().forEachContact(path: path) { contact in
      for event in BirthdayEvents.events(of: contact, in: calendar.id) {
        try body(try merge.take(event, in: writer))
      }
    }
    if options.prunes { try merge.prune(calendar.id, in: writer, body) }
    warnings.lines += summary.warnings.map(\.description)
    warnings.omitted += summary.omittedWarnings
    return merge.counts
  }

  private func fileSize(_ path: String) -> Int64? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int64(status.st_size)
  }

  // MARK: Results

  /// Prints the change of an item, if any.
  private func printChange(_ change: MergeChange, in writer: borrowing StoreWriter) throws {
    guard change.outcome != .unchanged else { return }
    let list = try writer.reader.calendar(change.calendar)?.title ?? ""
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
      line.add("dry_run", options.isDryRun)
      try console.print(line.line)
    } else {
      let note = options.isDryRun ? " (nothing was written)" : ""
      try console.print("\(path): \(CommandContext.text(counts))\(note)")
    }
    if !counts.preserved.isEmpty {
      let kept = counts.preserved.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
      let verb = options.isDryRun ? "would be kept" : "kept"
      console.say(
        "fencepost: \(path): \(verb) as they are: \(kept.joined(separator: ", ")); export writes them again")
    }
    if counts[.older] > 0 && !options.isDryRun {
      console.say(
        "fencepost: \(path): \(counts[.older]) older than what is here, which stayed as it is")
    }
  }

  /// `3 added, 0 updated, 12 unchanged`.
  static func text(_ counts: MergeCounts) -> String {
    MergeOutcome.allCases.filter { counts[$0] > 0 || $0 == .added || $0 == .updated }
      .map { "\(counts[$0]) \($0.rawValue)" }.joined(separator: ", ")
  }
}

/// Collects warnings until the merge has succeeded.
private final class WarningLog {
  var lines: [String] = []
  var omitted = 0

  /// Adds a line, unless there are many.
  func add(_ line: String) {
    if lines.count < 1_000 { lines.append(line) } else { omitted += 1 }
  }
}

/// What kind of file is imported.
private enum ImportSource {
  case calendar, waypoints, contacts

  /// By its name, and for contacts also by how it begins.
  init(_ path: String) {
    let name = path.lowercased()
    if name.hasSuffix(".otrw") {
      self = .waypoints
    } else if name.hasSuffix(".vcf") || name.hasSuffix(".vcard") || ImportSource.beginsAsContact(path) {
      self = .contacts
    } else {
      self = .calendar
    }
  }

  private static func beginsAsContact(_ path: String) -> Bool {
    var status = stat()
    // A pipe can be read once only.
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      let head = FileHead.read(path, upTo: 64)
    else { return false }
    let start = head.drop { $0 == 0xEF || $0 == 0xBB || $0 == 0xBF || $0 == 0x0D || $0 == 0x0A }
    return String(decoding: start.prefix(11), as: UTF8.self).uppercased() == "BEGIN:VCARD"
  }
}
