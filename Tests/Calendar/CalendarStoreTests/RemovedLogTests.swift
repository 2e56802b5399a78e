import FencepostTestSupport
import Foundation
import Glibc
import Testing

@testable import FencepostCalendarStore
@testable import FencepostDatabase

@Suite("A store whose write-ahead log was removed, or whose file system is read-only")
struct RemovedLogTests {
  let directory: TemporaryDirectory
  let path: String

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.path("calendar.sqlite")
  }

  private func note(_ path: String) throws -> String? {
    try CalendarStore(path: path).read { try $0.setting("note") }
  }

  @Test("Removing the log alone loses no acknowledged change", arguments: ["read", "write"])
  func removed(next: String) throws {
    let store = try CalendarStore(path: path)
    try store.write { try $0.set("kept", for: "note") }
    unlink(path + "-wal")
    // Another program must not begin a new log: the changes are in the old one alone.
    #expect(throws: StoreError(path: path, reason: .logRemoved)) { try CalendarStore(path: path) }
    #expect(throws: StoreError(path: path, reason: .replaced)) {
      if next == "read" {
        _ = try store.read { try $0.setting("note") }
      } else {
        try store.write { try $0.set("lost", for: "note") }
      }
    }
    // As after a kill: the first one never closes its connections properly before.
    #expect(try note(path) == "kept")
    #expect(throws: StoreError(path: path, reason: .replaced)) {
      try store.write { try $0.set("lost", for: "note") }
    }
    #expect(try note(path) == "kept")
    withExtendedLifetime(store) {}
  }

  @Test("A log that was removed while nothing ran is said; what a closed store leaves is not")
  func lost() throws {
    let store = try CalendarStore(path: path)
    try store.write { try $0.set("lost", for: "note") }
    let other = directory.path("other.sqlite")
    for file in ["", "-shm"] { try FileManager.default.copyItem(atPath: path + file, toPath: other + file) }
    #expect(try CalendarStore(path: other).hasLostChanges)
    #expect(try !CalendarStore(path: other).hasLostChanges)
    withExtendedLifetime(store) {}
    #expect(try !CalendarStore(path: directory.path("new.sqlite")).hasLostChanges)
  }

  @Test("A file that can't change is read with what is in its log, and nothing appears beside it")
  func unchanging() throws {
    let store = try CalendarStore(path: path)
    try store.write { try $0.set("in the log", for: "note") }
    for name in ["with #1?.sqlite", "without.sqlite"] {
      let copy = directory.path(name)
      if name.hasPrefix("without") {
        try store.backUp(to: copy)
      } else {
        for file in ["", "-wal"] {
          try FileManager.default.copyItem(atPath: path + file, toPath: copy + file)
        }
      }
      let before = try FileManager.default.contentsOfDirectory(atPath: directory.url.path).sorted()
      do {
        let connection = try SQLiteConnection(
          path: copy, isReadOnly: true, busyTimeout: 0, isUnchanging: true)
        let query = SQL("SELECT value FROM settings WHERE key = 'note'")
        #expect(try connection.first(query) { $0.text() } == "in the log")
        #expect(throws: StoreError.self) { try connection.execute("DELETE FROM settings") }
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: directory.url.path).sorted() == before)
    }
  }
}
