import CommandLineTable

extension FencepostTable {
  static let backup = Command(
    "backup", summary: "Copy the store into one file",
    discussion: [
      """
      Works while the daemon and apps use the store. The file is there whole or not at all, only you can read it, and \
      it replaces an earlier backup. Don't copy the store with `cp`: what was changed lately is in a file beside it.
      """
    ],
    examples: [Example("fencepost backup ~/calendar-backup.sqlite", "For a disk elsewhere")],
    positionals: [
      Positional("file", .required, "Where to write it", completion: .file(extensions: ["sqlite"]))
    ])

  static let restore = Command(
    "restore", summary: "Replace the store by a backup",
    discussion: [
      """
      Checks first that the file is a whole store of this version or an earlier one. The daemon must not be running. \
      Alarms that went off after the backup was made go off again if they are still due. This can't be undone: make a \
      backup of what is there before.
      """
    ],
    examples: [Example("fencepost restore ~/calendar-backup.sqlite", "Back to that state")],
    options: [.flag("yes", short: "y", "Don't ask")],
    positionals: [
      Positional("file", .required, "A backup", completion: .file(extensions: ["sqlite"]))
    ])
}
