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
    let entry = try answerable(id, in: writer.reader)
    var suggestion = entry.suggestion
    guard [.proposed, .rejected].contains(suggestion.state) else { throw Self.isAnswered(suggestion) }
    if var old = try suggestion.replaces.flatMap({ try writer.reader.suggestion($0) }) {
      old.state = .superseded
      old.changed = now
      try writer.save(old)
      return try apply(entry, into: { try calendar($0) }, in: writer)
    }
    if let reservation = entry.reservation {
      let uid = Identifier<CalendarItem>.random().rawValue
      suggestion.item = try merge(reservation, uid: uid, sequence: 0, into: calendar(writer), in: writer)
    } else {
      suggestion.item = try merge(calendarIn: suggestion, into: calendar(writer), in: writer)
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
  /// update.
  public func undo(
    _ id: Identifier<Suggestion>, in writer: borrowing StoreWriter
  ) throws -> Suggestion {
    var suggestion = try answerable(id, in: writer.reader).suggestion
    guard suggestion.state != .proposed else {
      throw InterchangeError("'\(suggestion.title)' waits for an answer")
    }
    if suggestion.state != .rejected, let item = suggestion.item {
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
    return try finish(.proposed, suggestion, in: writer)
  }

  private func finish(
    _ state: Suggestion.State, _ suggestion: Suggestion, in writer: borrowing StoreWriter
  ) throws -> Suggestion {
    var suggestion = suggestion
    suggestion.state = state
    suggestion.changed = now
    try writer.save(suggestion)
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

/// Calendars in mails.
extension SuggestionInbox {
  /// Adds a calendar as one suggestion. If the user accepts it, it is imported. A later version of the same
  /// calendar replaces it.
  func take(
    _ calendar: ScannedDocument.Calendar, from document: ScannedDocument, in writer: borrowing StoreWriter
  ) throws -> Change? {
    let content = String(decoding: calendar.bytes, as: UTF8.self)
    let hash = Self.hash("\(document.messageID ?? "")\n\(content)")
    let method = calendar.method ?? ""
    guard let read = Self.read(calendar.bytes), content.utf8.starts(with: "BEGIN:VCALENDAR".utf8) else {
      return nil
    }
    // What attendees send to an organizer is no suggestion.
    guard !Self.replies.contains(method), !Self.replies.contains(read.method) else { return nil }
    let known = try writer.reader.suggestions(kind: "event", key: read.uid, near: nil)
      .first { $0.isCalendar && $0.reference == read.uid }
    if try writer.reader.hasSeenSuggestion(hash) {
      return known.map { Change(outcome: .unchanged, suggestion: $0) }
    }
    try writer.noteSeenSuggestion(hash)
    let isCancelled = read.method == "CANCEL"
    var suggestion = Suggestion(kind: "event", title: read.title, content: content, found: now)
    if var old = known {
      if old.content == content || old.state == .rejected && (old.start == read.start || isCancelled) {
        return Change(outcome: .unchanged, suggestion: old)
      }
      if isCancelled, old.item == nil {
        old.state = .cancelled
        try writer.save(old)
        return Change(outcome: .cancelled, suggestion: old)
      }
      if isCancelled || read.title.isEmpty { suggestion.title = old.title }
      suggestion.start = read.start ?? old.start
      suggestion.item = old.item
      old.state = .superseded
      old.changed = now
      try writer.save(old)
    } else if isCancelled {
      return nil
    } else {
      suggestion.start = read.start
    }
    if isCancelled { suggestion.title = "Cancelled: \(suggestion.title)" }
    suggestion.reference = read.uid
    suggestion.key = read.uid
    suggestion.provider = read.organizer
    suggestion.sender = document.sender?.domain
    suggestion.isSigned = isSigned(document)
    suggestion.message = document.messageID
    if suggestion.item != nil, isTrusted(document, toChangeWhatCameFrom: known?.sender) {
      suggestion.item = try merge(calendarIn: suggestion, into: nil, in: writer) ?? suggestion.item
      suggestion.state = isCancelled ? .cancelled : .accepted
    }
    try writer.save(suggestion)
    let outcome: Outcome = suggestion.state == .proposed ? .proposed : isCancelled ? .cancelled : .updated
    return Change(outcome: outcome, suggestion: suggestion)
  }

  private static let replies = ["REPLY", "COUNTER", "DECLINECOUNTER", "REFRESH"]

  /// The properties of a calendar's first item or first message.
  private static func read(
    _ bytes: [UInt8]
  ) -> (uid: String, title: String, start: CalendarTime?, organizer: String, method: String)? {
    var found: (uid: String, title: String, start: CalendarTime?, organizer: String)?
    var method = ""
    let document = try? ICalendarReader(calendar: Identifier(rawValue: "")).forEachPart(bytes) { part in
      switch part {
      case .item(let item):
        guard found == nil else { return }
        found = (item.uid, item.title, item.start, item.organizer?.name ?? item.organizer?.url ?? "")
      case .message(let message):
        method = message.method.name
        if found == nil { found = (message.uid, "", nil, "") }
      case .header, .timeZone, .other: break
      }
    }
    guard let found else { return nil }
    return (
      found.uid, found.title, found.start, found.organizer, method.isEmpty ? document?.method ?? "" : method
    )
  }

  /// Merges the calendar of a suggestion, as an import does.
  ///
  /// - Returns: The first event.
  private func merge(
    calendarIn suggestion: Suggestion, into calendar: Identifier<ItemCalendar>?,
    in writer: borrowing StoreWriter
  ) throws -> Identifier<CalendarItem>? {
    let calendar = try calendar ?? writer.defaultCalendar(for: .events).id
    let reminders = try writer.defaultCalendar(for: .reminders).id
    var merge = CalendarMerge(.keep, at: now, resolver: resolver) { isEvent, _ in
      isEvent ? calendar : reminders
    }
    var parts: [ICalendarPart] = []
    _ = try ICalendarReader(calendar: calendar).forEachPart(Array(suggestion.content.utf8)) {
      parts.append($0)
    }
    var first: Identifier<CalendarItem>?
    for part in parts {
      // Ignore the list name that the sender chose.
      if case .header = part { continue }
      try merge.apply(part, in: writer) { change in first = first ?? change.item }
    }
    try merge.saveZones(in: writer)
    return first ?? suggestion.item
  }
}
