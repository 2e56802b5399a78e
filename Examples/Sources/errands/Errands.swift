// Errands: reminders at places, in the terminal. It uses Apple's EventKit API, except for the engine at the
// end.
//
//     swift run errands add "Buy bread" 52.3990 13.0640     add a reminder at a place
//     swift run errands list                                list open reminders
//     swift run errands walk 52.3900 13.0640 52.4000 13.0640  walk between two places, and print the alarms
//
// It uses the store of `fencepost`, or that of FENCEPOST_STORE=/some/file.sqlite.

import EventKit

@main
struct Errands {
  let store = EKEventStore()

  /// Adds a reminder that goes off within 100 metres of a place.
  func add(_ title: String, at coordinate: CLLocationCoordinate2D) throws {
    let place = EKStructuredLocation(title: title)
    place.geoLocation = CLLocation(latitude: coordinate.latitude, longitude: coordinate.longitude)
    place.radius = 100

    let arrival = EKAlarm()
    arrival.structuredLocation = place
    arrival.proximity = .enter

    let reminder = EKReminder(eventStore: store)
    reminder.title = title
    reminder.calendar = store.defaultCalendarForNewReminders()
    reminder.addAlarm(arrival)
    try store.save(reminder, commit: true)
  }

  /// The titles of open reminders. EventKit fetches reminders in the background and calls back with them.
  func openTitles() async -> [String] {
    let predicate = store.predicateForIncompleteReminders(
      withDueDateStarting: nil, ending: nil, calendars: nil)
    return await withCheckedContinuation { continuation in
      store.fetchReminders(matching: predicate) { reminders in
        continuation.resume(returning: (reminders ?? []).map { $0.title })
      }
    }
  }

  /// Walks straight from one place to another with a position per second, and prints the alarms on the way.
  func walk(from start: CLLocationCoordinate2D, to end: CLLocationCoordinate2D) async throws {
    let from = CLLocation(latitude: start.latitude, longitude: start.longitude)
    let metres = from.distance(from: CLLocation(latitude: end.latitude, longitude: end.longitude))
    let seconds = max(1, Int(metres / 1.4))
    let begin = Date()
    let positions = (0...seconds).map { second in
      let part = Double(second) / Double(seconds)
      return CLLocation(
        coordinate: CLLocationCoordinate2D(
          latitude: start.latitude + (end.latitude - start.latitude) * part,
          longitude: start.longitude + (end.longitude - start.longitude) * part),
        altitude: 0, horizontalAccuracy: 8, verticalAccuracy: -1,
        timestamp: begin.addingTimeInterval(Double(second)))
    }
    // An app with a receiver passes each position when it comes, and awaits `engine.firings()` in a task.
    // Each walk is a separate device: its positions are in the future, so those of a second walk would be
    // late.
    for firing in try await store.alarmEngine().process(positions, device: "walk at \(begin)") {
      let item = store.calendarItem(withIdentifier: firing.calendarItemIdentifier)
      let after = Int(firing.confirmationDate.timeIntervalSince(begin))
      print("\(firing.kind.rawValue) after \(after) s: \(item?.title ?? "an item that is gone")")
    }
  }

  func coordinate(_ words: ArraySlice<String>) -> CLLocationCoordinate2D? {
    let numbers = words.compactMap { Double($0) }
    guard numbers.count == 2 else { return nil }
    let coordinate = CLLocationCoordinate2D(latitude: numbers[0], longitude: numbers[1])
    return CLLocationCoordinate2DIsValid(coordinate) ? coordinate : nil
  }

  /// Runs the command line.
  static func main() async {
    let errands = Errands()
    do {
      try await errands.run(Array(CommandLine.arguments.dropFirst()))
    } catch {
      print(error.localizedDescription)
      exit(1)
    }
  }

  func run(_ words: [String]) async throws {
    guard try await store.requestFullAccessToReminders() else {
      print("No access to reminders; see `fencepost access`.")
      exit(1)
    }
    if words.count == 4, words[0] == "add", let place = coordinate(words[2...3]) {
      try add(words[1], at: place)
    } else if words.count == 5, words[0] == "walk", let start = coordinate(words[1...2]),
      let end = coordinate(words[3...4])
    {
      try await walk(from: start, to: end)
    } else if words == ["list"] {
      for title in await openTitles() { print(title) }
    } else {
      print("usage: errands add TITLE LATITUDE LONGITUDE | list | walk LAT LON LAT LON")
      exit(2)
    }
  }
}
