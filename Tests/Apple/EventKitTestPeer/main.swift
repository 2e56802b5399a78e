import EventKit
import Intents
import MapKit

// Another process over the same store, for the tests of EventKit. The store is FENCEPOST_STORE's.
//
//     FencepostEventKitTestPeer status | request | write NAME COUNT | bump IDENTIFIER COUNT | observe | donate confirmed|canceled

/// Waits for a callback, as programs with no run loop do.
func waited<Value: Sendable>(_ start: (@escaping @Sendable (Value) -> Void) -> Void) -> Value {
  let semaphore = DispatchSemaphore(value: 0)
  nonisolated(unsafe) var result: Value?
  start { value in
    result = value
    semaphore.signal()
  }
  semaphore.wait()
  guard let result else { exit(3) }
  return result
}

func requestReminders(_ store: EKEventStore) -> Bool {
  waited { answer in store.requestFullAccessToReminders { isGranted, _ in answer(isGranted) } }
}

/// Observes changes on the main queue, as most programs do, and saves something.
@MainActor
func observe() async throws {
  let store = EKEventStore()
  guard try await store.requestFullAccessToReminders() else { exit(2) }
  let (changes, continuation) = AsyncStream<Void>.makeStream()
  let observer = NotificationCenter.default.addObserver(
    forName: .EKEventStoreChanged, object: store, queue: .main
  ) { _ in continuation.yield() }
  let reminder = EKReminder(eventStore: store)
  reminder.title = "Observed"
  reminder.calendar = store.defaultCalendarForNewReminders()
  try store.save(reminder, commit: true)
  for await _ in changes { break }
  NotificationCenter.default.removeObserver(observer)
}

/// Tells of a table that somebody booked, as apps do that have no access, and goes on at once.
func donate(_ status: INReservationStatus) {
  let reference = INSpeakableString(
    vocabularyIdentifier: "booking-77", spokenPhrase: "Supper at the Mill", pronunciationHint: nil)
  var start = DateComponents(year: 2031, month: 6, day: 15, hour: 19, minute: 30)
  start.timeZone = TimeZone(identifier: "America/Los_Angeles")
  var end = start
  end.hour = 21
  let address = CNMutablePostalAddress()
  address.street = "1 Mill Road"
  address.city = "Cupertino"
  address.isoCountryCode = "us"
  let place = MKPlacemark(
    coordinate: CLLocationCoordinate2D(latitude: 37.33, longitude: -122.01), postalAddress: address)
  let reservation = INRestaurantReservation(
    itemReference: reference, reservationStatus: status, reservationHolderName: "Ada Byron",
    reservationDuration: INDateComponentsRange(start: start, end: end), restaurantLocation: place)
  let intent = INGetReservationDetailsIntent(reservationContainerReference: reference)
  let response = INGetReservationDetailsIntentResponse(code: .success, userActivity: nil)
  response.reservations = [reservation]
  let interaction = INInteraction(intent: intent, response: response)
  interaction.donate()
}

let arguments = CommandLine.arguments.dropFirst()
switch arguments.first {
case "status":
  print(
    EKEventStore.authorizationStatus(for: .event).rawValue,
    EKEventStore.authorizationStatus(for: .reminder).rawValue)
case "request":
  print(requestReminders(EKEventStore()))
case "write":
  let store = EKEventStore()
  guard requestReminders(store), arguments.count == 3, let count = Int(arguments.last ?? "") else { exit(2) }
  for number in 0..<count {
    let reminder = EKReminder(eventStore: store)
    reminder.title = "\(arguments.dropFirst().first ?? "") \(number)"
    reminder.calendar = store.defaultCalendarForNewReminders()
    do {
      try store.save(reminder, commit: true)
    } catch {
      print(error)
      exit(1)
    }
  }
case "bump":
  let store = EKEventStore()
  guard requestReminders(store), arguments.count == 3, let count = Int(arguments.last ?? "") else { exit(2) }
  for number in 1...count {
    guard
      let reminder = store.calendarItem(withIdentifier: arguments.dropFirst().first ?? "") as? EKReminder
    else { exit(4) }
    reminder.notes = "\(number)"
    do {
      try store.save(reminder, commit: true)
    } catch {
      print(error)
      exit(1)
    }
  }
case "donate":
  donate(arguments.last == "canceled" ? .canceled : .confirmed)
case "observe":
  try await observe()
  print("heard")
default:
  exit(2)
}
