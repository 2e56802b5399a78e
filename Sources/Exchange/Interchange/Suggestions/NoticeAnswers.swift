public import FencepostCalendarModel
public import FencepostCalendarStore
public import FencepostGeocoding
public import FencepostRecurrence
public import FencepostReservations

/// Answers suggestions as the buttons of their notifications do: into the default calendar, and once. What was
/// answered since the notification stays as it is, so that a button that is pressed twice, or sent again, sends
/// no second reply.
public struct NoticeAnswers: Sendable {
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

  /// Answers a suggestion. Blocks while a server is asked for its place. A reply to an organizer waits in the
  /// store.
  ///
  /// - Returns: Whether it was waiting for an answer.
  /// - Throws: ``InterchangeError`` if it can't be answered so.
  public func answer(
    _ id: Identifier<Suggestion>, _ answer: InvitationAnswer, at now: Instant
  ) throws -> Bool {
    var places = BookingPlaces.none
    if answer == .accepted {
      places = try BookingPlaces(
        of: [id], in: store, resolver: resolver, by: server.map(BookingPlaces.search))
    }
    return try store.write { [places] writer in
      guard try writer.reader.isWaiting(id) else { return false }
      let inbox = try SuggestionInbox(writer.reader, resolver: resolver, alarms: alarms, at: now)
      inbox.places = places
      _ = try inbox.answer(
        id, answer, as: me, into: { try $0.defaultCalendar(for: .events).id }, in: writer)
      return true
    }
  }
}

extension StoreReader {
  /// Whether a suggestion waits for an answer.
  public func isWaiting(_ id: Identifier<Suggestion>) throws(StoreError) -> Bool {
    try suggestion(id)?.state == .proposed
  }
}
