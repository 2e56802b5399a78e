import FencepostCalendarModel
import FencepostCalendarStore
import FencepostRecurrence
import FencepostTestSupport
import Foundation
import Glibc
import Testing

@testable import FencepostInterchange

@Suite("Folders of mails")
struct MailFolderTests {
  private let directory: TemporaryDirectory
  private let store: CalendarStore

  init() throws {
    directory = try TemporaryDirectory()
    store = try CalendarStore()
    for name in ["cur", "new", "tmp", ".Old/cur"] {
      try FileManager.default.createDirectory(
        atPath: directory.path("Mail/\(name)"), withIntermediateDirectories: true)
    }
  }

  /// Adds a mail, and sets the time of change of its folder.
  private func add(_ name: String, to folder: String, changed seconds: Int) throws {
    try directory.write("From: a@b.example\n\nHello\n", to: "Mail/\(folder)/\(name)")
    var times = [timeval(tv_sec: seconds, tv_usec: 0), timeval(tv_sec: seconds, tv_usec: 0)]
    #expect(utimes(directory.path("Mail/\(folder)"), &times) == 0)
  }

  private func scan() throws {
    try SuggestionScan(store, resolver: TimeResolver(), at: .epoch).run(
      directory.path("Mail"), skipped: { Issue.record("\($0)") }, progress: { _, _ in }
    ) { _ in }
  }

  private func waiting() throws -> [String] {
    var folders = MailFolders(store: store)
    try folders.collect(directory.path("Mail"))
    return folders.files.map { URL(fileURLWithPath: $0.path).lastPathComponent }.sorted()
  }

  @Test("Mails of all folders are scanned once, by the part of their names that stays")
  func once() throws {
    try add("1.host:2,", to: "cur", changed: 1_000)
    try add("2.host:2,S", to: ".Old/cur", changed: 1_000)
    try add("3.host", to: "tmp", changed: 1_000)
    #expect(try waiting() == ["1.host:2,", "2.host:2,S"])
    try scan()
    #expect(try waiting() == [])
    // Read by the user, and a new one.
    try FileManager.default.moveItem(
      atPath: directory.path("Mail/cur/1.host:2,"), toPath: directory.path("Mail/cur/1.host:2,S"))
    try add("4.host:2,", to: "cur", changed: 1_001)
    #expect(try waiting() == ["4.host:2,"])
  }

  @Test(
    "A folder that has not changed since the last scan is not listed; one that changed just now always is")
  func unchanged() throws {
    try add("1.host:2,", to: "cur", changed: 1_000)
    try scan()
    try add("2.host:2,", to: "cur", changed: 1_000)
    #expect(try waiting() == [])
    try add("3.host:2,", to: "cur", changed: 1_001)
    #expect(try waiting() == ["2.host:2,", "3.host:2,"])
    let now = Int(time(nil)) + 3_600
    try add("4.host", to: "new", changed: now)
    try scan()
    try add("5.host", to: "new", changed: now)
    #expect(try waiting() == ["5.host"])
  }
}
