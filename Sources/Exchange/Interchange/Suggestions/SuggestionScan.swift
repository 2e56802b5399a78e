public import FencepostCalendarModel
public import FencepostCalendarStore
public import FencepostRecurrence
public import FencepostReservations
import FencepostSystem
import FoundationEssentials
import Glibc

/// Scans files, folders, Maildirs and pages for the inbox.
public struct SuggestionScan {
  let store: CalendarStore
  let inbox: SuggestionInbox
  private let reader: ReservationReader
  private let extractor: BookingExtractor?

  /// The number of mails of a Maildir in one transaction.
  private static let batch = 500
  /// The most bytes of tickets in memory.
  private static let maximumTicketBytes = 32 << 20

  /// PDFs in mails of a folder are read only if they are younger, in seconds: each costs some tenths of a
  /// second.
  private static let maximumPDFAge = 366.0 * 86_400

  /// The most bytes of a page.
  private static let maximumPageBytes = 8 << 20

  /// A scan for the inbox of a store.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - resolver: Resolves times.
  ///   - alarms: Which alarms events get.
  ///   - now: The current time.
  ///   - acceptsUpdates: True to take updates and cancellations of accepted suggestions from anyone.
  ///   - extractor: Reads PDFs; `nil` to leave them out.
  public init(
    _ store: CalendarStore, resolver: TimeResolver, alarms: ReservationAlarms = ReservationAlarms(),
    at now: Instant, acceptsUpdates: Bool = false, extractor: BookingExtractor? = nil
  ) throws {
    let finder = ZoneFinder(zones: resolver.zones)
    let inbox = try store.read {
      try SuggestionInbox($0, resolver: resolver, alarms: alarms, at: now, acceptsUpdates: acceptsUpdates)
    }
    self.init(store: store, inbox: inbox, finder: finder, extractor: extractor)
  }

  private init(
    store: CalendarStore, inbox: SuggestionInbox, finder: ZoneFinder, extractor: BookingExtractor?
  ) {
    self.extractor = extractor
    self.store = store
    self.inbox = inbox
    reader = ReservationReader(finder: finder)
  }

