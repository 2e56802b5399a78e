import FencepostCommandLineTable

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
    options: [.flag(.yes, short: "y", "Don't ask for confirmation")],
    positionals: [
      Positional(.file, .required, "A backup", completion: .file(extensions: ["sqlite"]))
    ],
    action: .run(isUndoable: false) { try $0.restore() })
}
