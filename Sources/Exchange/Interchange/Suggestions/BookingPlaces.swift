public import FencepostCalendarModel
public import FencepostCalendarStore
public import FencepostGeocoding
public import FencepostGeodesy
public import FencepostRecurrence
import FencepostReservations
import Glibc

/// Where bookings are whose mails name a place without coordinates: as another booking says, otherwise as the
/// user's server for places says. Without coordinates, a hotel has no alarm on arrival, and a train no time
/// to leave.
///
/// It is found before the user's answer is written, because a server may take seconds.
public struct BookingPlaces: Sendable {
  /// Asks a server for places by name or address, those in a region first.
  public typealias Search = (_ text: String, _ near: Coordinate?) throws -> [GeocodedPlace]

  /// The bookings with what was found.
  let bookings: [Identifier<Suggestion>: Reservation]
  /// Why the server was not asked any more; `nil` if it answered.
  public let failure: String?

  /// Nothing.
  public static let none = BookingPlaces(bookings: [:], failure: nil)

  /// The most questions for one answer of the user.
  private static let maximumQuestions = 20
  /// A larger area, in metres, is a town or region and not the place.
  private static let maximumRadius = 5_000.0
  /// Places of bookings so near in time, in days, tell the region.
  private static let maximumDays = 60
  /// How far the region reaches, in metres.
  private static let region = 100_000.0

  private init(bookings: [Identifier<Suggestion>: Reservation], failure: String?) {
    (self.bookings, self.failure) = (bookings, failure)
  }

  /// Finds the missing places of suggestions.
  ///
  /// Blocks while the server is asked. A failure of the server is no error: the answer can do without.
  ///
  /// - Parameters:
  ///   - ids: The suggestions that the user is about to accept.
  ///   - store: The store with all suggestions.
  ///   - resolver: Resolves times, and finds zones by places.
  ///   - search: Asks a server (``search(at:)``); `nil` if the user has none.
  public init(
    of ids: [Identifier<Suggestion>], in store: CalendarStore, resolver: TimeResolver, by search: Search?
  ) throws {
    let finder = ZoneFinder(zones: resolver.zones)
    let reader = ReservationReader(finder: finder)
    let all = try store.read { try $0.suggestions() }.filter { !$0.isCalendar }
    func reservation(_ suggestion: Suggestion) -> Reservation? {
      reader.reservations(inJSON: Array(suggestion.content.utf8)).first
    }
    let wanted = Set(ids)
    var missing: [(id: Identifier<Suggestion>, reservation: Reservation)] = []
    for suggestion in all where wanted.contains(suggestion.id) {
      guard let found = reservation(suggestion), found.status != .cancelled,
        [found.place, found.destination].contains(where: { $0.map { $0.coordinate == nil } ?? false })
      else { continue }
      missing.append((suggestion.id, found))
    }
    guard !missing.isEmpty else {
      self = .none
      return
    }
    let days = missing.compactMap { $0.reservation.start?.civil.day.dayNumber }
    let (first, last) = (days.min() ?? 0, days.max() ?? 0)
    var guide = Guide(search: search, finder: finder)
    for suggestion in all where [.proposed, .accepted].contains(suggestion.state) {
      guard let day = suggestion.start?.day.dayNumber,
        (first - Self.maximumDays...last + Self.maximumDays).contains(day)
      else { continue }
      if let reservation = reservation(suggestion) { guide.add(reservation) }
    }
    var bookings: [Identifier<Suggestion>: Reservation] = [:]
    for (id, reservation) in missing {
      var located = reservation
      guide.locate(&located.place, at: located.start)
      guide.locate(&located.destination, at: located.end ?? located.start)
      if located != reservation { bookings[id] = located }
      // The next one may be at the same place.
      guide.add(located)
    }
    self.init(bookings: bookings, failure: guide.failure)
  }

  /// Asks a server, at most once a second as public servers want
  /// (https://operations.osmfoundation.org/policies/nominatim/).
  public static func search(at server: GeocodingServer) -> Search {
    var last: ContinuousClock.Instant?
    return { text, near in
      if let last {
        let rest = Duration.seconds(1) - (.now - last)
        if rest > .zero { usleep(UInt32(rest / .microseconds(1))) }
      }
      last = .now
      return try server.places(named: text, near: near)
    }
  }

  /// What is known of places.
  private struct Guide {
    private let search: Search?
    private let finder: ZoneFinder
    private var known: [(place: ReservationPlace, coordinate: Coordinate, seconds: Int64)] = []
    private var questions = 0
    private(set) var failure: String?

