public import FencepostCalendarModel
public import FencepostCalendarStore
import FencepostICalendar
import FencepostReservations

/// Answers of the user.
extension SuggestionInbox {
  /// Accepts a suggestion: puts it into a calendar, or merges an update into its event.
  ///
  /// - Parameters:
  ///   - id: The suggestion.
  ///   - calendar: The calendar for a new event.
  /// - Returns: The suggestion after the change.
  /// - Throws: ``InterchangeError`` if it does not exist or is already answered.
  public func accept(
    _ id: Identifier<Suggestion>, into calendar: (borrowing StoreWriter) throws -> Identifier<ItemCalendar>,
    in writer: borrowing StoreWriter
  ) throws -> Suggestion {
    var entry = try answerable(id, in: writer.reader)
    guard [.proposed, .rejected].contains(entry.suggestion.state) else {
      throw Self.isAnswered(entry.suggestion)
    }
    if let located = places.bookings[id] { entry = try locate(entry, as: located, in: writer) }
    var suggestion = entry.suggestion
    if suggestion.isCalendar {
      return try accept(messagesOf: suggestion, into: calendar(writer), in: writer)
    }
    if var old = try suggestion.replaces.flatMap({ try writer.reader.suggestion($0) }) {
      old.state = .superseded
      old.changed = now
      try writer.save(old)
      try writer.forgetStatements(about: suggestion)
      return try apply(entry, into: { try calendar($0) }, in: writer)
    }
    if let reservation = entry.reservation {
      // Called off by a stranger: the user believes it, and there is no event.
      let isOver = reservation.status == .cancelled
      if !isOver {
        let uid = Identifier<CalendarItem>.random().rawValue
        suggestion.item = try merge(reservation, uid: uid, sequence: 0, into: calendar(writer), in: writer)
      }
      suggestion = try finish(isOver ? .cancelled : .accepted, suggestion, in: writer)
      try makeUpdates(ofRivalsOf: suggestion, as: reservation, in: writer)
      return suggestion
    }
    return try finish(.accepted, suggestion, in: writer)
  }

  /// Rejects a suggestion. It stays rejected until its time changes.
  public func reject(
    _ id: Identifier<Suggestion>, in writer: borrowing StoreWriter
  ) throws -> Suggestion {
    let suggestion = try answerable(id, in: writer.reader).suggestion
    guard suggestion.state == .proposed else { throw Self.isAnswered(suggestion) }
    return try finish(.rejected, suggestion, in: writer)
  }

  /// Undoes an answer: the suggestion waits again. Its event is removed, or restored to its state before the
  /// update. A reply that waits to be sent is taken back.
  public func undo(
    _ id: Identifier<Suggestion>, in writer: borrowing StoreWriter
  ) throws -> ReopenedSuggestion {
    var suggestion = try answerable(id, in: writer.reader).suggestion
    guard suggestion.state != .proposed else {
      throw InterchangeError("'\(suggestion.title)' waits for an answer")
    }
    if suggestion.isCalendar {
      if hasAnsweredEvent(suggestion) { try takeBack(&suggestion, in: writer) }
    } else if suggestion.state != .rejected, let item = suggestion.item {
      if var old = try suggestion.replaces.flatMap({ try known($0, in: writer.reader) }),
        let before = old.reservation
      {
        old.suggestion.state = before.status == .cancelled ? .cancelled : .accepted
        old.suggestion.changed = now
        try writer.save(old.suggestion)
        if let event = try writer.reader.item(item) { try merge(before, onto: event, in: writer) }
      } else {
        if try writer.reader.item(item) != nil { try writer.remove(item) }
        suggestion.item = nil
      }
    }
    suggestion = try finish(.proposed, suggestion, in: writer)
    return ReopenedSuggestion(
      suggestion: suggestion, withdrawn: try writer.withdrawReplies(to: id),
      sent: try writer.reader.repliesOfReopenedSuggestions().filter { $0.suggestion == id })
  }

  func finish(
    _ state: Suggestion.State, _ suggestion: Suggestion, in writer: borrowing StoreWriter
  ) throws -> Suggestion {
    var suggestion = suggestion
    suggestion.state = state
    suggestion.isAutomatic = false
    suggestion.changed = now
    try writer.save(suggestion)
    if !suggestion.isCalendar { try writer.forgetStatements(about: suggestion) }
    return suggestion
  }

  /// A suggestion that stands for itself.
  private func answerable(_ id: Identifier<Suggestion>, in reader: borrowing StoreReader) throws -> Known {
    guard let entry = try known(id, in: reader) else {
      throw InterchangeError("there is no suggestion \(id)")
    }
    guard try isCurrent(entry.suggestion, in: reader) else {
      let update = try reader.update(of: id).map { "; see \($0.id.rawValue.prefix(8))" }
      throw InterchangeError("'\(entry.suggestion.title)' has an update\(update ?? "")")
    }
    return entry
  }

  private static func isAnswered(_ suggestion: Suggestion) -> InterchangeError {
    InterchangeError("'\(suggestion.title)' is already \(suggestion.state.rawValue)")
  }
}
