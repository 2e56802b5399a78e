import FencepostAddresses
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostInterchange
import FencepostReservations
import FencepostSystem
import FencepostWebClient
import FencepostWebServer

/// `imaps://USER[:PASSWORD]@HOST[:PORT][/FOLDER][?cafile=PATH]`: a folder of mails on a server.
public struct IMAPAddress: Hashable, Sendable, CustomStringConvertible {
  /// The host of the server.
  public var host: String
  /// The port of the server; by default 993.
  public var port: UInt16
  /// The user.
  public var user: String
  /// The password of the user; `nil` if the address has none.
  public var password: String?
  /// The folder, as people write it; `INBOX` by default.
  public var folder: String
  /// A file with the certificates of trusted authorities; `nil` for the system's.
  public var authorities: String?
  /// False only for servers of tests.
  var isEncrypted = true

  init(_ parts: URLParts, _ words: inout AddressParameters) throws(AddressError) {
    guard let host = parts.host else { throw words.failure("missing host, as in \(Self.example)") }
    guard let user = parts.user, !user.isEmpty else {
      throw words.failure("missing user, as in \(Self.example)")
    }
    self.host = host
    self.user = user
    port = parts.port ?? 993
    password = parts.password
    let folder = String(parts.path.drop { $0 == "/" })
    self.folder = folder.isEmpty ? "INBOX" : folder
    guard !folder.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
      throw words.failure("invalid folder")
    }
    authorities = try words.take("cafile")
  }

  private static let example = "imaps://USER@mail.example.org/INBOX"

  /// The address without the password.
  public var description: String {
    "imaps://\(user.replacing("%", with: "%25").replacing("@", with: "%40"))@\(place)/\(folder)"
  }

  var place: String { "\(HostName.text(host)):\(port)" }

  /// What the client signs in to.
  var account: MailServerStream.Account {
    MailServerStream.Account(
      url: "\(isEncrypted ? "imaps" : "imap")://\(place)/", user: user, password: password ?? "",
      authorities: authorities)
  }
}

/// Finds bookings in the mails of a folder on a server, and puts them into the inbox of suggestions.
///
/// The first time it reads the mails of a year, later the new ones, as the server tells of them (IDLE) or
/// every few minutes. The store remembers the last mail.
final class IMAPFeed: LiveFeed {
  private let address: IMAPAddress
  private let inbox: MailInbox
  private let interrupter: Int32
  private let clock: () -> Instant

  /// The mails of one request, and of one transaction.
  private static let batch = 50
  /// The days of the first look.
  private static let firstDays = 366
  /// The seconds between two looks without IDLE.
  private static let interval = 300.0
  /// Servers may end a session that waits for 30 minutes (RFC 2177).
  private static let maximumIdle = 1_500.0

  init(
    _ address: IMAPAddress, inbox: MailInbox, interruptedBy interrupter: Int32,
    clock: @escaping () -> Instant = Instant.wallClock
  ) {
    self.address = address
    self.inbox = inbox
    self.interrupter = interrupter
    self.clock = clock
  }

  func run(_ output: FeedOutput) throws {
    let session = try IMAPSession(address.account, interruptedBy: interrupter)
    let folder = try session.examine(address.folder)
    output.opened()
    while true {
      try readNews(session, folder, output)
      if session.canIdle {
        try session.idle(seconds: Self.maximumIdle)
      } else {
        guard Readiness.wait(for: interrupter, until: .now + .seconds(Self.interval)) == .timedOut else {
          return
        }
        try session.poll()
      }
    }
  }

  /// How far the mails were read.
  private struct Mark {
    var validity: UInt32
    var last: UInt32

    init(validity: UInt32, last: UInt32) {
      self.validity = validity
      self.last = last
    }

    init?(_ text: String) {
      let numbers = text.split(separator: ":").compactMap { UInt32($0) }
      guard numbers.count == 2 else { return nil }
      self.init(validity: numbers[0], last: numbers[1])
    }

    var text: String { "\(validity):\(last)" }
  }

  private var setting: String { "read \(address)" }

  private func readNews(_ session: IMAPSession, _ folder: IMAPSession.Folder, _ output: FeedOutput) throws {
    let now = clock()
    let known = try inbox.store.read { try $0.setting(setting) }.flatMap(Mark.init)
    var mark = Mark(validity: folder.validity, last: 0)
    let numbers: [UInt32]
    if let known, known.validity == folder.validity {
      mark = known
      // A range with a star has the last mail, even if that was read.
      numbers = try session.search("UID \(known.last &+ 1):*").filter { $0 > known.last }
    } else {
      numbers = try session.search(
        "SINCE \(Self.date(now.adding(seconds: -86_400 * Double(Self.firstDays))))")
      mark.last = max(folder.next, 1) - 1
    }
    guard !numbers.isEmpty || known == nil else { return }
    let scan = try inbox.scan(at: now)
    var rest = numbers[...]
    repeat {
      let some = Array(rest.prefix(Self.batch))
      rest = rest.dropFirst(some.count)
      var documents: [ScannedDocument] = []
      if !some.isEmpty { try session.fetch(some) { documents.append(scan.read($1)) } }
      let last = rest.isEmpty ? max(mark.last, some.last ?? 0) : some.last ?? 0
      try scan.save(documents) { (writer: borrowing StoreWriter) in
        try writer.setQuietly(Mark(validity: mark.validity, last: last).text, for: setting)
      } body: { change in
        inbox.log(change, output)
      }
    } while !rest.isEmpty
  }

  /// `23-Nov-2025`, as RFC 3501 has dates.
  static func date(_ moment: Instant) -> String {
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    let day = CivilDateTime(secondsSinceEpoch: moment.microseconds / 1_000_000).day.components
    return "\(day.day)-\(months[day.month - 1])-\(day.year)"
  }
}
