import FencepostCalendarModel
import FencepostCalendarStore
import FencepostCommandLineTable
import FencepostInterchange
import FencepostSpatiotemporal

extension FencepostTable {
  static let completions = Command(
    "completions", summary: "Print a completion script for a shell",
    examples: [Example("fencepost completions bash > /etc/bash_completion.d/fencepost", "For all users")],
    positionals: [
      Positional(
        .shell, .required, "`bash`, `zsh` or `fish`", completion: .choices(["bash", "zsh", "fish"]))
    ],
    action: .runAlone { try $0.printCompletions() })

  static let candidates = Command.candidates(.look(.collect) { try $0.printCandidates() })
}

extension Invocation {
  /// `completions SHELL`.
  func printCompletions() throws {
    // The parser accepts only the names of shells.
    let shell = Shell(rawValue: try parsed.required(.shell)) ?? .bash
    try console.write(FencepostTable.table.completionScript(for: shell))
  }
}

extension CommandContext {
  /// `candidates KIND [WORD…]`: the completions that a shell may offer for an identifier or a name.
  func printCandidates() throws {
    guard let kind = parsed.positional(.kind) else { return }
    if kind == "dates" {
      for date in ["today", "tomorrow", "yesterday", "monday", "next week", "next month"] {
        try console.print(date)
      }
      return
    }
    if kind == "spans" {
      for span in ["today", "tomorrow", "day", "week", "month", "3d", "weekend", "next week", "next month"] {
        try console.print(span)
      }
      return
    }
    if kind == "conferences" {
      for provider in conferenceProviders { try console.print("\(provider.id)\t\(provider.name)") }
      return
    }
    // A shell asks during typing. Without a store there are no candidates.
    guard let store = try? storeOnTheLine() else { return }
    let found = try store.read { try candidates(kind, in: $0) }
    for (candidate, about) in found {
      // A tab separates a candidate from its description.
      let words = [candidate, about].compactMap { $0 }.map {
        $0.withoutControls.replacing("\t", with: " ")
      }
      try console.print(words.joined(separator: "\t"))
    }
  }

  /// The store that `--store` names on the typed line, otherwise the default store.
  private func storeOnTheLine() throws -> CalendarStore {
    let words = parsed.positionals(.line)
    var path: String?
    for (index, word) in words.enumerated() {
      if word == "--store", index + 1 < words.count { path = words[index + 1] }
      if word.hasPrefix("--store=") { path = String(word.dropFirst("--store=".count)) }
    }
    guard var path else { return try openStoreToRead() }
    // The shell has not removed the quotes yet.
    if let quote = path.first, "'\"".contains(quote) {
      path = String(path.dropFirst().prefix { $0 != quote })
    }
    if path.hasPrefix("~/"), let home = console.environment["HOME"] { path = home + path.dropFirst() }
    return try openToRead(path)
  }

  /// Words with descriptions.
  private func candidates(
    _ kind: String, in reader: borrowing StoreReader
  ) throws -> [(word: String, about: String?)] {
    // More candidates would not help.
    let most = 200
    func identified(_ items: [CalendarItem]) throws -> [(word: String, about: String?)] {
      try items.map { (try reader.shortID(of: $0.id), $0.title) }
    }
    switch kind {
    case "items", "reminders":
      var items = Array(try reader.incompleteReminders().prefix(most))
      if kind == "items" {
        let later = now.adding(seconds: 60 * 86_400)
        items += try reader.events(from: now, until: later).prefix(most)
      }
      return try identified(items)
    case "firings":
      let ids = try reader.firings(limit: most).reversed().map(\.firing.item)
      var seen: Set<Identifier<CalendarItem>> = []
      return try identified(ids.filter { seen.insert($0).inserted }.compactMap { try reader.item($0) })
    case "suggestions":
      return try reader.suggestions().prefix(most).map { (String($0.id.rawValue.prefix(8)), $0.title) }
    default: return try names(kind, in: reader).map { ($0, nil) }
    }
  }

  private func names(_ kind: String, in reader: borrowing StoreReader) throws -> [String] {
    switch kind {
    case "lists": return try reader.calendars().map(\.title)
    case "calendars": return try reader.calendars(for: .events).map(\.title)
    case "sources": return try reader.sources().map(\.title)
    case "places": return try reader.namedPlaces().map(\.title)
    case "devices": return try reader.devices().map(\.name)
    case "subscriptions":
      return try reader.subscriptions().compactMap { try reader.calendar($0.calendar)?.title }
    case "apps":
      var seen: Set<String> = []
      return try reader.accessDecisions().map(\.app).filter { seen.insert($0).inserted }
    default: return []
    }
  }
}
