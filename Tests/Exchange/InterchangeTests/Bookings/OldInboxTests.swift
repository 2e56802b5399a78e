import FencepostCalendarModel
import FencepostCalendarStore
import FencepostJSON
import FencepostRecurrence
import FencepostReservations
import FencepostTestSupport
import Foundation
import Testing

@testable import FencepostInterchange

@Suite("The inbox of an earlier version")
struct OldInboxTests {
  private static let resolver = TimeResolver(
    zones: TimeZoneDatabase(localTime: "/nonexistent", environmentZone: "UTC"))
  /// The 1st of April 2027.
  private static let now = Instant(seconds: 1_806_537_600)
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  /// Reads mails, which are written as in `merges.txt`.
  private func scan(_ mails: [String], into store: CalendarStore) throws {
    let reader = ReservationReader(finder: ZoneFinder(zones: Self.resolver.zones))
    try store.write { writer in
      let inbox = try SuggestionInbox(
        writer.reader, resolver: Self.resolver, alarms: ReservationAlarms(), at: Self.now)
      for mail in mails {
        let document = reader.scan(BookingMail(mail).bytes())
        #expect(!document.reservations.isEmpty)
        _ = try inbox.take(document, in: writer)
      }
    }
  }

  /// What waits for March 2027: the hour of the start, and the gate.
  private func waiting(_ store: CalendarStore) throws -> [String] {
    try proposed(store).map { suggestion in
      let gate = ReservationReader().reservations(inJSON: Array(suggestion.content.utf8)).first?.details[
        .gate]
      return "\(suggestion.start?.civil.hour ?? 0) \(gate ?? "-")"
    }
  }

  private func proposed(_ store: CalendarStore) throws -> [Suggestion] {
    try store.read { try $0.suggestions() }.filter { suggestion in
      suggestion.state == .proposed && suggestion.start?.day.components.year == 2027
    }
  }

  /// Mails that come later, in any order.
  private static let later = [
    "flight mail=6 at=4.14:00", "flight mail=4 at=4.12:00 gate=B2", "flight mail=5 at=4.13:00",
  ]

  @Test("whose mails are no longer known goes on with what waits", arguments: later.permutations)
  func unknownMails(mails: [String]) throws {
    let path = directory.path("store.sqlite")
    let store = try CalendarStore(path: path)
    try scan(["flight mail=3 gate=A1 to=4.20:00"], into: store)
    // What the migration `booking-statements` knows of an earlier version.
    try SQLiteFile.run(
      """
      DELETE FROM booking_statements;
      INSERT INTO booking_statements (hash, kind, key, day, dated_at, is_signed, content)
      SELECT -row, kind, coalesce(key, ''), day, found_at, 0, '' FROM suggestions
      """, at: path)
    #expect(try waiting(store) == ["10 A1"])
    try scan(mails, into: store)
    #expect(try waiting(store) == ["14 B2"])
    try scan(["flight mail=2 gate=Z1 at=4.09:00"], into: store)
    #expect(try waiting(store) == ["14 B2"])
  }

  @Test("of the first schema goes on with what waits and what was accepted", arguments: later.permutations)
  func first(mails: [String]) throws {
    for state in ["proposed", "accepted"] {
      let path = directory.path("\(state).sqlite")
      let file = "Tests/Calendar/CalendarStoreTests/Fixtures/schema-35.sqlite"
      try FileManager.default.copyItem(
        at: Repository.root.appendingPathComponent(file), to: URL(fileURLWithPath: path))
      let reader = ReservationReader(finder: ZoneFinder(zones: Self.resolver.zones))
      let flight = try #require(
        reader.scan(BookingMail("flight gate=A1 to=4.20:00").bytes()).reservations.first)
      let found = CivilDateTime(year: 2027, month: 1, day: 3, hour: 12).secondsSinceEpoch * 1_000_000
      try SQLiteFile.run(
        """
        INSERT INTO suggestions (id, kind, provider, reference, leg, state, title, start, content, sender, is_signed,
          found_at, changed_at, item)
        SELECT 's', 'flight', 'Example Air', 'QX', 'FRA-JFK', '\(state)', 'Flight', NULL, '\(flight.jsonLD.line)',
          'air.example', 0, \(found), \(found), CASE '\(state)' WHEN 'accepted' THEN max(id) END FROM items
        """, at: path)
      let store = try CalendarStore(path: path, access: .existing)
      try scan(mails, into: store)
      #expect(try waiting(store) == ["14 B2"])
      let updated = try proposed(store).first
      #expect((updated?.replaces != nil) == (state == "accepted"))
      #expect(try reader.reservations(inJSON: Array(#require(updated).content.utf8)).first?.end != nil)
    }
  }
}
