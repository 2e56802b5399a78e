import FencepostCalendarModel
import FencepostCalendarStore
import FencepostSystem
import Glibc

/// The files of folders that were not scanned before.
///
/// Names of mails in a Maildir are never reused, so a name is enough to know a mail. A folder of mails whose
/// time of change is that of the last scan is not even listed: it may have a hundred thousand names.
struct MailFolders {
  /// A file of a folder.
  struct File {
    var path: String
    /// The hash of its name, for a mail in a Maildir.
    var mail: Int64?
  }

  /// The files, by name.
  private(set) var files: [File] = []
  /// What to record with the mails once all files are read: the folders of mails as they are now.
  private(set) var marks: [Int64] = []
  private let store: CalendarStore
  /// The mails that were scanned before; `nil` until a folder of mails is listed.
  private var known: Set<Int64>?

  /// The maximum depth of folders.
  private static let deepest = 8
  /// A folder that changed so many seconds ago may change again with the same time.
  private static let settled: Int64 = 2

  init(store: CalendarStore) { self.store = store }

  /// Adds the files of a folder and its subfolders. In a Maildir, those of `new` and `cur`, because mails in
  /// `tmp` are incomplete.
  mutating func collect(_ folder: String, depth: Int = 0) throws {
    guard depth <= Self.deepest else { return }
    let holdsMails = folder.hasSuffix("/cur") || folder.hasSuffix("/new")
    let mark = holdsMails ? Self.mark(of: folder) : nil
    if let mark, try store.read({ try $0.isScannedMail(mark) }) { return }
    let names = FolderEntry.all(in: folder)
    let isMaildir = names.contains { $0.isFolder && $0.name == "cur" }
    for entry in names {
      let name = entry.name
      let path = folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
      if entry.isFolder {
        if !(isMaildir && name == "tmp") { try collect(path, depth: depth + 1) }
      } else if holdsMails, !name.hasPrefix(".") {
        let mail = SuggestionInbox.hash(String(name.prefix { $0 != ":" }))
        if try !isKnown(mail) { files.append(File(path: path, mail: mail)) }
      } else if !name.hasPrefix(".") {
        files.append(File(path: path))
      }
    }
    // Changes of a subfolder do not change the time of this one.
    if let mark, !names.contains(where: \.isFolder) { marks.append(mark) }
  }

  private mutating func isKnown(_ mail: Int64) throws -> Bool {
    if let known { return known.contains(mail) }
    let read = try store.read { try $0.scannedMails() }
    known = read
    return read.contains(mail)
  }

  /// The hash of a folder as it is; `nil` while it may still change.
  private static func mark(of folder: String) -> Int64? {
    var status = stat()
    guard stat(folder, &status) == 0 else { return nil }
    let time = status.st_mtim
    guard Int64(time.tv_sec) + settled < Instant.wallClock().microseconds / 1_000_000 else { return nil }
    return SuggestionInbox.hash("\(status.st_dev)/\(status.st_ino)/\(time.tv_sec).\(time.tv_nsec)")
  }
}
