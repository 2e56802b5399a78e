import FencepostCalendarModel
import FencepostCalendarStore
import FencepostJSON
import FencepostReservations

/// What was said of a suggestion, one thing after the other, and what that is together.
extension SuggestionInbox {
  /// The most things that are remembered of what was said of a suggestion. The oldest are then one, which is what
  /// they say together, as long as nothing older comes.
  private static let maximumSources = maximumStatements

  /// What was said of a suggestion; of one that an earlier version saved, what it is.
  func sources(
    of suggestion: Suggestion, in reader: borrowing StoreReader
  ) throws -> [SuggestionSource] {
    let sources = try reader.sources(of: suggestion.id)
    return sources.isEmpty ? [SuggestionSource(suggestion)] : sources
  }

  /// What sources say together; `nil` if none can be read.
  func merged(_ sources: [SuggestionSource]) -> Reservation? {
    Reservation(
      // One source may know the place, and another the time there.
      merging: sources.compactMap(statement)
    ).map(reader.finished)
  }

  /// What a source says; `nil` if it can't be read.
  func statement(_ source: SuggestionSource) -> ReservationStatement? {
    parsed(source.content).map { ReservationStatement($0, at: source.date) }
  }

  /// Adds where a booking is. That is the oldest thing which is said of it: it only completes what mails say,
  /// of the same places.
  func locate(
    _ entry: Known, as located: Reservation, in writer: borrowing StoreWriter
  ) throws -> Known {
    var (entry, located) = (entry, located)
    located.modified = nil
    var source = SuggestionSource(located.jsonLD.line, at: .epoch)
    // Trust stays bound to the booking's sender.
    source.sender = entry.suggestion.sender
    source.isSigned = entry.suggestion.isSigned
    source.app = entry.suggestion.app
    var sources = try sources(of: entry.suggestion, in: writer.reader)
    add(source, to: &sources)
    guard let complete = merged(sources) else { return entry }
    entry.reservation = complete
    setContent(of: &entry.suggestion, to: complete)
    try writer.save(entry.suggestion)
    try writer.save(sources, of: entry.suggestion.id)
    return entry
  }

  /// Adds a source. What was said before counts with its later date.
  func add(_ source: SuggestionSource, to sources: inout [SuggestionSource]) {
    if let index = sources.firstIndex(where: { $0.content == source.content }) {
      if sources[index].date < source.date { sources[index].date = source.date }
      return
    }
    sources.append(source)
    guard sources.count > Self.maximumSources else { return }
    let oldest = sources.indices.sorted { sources[$0].date < sources[$1].date }.prefix(2)
    guard let first = oldest.min(), let second = oldest.max(), first != second,
      let both = merged([sources[first], sources[second]])
    else { return }
    sources[first].content = both.jsonLD.line
    sources[first].date = max(sources[first].date, sources[second].date)
    sources.remove(at: second)
  }
}
