public import CalendarModel
public import CalendarStore
import FoundationEssentials
import Glibc
public import Recurrence
public import Reservations
import System

/// Scans files, folders, Maildirs and pages for the inbox.
public struct SuggestionScan {
  let store: CalendarStore
  let inbox: SuggestionInbox
  private let reader: ReservationReader

  /// The number of mails of a Maildir in one transaction.
  private static let batch = 500
  /// The maximum depth of folders.
  private static let deepest = 8

  /// The most bytes of a page.
  private static let mostOfPage = 8 << 20

  /// A scan for the inbox of a store.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - resolver: Resolves times.
  ///   - alarms: Which alarms events get.
  ///   - now: The current time.
  ///   - acceptsUpdates: True to take updates and cancellations of accepted suggestions from anyone.
  public init(
    _ store: CalendarStore, resolver: TimeResolver, alarms: ReservationAlarms = ReservationAlarms(),
    at now: Instant, acceptsUpdates: Bool = false
  ) throws {
    let finder = ZoneFinder(zones: resolver.zones)
    let inbox = try store.read {
      try SuggestionInbox($0, resolver: resolver, alarms: alarms, at: now, acceptsUpdates: acceptsUpdates)
    }
    self.init(store: store, inbox: inbox, finder: finder)
  }

  private init(store: CalendarStore, inbox: SuggestionInbox, finder: ZoneFinder) {
    self.store = store
    self.inbox = inbox
    reader = ReservationReader(finder: finder)
  }

  /// A file of a folder.
  private struct File {
    var path: String
    /// The hash of its name, for a mail in a Maildir: names there are never reused.
    var mail: Int64?
  }

  /// Scans a source, and passes on each change after it is saved.
  ///
  /// - Parameters:
  ///   - source: A path, `-` for standard input, or the address of a page, `https:` or `http:`.
  ///   - skipped: Called with a message for each file of a folder that can't be read.
  ///   - progress: Called with the number of files so far, and of all.
  /// - Throws: If the source itself can't be read, and errors of the store and of `body`.
  public func run(
    _ source: String, skipped: (String) -> Void, progress: (Int, Int) -> Void,
    _ body: (SuggestionInbox.Change) throws -> Void
  ) throws {
    if source.contains("://") { return try save([reader.scan(Self.page(source))], mails: [], body) }
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

  private static func page(_ text: String) throws -> [UInt8] {
    let address = try SubscriptionAddress(text)
    guard !address.url.isFileURL else { throw InterchangeError("'\(text)' is no page; use its path") }
    var fetch = Fetch()
    fetch.accepts = "text/html, application/ld+json, */*;q=0.5"
    fetch.limit = mostOfPage
    fetch.deadline = 60
    guard case .contents(let bytes, _) = try fetch.get(address) else { return [] }
    return bytes
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

  /// The files of a folder and its subfolders, by name. In a Maildir, those of `new` and `cur`, because mails
  /// in `tmp` are incomplete.
  private static func collect(_ folder: String, depth: Int, into files: inout [File]) {
    guard depth <= deepest else { return }
    let names = FolderEntry.all(in: folder)
    let isMaildir = names.contains { $0.isFolder && $0.name == "cur" }
    let holdsMails = folder.hasSuffix("/cur") || folder.hasSuffix("/new")
    for entry in names {
      let name = entry.name
      let path = folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
      if entry.isFolder {
        if !(isMaildir && name == "tmp") { collect(path, depth: depth + 1, into: &files) }
      } else if !name.hasPrefix(".") {
        let unique = String(name.prefix { $0 != ":" })
        files.append(File(path: path, mail: holdsMails ? SuggestionInbox.hash(unique) : nil))
      }
    }
  }
}
