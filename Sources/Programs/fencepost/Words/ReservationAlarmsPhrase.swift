import FencepostCalendarModel
import FencepostPhrases
import FencepostReservations

/// The alarms of bookings as a setting: `flight 3h, check-in 1d, train 1h 10m, hotel none, leave 60km/h`.
enum ReservationAlarmsPhrase {
  /// Reads a setting. What it does not name stays as usual; `none` means no alarm.
  ///
  /// - Throws: ``WordError``.
  static func alarms(_ text: String) throws(WordError) -> ReservationAlarms {
    var alarms = ReservationAlarms()
    for part in text.split(separator: ",") {
      let words = part.split(whereSeparator: \.isWhitespace).map(String.init)
      guard let name = words.first, words.count > 1 else {
        throw WordError("alarm of bookings", String(part), try: "'flight 3h' or 'train none'")
      }
      if name == "leave" {
        alarms.travel = words[1] == "none" ? nil : TravelEstimate(speed: try speed(words[1]))
        continue
      }
      var spans: [Int] = []
      for word in words.dropFirst() where word != "none" {
        guard let span = OffsetPhrase.duration(word)?.nominalSeconds, (0...30 * 86_400).contains(abs(span))
        else {
          throw WordError("time before the start", word, try: "10m, 3h or 1d")
        }
        spans.append(abs(span))
      }
      switch (name, Reservation.Kind(rawValue: name)) {
      case ("check-in", _): alarms.checkIn = spans.first
      case ("ticket", _): alarms.offersTicket = words.last != "none"
      // A hotel has an alarm on arrival instead.
      case (_, .hotel): alarms.onArrival = words.last != "none"
      case (_, let kind?): alarms.beforeStart[kind] = spans
      case (_, nil):
        let kinds = Reservation.Kind.allCases.map(\.rawValue).joined(separator: ", ")
        throw WordError("kind of booking", name, try: "check-in, leave, ticket, \(kinds)")
      }
    }
    return alarms
  }

  /// `60km/h` or `30mph`, in metres per second.
  private static func speed(_ word: String) throws(WordError) -> Double {
    let units = [("km/h", 1 / 3.6), ("kmh", 1 / 3.6), ("mph", 0.44704)]
    for (unit, factor) in units where word.hasSuffix(unit) {
      if let number = Double(word.dropLast(unit.count)), (1...500).contains(number) { return number * factor }
    }
    throw WordError("speed", word, try: "40km/h or 25mph")
  }
}
