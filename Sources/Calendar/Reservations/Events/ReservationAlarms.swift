public import FencepostCalendarModel
public import FencepostGeodesy
import FencepostRecurrence
import FencepostSpatiotemporal

/// Which alarms the event of a reservation gets.
public struct ReservationAlarms: Hashable, Sendable {
  /// How long before the start, in seconds, by kind.
  public var beforeStart: [Reservation.Kind: [Int]]
  /// How long before a flight a person should check in, in seconds; `nil` for no such alarm.
  public var checkIn: Int?
  /// Whether a hotel shows the booking's number on arrival.
  public var onArrival: Bool
  /// Whether a ticket with a barcode is offered on arrival at the station or door.
  public var offersTicket = true
  /// How long the way to the start takes, for the alarm to leave; `nil` for no such alarm.
  public var travel: TravelEstimate? = TravelEstimate()

  /// Alarms; by default what people usually want.
  public init(
    beforeStart: [Reservation.Kind: [Int]] = ReservationAlarms.usual, checkIn: Int? = 86_400,
    onArrival: Bool = true
  ) {
    self.beforeStart = beforeStart
    self.checkIn = checkIn
    self.onArrival = onArrival
  }

  /// Three hours before a flight, one hour before everything else that has a time.
  public static let usual: [Reservation.Kind: [Int]] = [
    .flight: [3 * 3600], .train: [3600], .bus: [3600], .boat: [3600], .car: [3600], .restaurant: [3600],
    .event: [3600], .taxi: [900],
  ]

  /// How long before the start, in seconds, somebody may arrive: a night train can leave after midnight.
  private static let earliestArrival: Int64 = 6 * 3600

  /// Whether an alarm offers a ticket.
  public static func isTicket(_ alarm: Identifier<Alarm>) -> Bool { alarm.rawValue.hasSuffix("#ticket") }

  /// How long before the start a person wants to be there, in seconds; at the start of other kinds.
  private static let ahead: [Reservation.Kind: Int] = [.flight: 5400, .train: 600, .bus: 600, .boat: 1800]

  /// The alarms of a reservation. Their identifiers begin with `uid` and stay the same, so that what a person
  /// does to one of them survives an update.
  ///
  /// - Parameters:
  ///   - reservation: The reservation.
  ///   - uid: The UID of its event.
  ///   - zones: The zones of its times.
  ///   - position: Where the person is, for the alarm to leave; `nil` if unknown.
  func alarms(
    for reservation: Reservation, uid: String, zones: TimeZoneDatabase = .system,
    from position: Coordinate? = nil
  ) -> [Alarm] {
    guard let start = reservation.start else { return [] }
    var alarms: [Alarm] = []
    func add(
      _ name: String, _ trigger: Alarm.Trigger, message: String? = nil, proximity: ProximityTrigger? = nil
    ) {
      let id = Identifier<Alarm>(rawValue: "\(uid)#\(name)")
      alarms.append(Alarm(id: id, trigger: trigger, proximity: proximity, message: message))
    }
    if let checkIn, reservation.kind == .flight {
      let trigger = reservation.checkIn?.instant(in: zones).map { Alarm.Trigger.absolute($0) }
      let relative = Alarm.Trigger.relative(CalendarDuration(seconds: -checkIn), to: .start)
      add("check-in", trigger ?? relative, message: "Check in: \(reservation.eventTitle)")
    }
    if !start.isDay {
      for seconds in beforeStart[reservation.kind] ?? [] {
        add("before-\(seconds)", .relative(CalendarDuration(seconds: -seconds), to: .start))
      }
    }
    // A taxi comes to the person.
    if let travel, let position, !start.isDay, reservation.kind != .taxi, reservation.kind != .hotel,
      let place = reservation.place?.coordinate, let way = travel.seconds(from: position, to: place)
    {
      let name = reservation.place?.label.map { " to \($0)" } ?? ""
      add(
        "leave", .relative(CalendarDuration(seconds: -way - (Self.ahead[reservation.kind] ?? 0)), to: .start),
        message: "Time to leave: about \(way / 60) min\(name)")
    }
    if onArrival, reservation.kind == .hotel, let location = reservation.location, location.coordinate != nil
    {
      let window = TimeWindow(firstDay: start.civil.day, lastDay: reservation.end?.civil.day)
      let message = [location.title, reservation.reference.map { "your reference: \($0)" }].compactMap { $0 }
      add(
        "arrival", .none, message: message.joined(separator: ", "),
        proximity: ProximityTrigger(.enter, at: location, frequency: .once, window: window))
    }
    if offersTicket, reservation.kind.hasDoor, !reservation.codes.isEmpty,
      let location = reservation.location, location.coordinate != nil
    {
      let civil = start.civil
      let earliest = CivilDateTime(secondsSinceEpoch: civil.secondsSinceEpoch - Self.earliestArrival)
      let window = TimeWindow(
        firstDay: start.isDay ? civil.day : earliest.day, lastDay: reservation.end?.civil.day ?? civil.day)
      let seats = reservation.seats.isEmpty ? [] : ["seat \(reservation.seats.joined(separator: "; "))"]
      add(
        "ticket", .none,
        message: (["Your ticket: \(reservation.eventTitle)"] + seats).joined(separator: ", "),
        proximity: ProximityTrigger(.enter, at: location, frequency: .once, window: window))
    }
    return alarms
  }
}

extension Reservation.Kind {
  /// Whether somebody looks at the ticket where it begins.
  fileprivate var hasDoor: Bool {
    switch self {
    case .flight, .train, .bus, .boat, .event: true
    case .hotel, .restaurant, .car, .taxi: false
    }
  }
}

/// How long a person takes to get somewhere: a rule of thumb that needs no map.
///
/// Roads are about 1.3 times as long as the straight line. In a town, a door-to-door trip makes some 30 km/h
/// on them, on motorways 80. 40 km/h along the straight line, and ten minutes for parking and walking, is
/// enough for both.
public struct TravelEstimate: Hashable, Sendable {
  /// The speed along the straight line, in metres per second.
  public var speed: Double

  /// The usual speed: 40 km/h.
  public static let usualSpeed = 40 / 3.6
  /// The seconds that every trip takes in addition.
  private static let extra = 600.0
  /// Who is closer, in metres, is there already.
  private static let nearest = 300.0
  /// Who is farther away, in metres, does not come from there: the flight home starts where the journey ends.
  private static let farthest = 200_000.0

  /// An estimate.
  public init(speed: Double = TravelEstimate.usualSpeed) { self.speed = speed }

  /// The seconds from one place to another, rounded up to five minutes; `nil` if a person is there already,
  /// or will not come from so far away.
  public func seconds(from start: Coordinate, to end: Coordinate) -> Int? {
    guard start.isValid, end.isValid, speed > 0 else { return nil }
    let distance = Geodesic.distance(from: start, to: end)
    guard (Self.nearest...Self.farthest).contains(distance) else { return nil }
    let seconds = distance / speed + Self.extra
    // A crawl must not become a number that does not fit.
    return seconds < 86_400 ? Int((seconds / 300).rounded(.up)) * 300 : nil
  }
}
