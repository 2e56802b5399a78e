import CalendarStore
import CommandLineTable
import Glibc
import Interchange
import Reservations
import System

/// Scans files, folders and Maildirs for the inbox.
struct SuggestionScan {
  let store: CalendarStore
  let inbox: SuggestionInbox
  private let reader: ReservationReader

  /// So many mails of a Maildir are noted in one transaction.
  private static let batch = 500
  /// Deeper folders are not looked into.
  private static let deepest = 8

  init(store: CalendarStore, inbox: SuggestionInbox, finder: ZoneFinder) {
    self.store = store
    self.inbox = inbox
    reader = ReservationReader(finder: finder)
  }

  /// A file of a folder.
  private struct File {
    var path: String
    /// The hash of its name, for a mail of a Maildir: names there are given once.
    var mail: Int64?
  }

  /// Scans a source, and passes on each change after it is saved.
  ///
  /// - Parameters:
  ///   - source: A path; `-` is standard input.
  ///   - skipped: Called with a message for each file of a folder that can't be read.
  ///   - progress: Called with the number of files so far, and of all.
  /// - Throws: If the source itself can't be read, and errors of the store and of `body`.
  func run(
    _ source: String, skipped: (String) -> Void, progress: (Int, Int) -> Void,
    _ body: (SuggestionInbox.Change) throws -> Void
  ) throws {
    let path = source == "-" ? "/dev/stdin" : source
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
      let document = reader.scan(try WholeFile.read(path))
      return try save([document], mails: [], body)
    }
    let known = try store.read { try $0.scannedMails() }
    var files: [File] = []
    Self.collect(path, depth: 0, into: &files)
    files.removeAll { $0.mail.map(known.contains) ?? false }
    var documents: [ScannedDocument] = []
    var mails: [Int64] = []
    for (index, file) in files.enumerated() {
      do throws(SystemFailure) {
        let document = reader.scan(try WholeFile.read(file.path))
        if !document.reservations.isEmpty || !document.calendars.isEmpty { documents.append(document) }
        if let mail = file.mail { mails.append(mail) }
      } catch {
        skipped("\(error)")
      }
      if documents.count + mails.count >= Self.batch {
        try save(documents, mails: mails, body)
        documents = []
        mails = []
        progress(index + 1, files.count)
      }
    }
    try save(documents, mails: mails, body)
  }

  private func save(
    _ documents: [ScannedDocument], mails: [Int64], _ body: (SuggestionInbox.Change) throws -> Void
  ) throws {
    if documents.isEmpty && mails.isEmpty { return }
    let changes = try store.write { writer in
      try writer.noteScannedMails(mails)
      return try documents.flatMap { try inbox.take($0, in: writer) }
    }
    for change in changes { try body(change) }
  }

  /// The files of a folder and its folders, by name. Of a Maildir, those of `new` and `cur`; mails in `tmp` are not whole.
  private static func collect(_ folder: String, depth: Int, into files: inout [File]) {
    guard depth <= deepest, let directory = opendir(folder) else { return }
    var names: [(name: String, isFolder: Bool)] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name == "." || name == ".." { continue }
      var kind = Int32(entry.pointee.d_type)
      if kind == Int32(DT_UNKNOWN) {
        var status = stat()
        guard lstat("\(folder)/\(name)", &status) == 0 else { continue }
        kind = status.st_mode & S_IFMT == S_IFDIR ? Int32(DT_DIR) : Int32(DT_REG)
      }
      if kind == Int32(DT_DIR) || kind == Int32(DT_REG) { names.append((name, kind == Int32(DT_DIR))) }
    }
    closedir(directory)
    let isMaildir = names.contains { $0.isFolder && $0.name == "cur" }
    let holdsMails = folder.hasSuffix("/cur") || folder.hasSuffix("/new")
    for (name, isFolder) in names.sorted(by: { $0.name < $1.name }) {
      let path = folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
      if isFolder {
        if !(isMaildir && name == "tmp") { collect(path, depth: depth + 1, into: &files) }
      } else if !name.hasPrefix(".") {
        let unique = String(name.prefix { $0 != ":" })
        files.append(File(path: path, mail: holdsMails ? SuggestionInbox.hash(unique) : nil))
      }
    }
  }
}