  /// Scans a source, and passes on each change after it is saved.
  ///
  /// - Parameters:
  ///   - source: A path, `-` for standard input, or the address of a page, `https:` or `http:`.
  ///   - skipped: Called with a message for what can't be read.
  ///   - progress: Called with the number of files so far, and of all.
  /// - Throws: If the source itself can't be read, and errors of the store and of `body`.
  public func run(
    _ source: String, skipped: (String) -> Void, progress: (Int, Int) -> Void,
    _ body: (SuggestionInbox.Change) throws -> Void
  ) throws {
    if source.contains("://") {
      var document = read(try Self.page(source))
      document.isPage = true
      return try save([document], body: body)
    }
    let path = source == "-" ? "/dev/stdin" : source
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
      if path != "/dev/stdin", MailboxFile.isMailbox(at: path) {
        return try scanMailbox(path, skipped: skipped, progress: progress, body)
      }
      let bytes = try WholeFile.read(path)
      if MailboxFile.isMailbox(bytes) {
        var documents: [ScannedDocument] = []
        try MailboxFile.forEachMail(in: bytes) { documents.append(read($0)) }
        return try save(documents, body: body)
      }
      let document = read(
        bytes, named: path == "/dev/stdin" ? nil : path, isAlone: true, changed: Self.changeTime(path))
      if document.hasPDF, document.reservations.isEmpty, extractor == nil {
        skipped("\(source): install kitinerary-extractor to read PDFs (Debian: libkpimitinerary-bin)")
      }
      if document.hasLongCalendar { skipped(Self.longCalendar(source)) }
      var isNews = false
      try save(
        [document],
        body: { change in
          isNews = true
          try body(change)
        })
      if !isNews, let words = inbox.wordsOfUnknown(document) { skipped("\(source): \(words)") }
      return
    }
    var folders = MailFolders(store: store)
    try folders.collect(path)
    let files = folders.files
    var documents: [ScannedDocument] = []
    var mails: [Int64] = []
    var isComplete = true
    for (index, file) in files.enumerated() {
      if file.mail == nil, MailboxFile.isMailbox(at: file.path) {
        do {
          try scanMailbox(file.path, skipped: skipped, progress: { _, _ in }, body)
        } catch let failure as SystemFailure {
          skipped("\(failure)")
        }
        continue
      }
      do throws(SystemFailure) {
        let document = read(
          try WholeFile.read(file.path), named: file.path, isOld: isOld(file.path),
          changed: Self.changeTime(file.path))
        if document.hasLongCalendar { skipped(Self.longCalendar(file.path)) }
        if !document.reservations.isEmpty || !document.calendars.isEmpty { documents.append(document) }
        if let mail = file.mail { mails.append(mail) }
      } catch {
        isComplete = false
        skipped("\(error)")
      }
      if documents.count + mails.count >= Self.batch || Self.areHeavy(documents) {
        try save(documents, noting: { try $0.noteScannedMails(mails) }, body: body)
        documents = []
        mails = []
        progress(index + 1, files.count)
      }
    }
    if isComplete { mails += folders.marks }
    if documents.isEmpty && mails.isEmpty { return }
    try save(documents, noting: { try $0.noteScannedMails(mails) }, body: body)
  }

  /// Scans a file with many mails.
  private func scanMailbox(
    _ path: String, skipped: (String) -> Void, progress: (Int, Int) -> Void,
    _ body: (SuggestionInbox.Change) throws -> Void
  ) throws {
    var status = stat()
    let size = stat(path, &status) == 0 ? Int(status.st_size) : 0
    var documents: [ScannedDocument] = []
    try MailboxFile.forEachMail(at: path) { mail, position in
      let document = read(mail)
      if document.hasLongCalendar { skipped(Self.longCalendar(path)) }
      if !document.reservations.isEmpty || !document.calendars.isEmpty { documents.append(document) }
      guard documents.count >= Self.batch || Self.areHeavy(documents) else { return }
      try save(documents, body: body)
      documents = []
      progress(position, size)
    }
    if !documents.isEmpty { try save(documents, body: body) }
  }

  private static func areHeavy(_ documents: [ScannedDocument]) -> Bool {
    documents.reduce(0) { $1.tickets.reduce($0) { $0 + $1.file.content.count } } > maximumTicketBytes
  }

  /// When a file was last changed.
  private static func changeTime(_ path: String) -> Instant? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Instant(seconds: Int64(status.st_mtim.tv_sec))
  }

  /// Reads a mail or another document.
  ///
  /// The extractor is asked for what only it can read: PDFs, and the text of mails. Of many mails, those of the
  /// last year whose subject is like that of a booking, because each costs some tenths of a second.
  ///
  /// - Parameters:
  ///   - path: The path of the file, whose last part names a ticket.
  ///   - isAlone: True if the user chose this one document.
  ///   - isOld: Called for a document that only the extractor reads; it is left out if that returns true.
  ///   - changed: The date of a document that is no mail.
  public func read(
    _ bytes: [UInt8], named path: String? = nil, isAlone: Bool = false,
    isOld: @autoclosure () -> Bool = false,
    changed: @autoclosure () -> Instant? = nil
  ) -> ScannedDocument {
    var document = withoutTickets(bytes, isAlone: isAlone, isOld: isOld(), changed: changed())
    if !document.reservations.isEmpty, document.hasPDF || document.hasPass {
      document.tickets = reader.tickets(in: bytes, named: path)
    }
    return document
  }

  private func withoutTickets(
    _ bytes: [UInt8], isAlone: Bool, isOld: @autoclosure () -> Bool, changed: @autoclosure () -> Instant?
  ) -> ScannedDocument {
    var document = reader.scan(bytes)
    if document.date == nil, !document.reservations.isEmpty { document.date = changed() }
    guard let extractor, document.reservations.allSatisfy(\.isAddition) else { return document }
    let isMail = document.sender != nil && document.calendars.isEmpty
    let isRecent = document.date.map { $0 > inbox.now.adding(seconds: -Self.maximumPDFAge) } ?? true
    if document.hasPDF || isMail && (isAlone || document.soundsLikeBooking), isAlone || isRecent && !isOld() {
      let read = extractor.reservations(in: bytes, reader)
      if !read.isEmpty { document.reservations = read }
    }
    return document
  }

  private static func longCalendar(_ source: String) -> String {
    "\(source): left out a calendar of more than 1 MB; save it, and use 'fencepost import'"
  }

  private func isOld(_ path: String) -> Bool {
    var status = stat()
    guard stat(path, &status) == 0 else { return false }
    return Instant(seconds: Int64(status.st_mtim.tv_sec)) < inbox.now.adding(seconds: -Self.maximumPDFAge)
  }

  private static func page(_ text: String) throws -> [UInt8] {
    let address = try SubscriptionAddress(text)
    guard !address.url.isFileURL else { throw InterchangeError("'\(text)' is no page; use its path") }
    var fetch = Fetch()
    fetch.accepts = "text/html, application/ld+json, */*;q=0.5"
    fetch.limit = maximumPageBytes
    fetch.deadline = 60
    guard case .contents(let bytes, _) = try fetch.get(address) else { return [] }
    return bytes
  }

  /// Adds documents to the inbox, and passes on each change after it is saved.
  ///
  /// - Parameters:
  ///   - documents: The documents.
  ///   - note: Called within the same transaction.
  public func save(
    _ documents: [ScannedDocument], noting note: (borrowing StoreWriter) throws -> Void = { _ in },
    body: (SuggestionInbox.Change) throws -> Void
  ) throws {
    // In the order of their dates, because what is read late costs more.
    let ordered = documents.enumerated().sorted { a, b in
      let (first, second) = (a.element.date ?? inbox.now, b.element.date ?? inbox.now)
      return first == second ? a.offset < b.offset : first < second
    }
    let changes = try store.write { writer in
      try note(writer)
      return try ordered.flatMap { try inbox.take($0.element, in: writer) }
    }
    for change in changes { try body(change) }
  }
}
