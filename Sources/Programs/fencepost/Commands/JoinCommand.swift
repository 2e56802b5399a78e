import FencepostCalendarModel
import FencepostCalendarStore
import FencepostCommandLineTable
import FencepostICalendar
import FencepostItems
import FencepostJSON
import FencepostRecurrence

extension CommandContext {
  /// The seconds before its start from which an event can be joined without naming it.
  private static let ahead = 3600.0

  /// `join [ITEM] [--print]`.
  func join() throws {
    let (item, conferences) = try openStoreToRead().read { reader in
      if let word = parsed.positional(.item) {
        let item = try reader.item(meant: word)
        return (item, item.conferences)
      }
      return try nextConference(in: reader)
    }
    guard let conference = conferences.first else {
      throw CommandError("'\(item.title)' has no conference and no join link")
    }
    if json {
      for conference in conferences {
        var line = JSONLine(type: "conference")
        line.add("item", item.id.rawValue)
        line.add("title", item.title)
        line.add(contentsOf: conference.json)
        try console.print(line.line)
      }
      return
    }
    try console.print(FiringTable.plain(conference.address))
    guard console.isTerminal, !parsed.flag(.print), conference.address.lowercased().hasPrefix("http") else {
      return
    }
    openInBrowser(conference.address)
  }

  /// The current event with a conference, otherwise the next one within an hour.
  private func nextConference(in reader: borrowing StoreReader) throws -> (CalendarItem, [Conference]) {
    let until = now.adding(seconds: Self.ahead)
    var found: [(start: Instant, item: CalendarItem)] = []
    let lists = try reader.calendars(for: .events).map(\.id)
    try reader.forEachSeries(from: now, until: until, calendars: lists, resolver: resolver) { series in
      for occurrence in series.occurrences(in: now..<until).prefix(10)
      where !occurrence.isCancelled && !series.items[occurrence.item].conferences.isEmpty {
        found.append((occurrence.startInstant, series.items[occurrence.item]))
      }
    }
    // Among several current events, the one that began last.
    let current = found.filter { $0.start <= now }.max { $0.start < $1.start }
    guard let item = (current ?? found.min { $0.start < $1.start })?.item else {
      throw CommandError("no event with a conference is on, or starts within an hour; name one")
    }
    return (item, item.conferences)
  }
}
