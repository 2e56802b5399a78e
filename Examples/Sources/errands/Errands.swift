// Errands: reminders at places, in the terminal. Written as for Apple's EventKit, but for the engine at the end.
//
//     swift run errands add "Buy bread" 52.3990 13.0640     a reminder for when you get there
//     swift run errands list                                what is still to be done
//     swift run errands walk 52.3900 13.0640 52.4000 13.0640  walk from here to there, and see what goes off
//
// The store is the one that `fencepost` uses; FENCEPOST_STORE=/some/file.sqlite picks another.

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

  /// The titles of all that is still to be done. Reminders are fetched in the background; what leaves the callback is
  /// made of values.
  func openTitles() async -> [String] {
    let predicate = store.predicateForIncompleteReminders(
      withDueDateStarting: nil, ending: nil, calendars: nil)
    return await withCheckedContinuation { continuation in
      store.fetchReminders(matching: predicate) { reminders in
        continuation.resume(returning: (reminders ?? []).map { $0.title })
      }
    }
  }

  /// Walks straight from one place to another, a position a second, and prints the alarms that go off on the way.
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
    // An app with a receiver tells each position as it comes, and awaits `engine.firings()` meanwhile.
    // Each walk is a device of its own: the positions of one that was played lie in the future, and a later walk of
    // the same device would be late by as much.
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

  /// Does what the words say.
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
