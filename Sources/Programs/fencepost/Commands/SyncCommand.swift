import FencepostCalendarModel
import FencepostCalendarStore
import FencepostCommandLineTable
import FencepostSynchronizer

extension FencepostTable {
  static let sync = Command(
    "sync", summary: "Synchronize a list with a folder of files (a vdir)",
    discussion: [
      """
      The folder has a file for each item, as in khal, todoman and vdirsyncer. Changes go both ways and are merged \
      like those of a server. The first time, each side gets everything from the other.
      """
    ],
    examples: [Example("fencepost sync ~/.calendars/errands --list Errands", "The first time")],
    options: [
      .value(.list, "NAME", short: "l", completion: .program("lists"), "The list, the first time"),
      .flag(.dryRun, short: "n", "Show what would change, and change nothing"),
      .flag(.yes, short: "y", "Remove also large parts of lists"),
    ],
    positionals: [Positional(.folder, .required, "An existing folder", completion: .file())],
    action: .run(isUndoable: false) { try $0.syncFolder() })
}

extension CommandContext {
  /// `sync FOLDER [--list NAME] [--dry-run] [--yes]`.
  func syncFolder() throws {
    let folder = try parsed.required(.folder)
    let store = try openExistingStore()
    let list = try parsed.value(.list).map { name in
      try store.read { reader in
        let lists = try reader.lists(called: name)
        guard let list = lists.first, lists.count == 1 else {
          throw CommandError("several lists are named '\(name)'; rename one of them")
        }
        return list.id
      }
    }
    var options = SyncOptions()
    options.isDryRun = parsed.flag(.dryRun)
    options.allowsLargeRemovals = parsed.flag(.yes)
    let counts = try naming {
      try FolderSynchronizer(store: store).synchronize(folder, with: list, options: options, at: now)
    }
    try say(counts, of: folder, nil)
    if counts.failed > 0 { throw ExitCode.failure }
  }
}