    init(search: Search?, finder: ZoneFinder) { (self.search, self.finder) = (search, finder) }

    mutating func add(_ reservation: Reservation) {
      let ends = [
        (reservation.place, reservation.start), (reservation.destination, reservation.end),
      ]
      for case (let place?, let time) in ends {
        guard let coordinate = place.coordinate, let time = time ?? reservation.start else { continue }
        known.append((place, coordinate, time.civil.secondsSinceEpoch))
      }
    }

    /// Adds the coordinates of a place if they are missing and can be known.
    mutating func locate(_ place: inout ReservationPlace?, at time: ReservationTime?) {
      guard let wanted = place, wanted.coordinate == nil, wanted.label != nil else { return }
      let seconds = time?.civil.secondsSinceEpoch ?? 0
      let same = known.filter { Self.isOne($0.place, wanted) }
      if let nearest = same.min(by: { abs($0.seconds - seconds) < abs($1.seconds - seconds) }) {
        place?.coordinate = nearest.coordinate
        return
      }
      let near = known.min { abs($0.seconds - seconds) < abs($1.seconds - seconds) }?.coordinate
      for (text, isWhole) in Self.questions(about: wanted) {
        guard let found = answers(to: text, near: near) else { return }
        func isInRegion(_ one: GeocodedPlace) -> Bool {
          near.map { Geodesic.distance(from: $0, to: one.coordinate) <= region } ?? false
        }
        // A place in another country has only the name in common.
        let country = finder.country(of: wanted)
        let small = found.filter { one in
          one.radius ?? 0 <= maximumRadius && Self.isOne(country, one.address.countryCode)
        }
        // Without a town, the name alone is a place of the journey or none.
        if let best = small.first(where: isInRegion) ?? (isWhole ? small.first : nil) {
          place?.coordinate = best.coordinate
          return
        }
      }
    }

    /// Whether two places are one: of the same name, and in one town or at one address. Hotels of a chain
    /// have one name in many towns.
    private static func isOne(_ a: ReservationPlace, _ b: ReservationPlace) -> Bool {
      guard a.isSame(as: b) else { return false }
      if a.code != nil, b.code != nil { return true }
      guard let mine = a.locality, let theirs = b.locality else {
        return a.address == b.address && a.locality == b.locality && a.country == b.country
      }
      return mine.lowercased() == theirs.lowercased()
    }

    /// Whether two codes of countries may mean one: OpenStreetMap gives territories the code of their state.
    private static func isOne(_ a: String?, _ b: String?) -> Bool {
      guard let a, let b else { return true }
      return (states[a] ?? a) == (states[b] ?? b)
    }

    /// The states of territories with codes of their own (ISO 3166).
    private static let states: [String: String] = {
      let territories = [
        "CN": ["HK", "MO"], "FI": ["AX"], "NO": ["SJ"], "NL": ["AW", "BQ", "CW", "SX"],
        "FR": ["BL", "GF", "GP", "MF", "MQ", "NC", "PF", "PM", "RE", "WF", "YT"],
        "US": ["AS", "GU", "MP", "PR", "VI"],
      ]
      return Dictionary(uniqueKeysWithValues: territories.flatMap { state, all in all.map { ($0, state) } })
    }()

    /// The texts to ask for, the most precise first, and whether each is enough without a region.
    private static func questions(about place: ReservationPlace) -> [(text: String, isWhole: Bool)] {
      func joined(_ parts: String?...) -> String {
        var texts: [String] = []
        for case let part? in parts where !part.isEmpty && !texts.contains(where: { $0.contains(part) }) {
          texts.append(part)
        }
        return texts.joined(separator: ", ")
      }
      var questions: [(String, Bool)] = []
      // A street with a number is found best without the name of the house.
      if let address = place.address, address.contains(where: \.isNumber) {
        questions.append((joined(address, place.country), true))
      }
      if let name = place.name {
        let isWhole = place.locality != nil || place.address != nil
        questions.append((joined(name, place.locality ?? place.address, place.country), isWhole))
      }
      return questions
    }

    /// The answers of the server; `nil` if it can't be asked.
    private mutating func answers(to text: String, near: Coordinate?) -> [GeocodedPlace]? {
      guard let search, failure == nil, questions < maximumQuestions else { return nil }
      questions += 1
      do {
        return try search(text, near)
      } catch {
        failure = "\(error)"
        return nil
      }
    }
  }
}
