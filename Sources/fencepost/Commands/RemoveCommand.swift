import CalendarModel
import CommandLineTable
import CalendarStore

extension CommandContext {
  /// `remove ID… [--yes]`.
  func remove() throws {
    let store = try openExistingStore()
    let prefixes = parsed.positionals("id")
    let items = try store.read { reader in try prefixes.map { try reader.item(idPrefix: $0) } }
    if !parsed.flag("yes") {
      guard console.canAsk else {
        throw CommandError("nobody is there to confirm it; to remove without asking, say --yes")
      }
      for item in items { console.say("  \(FiringTable.plain(item.title))  (\(item.id))") }
      guard console.confirms("Remove \(items.count == 1 ? "it" : "these \(items.count)")?") else {
        throw CommandError("nothing was removed")
      }
    }
    try store.write { writer in
      for item in items { _ = try writer.remove(item.id) }
    }
    for item in items { try say("removed", item) }
  }

  /// Tells what became of an item.
  func say(_ what: String, _ item: CalendarItem) throws {
    if json {
      let list = try openStoreToRead().read { try $0.calendar(item.calendar)?.title } ?? ""
      try console.print(ItemLines(resolver: resolver).line(item, list: list))
    } else {
      try console.print("\(what) \(FiringTable.plain(item.title))")
    }
  }
}
