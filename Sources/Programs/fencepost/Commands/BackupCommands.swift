import FencepostAlarmEngine
import FencepostCalendarStore
import FencepostCommandLineTable
import FencepostJSON
import Glibc

extension FencepostTable {
  static let backup = Command(
    "backup", summary: "Copy the store into one file",
    discussion: [
      """
      Works while the daemon and apps use the store. It replaces an earlier backup in one step, and only you can read \
      the file. Don't copy the store with `cp`: recent changes are in a second file.
      """
    ],
    examples: [Example("fencepost backup ~/calendar-backup.sqlite", "Back up the store")],
    positionals: [
      Positional(.file, .required, "The file to write", completion: .file(extensions: ["sqlite"]))
    ],
    action: .run(isUndoable: false) { try $0.backUp() })

  static let restore = Command(
    "restore", summary: "Replace the store with a backup",
    discussion: [
      """
      First checks that the file is a complete store of this version or an earlier one. Stop the daemon before. Alarms \
      that went off after the backup go off again if they are still due. You can't undo this: back up the current \
      store first.
      """
    ],
    examples: [Example("fencepost restore ~/calendar-backup.sqlite", "Restore the backup")],
    options: [confirmation],
    positionals: [
      Positional(.file, .required, "A backup", completion: .file(extensions: ["sqlite"]))
    ],
    action: .run(isUndoable: false) { try $0.restore() })
}

extension CommandContext {
  /// `backup FILE`.
  func backUp() throws {
    let file = parsed.positionals(.file)[0]
    guard file != "-" else {
      throw parsed.misuse("a backup can't go to standard output; name a file ('./-' for one called '-')")
    }
    let size = try openStoreToRead().backUp(to: file)
    if json {
      var line = JSONLine(type: "backup")
      line.add("file", file)
      line.add("bytes", Int(size))
      return try console.print(line.line)
    }
    try console.print("wrote \(FiringTable.plain(file)), \(max(1, size >> 10)) KiB")
  }

  /// `restore FILE [--yes]`.
  func restore() throws {
    let file = parsed.positionals(.file)[0]
    let path = try storePath()
    let count = try CalendarStore.check(file)
    if access(path, F_OK) == 0 {
      let old = try openStoreToRead().read { try $0.itemCount() }
      try confirm("Replace the store (\(items(old))) with this backup (\(items(count)))?")
    }
    let restored = try CalendarStore.restore(file, to: path)
    if json {
      var line = JSONLine(type: "restore")
      line.add("file", file)
      line.add("items", restored)
      return try console.print(line.line)
    }
    try console.print("restored \(items(restored)) from \(FiringTable.plain(file))")
  }

  private func items(_ count: Int) -> String { "\(count) item\(count == 1 ? "" : "s")" }
}
