public import FencepostCalendarModel
public import FencepostCalendarStore
public import FencepostGeocoding
public import FencepostRecurrence
public import FencepostReservations

/// Answers suggestions: the one way for the command line, the page, and the buttons of notifications.
public struct SuggestionAnswers: Sendable {
  /// What a person answers.
  public struct Answer: Sendable {
    /// The answer.
    public var answer: InvitationAnswer
    /// The content that the person saw (``CalendarStore/Suggestion/revision``): other content is not
    /// answered. `nil` for whatever it is now.
    public var revision: String?
    /// Whether only what waits is answered: a button may be pressed twice, or sent again.
    public var isOnce = false
    /// What the person writes to the organizer of an invitation.
    public var comment: String?
    /// Whether the organizer gets to know it.
    public var replies = true

    /// An answer.
    public init(_ answer: InvitationAnswer, revision: String? = nil, isOnce: Bool = false) {
      (self.answer, self.revision, self.isOnce) = (answer, revision, isOnce)
    }
  }

  /// Why a suggestion was not answered. Nothing has changed.
  public enum Refusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// It was answered before, is over, or is gone.
    case answered
    /// The person saw other content.
    case changed(isInvitation: Bool)

    /// One sentence for people.
    public var description: String {
      switch self {
      case .answered: "This was answered before."
      case .changed(let isInvitation):
        "This \(isInvitation ? "invitation" : "booking") has changed since. Open it."
      }
    }
  }

  /// Changes the store in one transaction, for example as an undo step.
  public typealias Transaction = (
    (borrowing StoreWriter) throws -> [AnsweredSuggestion]
  ) throws -> [AnsweredSuggestion]

  private let store: CalendarStore
  private let resolver: TimeResolver
  private let alarms: ReservationAlarms
  private let me: [String]
  private let server: GeocodingServer?

  /// Answers in a store.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - resolver: Resolves times, and finds zones by places.
  ///   - alarms: The alarms of events: the setting `suggestion-alarms`.
  ///   - me: The user's addresses: the setting `me`.
  ///   - server: Finds places; `nil` without one.
  public init(
    _ store: CalendarStore, resolver: TimeResolver, alarms: ReservationAlarms, me: [String],
    server: GeocodingServer?
  ) {
    (self.store, self.resolver, self.alarms, self.me, self.server) = (store, resolver, alarms, me, server)
  }

  /// Answers suggestions, all or none. Blocks while a server is asked for their places. A reply to an
  /// organizer waits in the store.
  ///
  /// - Parameters:
  ///   - ids: The suggestions.
  ///   - answer: The answer to each.
  ///   - now: The current time.
  ///   - calendar: The calendar for new events; `nil` for the default one.
  ///   - transaction: Changes the store.
  /// - Returns: The suggestions after that, and why the server was not asked for places; `nil` if it was, or
  ///   need not be.
  /// - Throws: ``Refusal``, or ``InterchangeError`` if one can't be answered so.
  public func answer(
    _ ids: [Identifier<Suggestion>], _ answer: Answer, at now: Instant,
    into calendar: ((borrowing StoreWriter) throws -> Identifier<ItemCalendar>)? = nil,
    in transaction: Transaction
  ) throws -> (answered: [AnsweredSuggestion], failure: String?) {
    // Nobody waits for a server for nothing.
    try store.read { reader in for id in ids { try check(id, answer, in: reader) } }
    var places = BookingPlaces.none
    if answer.answer == .accepted {
      places = try BookingPlaces(
        of: ids, in: store, resolver: resolver, by: server.map(BookingPlaces.search))
    }
    let answered = try transaction { [places] writer in
      let inbox = try SuggestionInbox(writer.reader, resolver: resolver, alarms: alarms, at: now)
      inbox.places = places
      return try ids.map { id in
        try check(id, answer, in: writer.reader)
        return try inbox.answer(
          id, answer.answer, as: me, comment: answer.comment, replies: answer.replies,
          into: { try calendar?($0) ?? $0.defaultCalendar(for: .events).id }, in: writer)
      }
    }
    return (answered, places.failure)
  }

  /// Answers a suggestion as the button of a notification does: once, into the default calendar, in an undo
  /// step.
  ///
  /// - Parameter revision: The content that the notification showed.
  /// - Returns: Why it was not answered; `nil` if it was.
  public func press(
    _ id: Identifier<Suggestion>, _ answer: InvitationAnswer, revision: String, at now: Instant
  ) throws -> String? {
    do {
      let title = try store.read { try $0.suggestion(id)?.title } ?? ""
      let label = UndoLabel(answer.action, title, by: .pages, at: now)
      _ = try self.answer([id], Answer(answer, revision: revision, isOnce: true), at: now) {
        try store.write(undoableAs: label, $0)
      }
      return nil
    } catch let refusal as Refusal {
      return "\(refusal)"
    } catch let error as InterchangeError {
      return "\(error)"
    }
  }

  private func check(
    _ id: Identifier<Suggestion>, _ answer: Answer, in reader: borrowing StoreReader
  ) throws {
    guard let suggestion = try reader.suggestion(id) else {
      if answer.isOnce { throw Refusal.answered }
      return
    }
    if answer.isOnce, suggestion.state != .proposed { throw Refusal.answered }
    if let revision = answer.revision, revision != suggestion.revision {
      throw Refusal.changed(isInvitation: suggestion.isCalendar)
    }
  }
}
