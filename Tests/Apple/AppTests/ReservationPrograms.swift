import Contacts
import EventKit
import Intents
import MapKit
import Testing

@Suite("Programs that tell of reservations and use map items")
struct ReservationPrograms {
  @Test("Only what differs from the defaults is named")
  func defaults() {
    let stay = INLodgingReservation(
      itemReference: INSpeakableString(spokenPhrase: "Inn"), reservationStatus: .confirmed,
      lodgingBusinessLocation: MKPlacemark(
        coordinate: CLLocationCoordinate2D(latitude: 48.1, longitude: 11.6)),
      reservationDuration: INDateComponentsRange(start: nil, end: nil))
    #expect(stay.numberOfAdults == nil)
    #expect(stay.reservationNumber == nil)
    #expect(stay.lodgingBusinessLocation.location?.coordinate.latitude == 48.1)
    #expect(stay.reservationStatus == .confirmed)
  }

  /// As programs donate and clean up; never run, because it would use the user's store.
  @MainActor
  private func donate(_ interaction: INInteraction) async throws {
    interaction.identifier = "booking"
    interaction.groupIdentifier = "trips"
    interaction.donate { error in if let error { print(error.localizedDescription) } }
    try await interaction.donate()
    INInteraction.delete(with: "trips") { _ in }
    INInteraction.delete(with: ["booking"], completion: nil)
    try await INInteraction.delete(with: ["booking"])
    try await INInteraction.delete(with: "trips")
    try await INInteraction.deleteAll()
  }

  @Test("A place of a map item becomes a place of an alarm")
  func mapItem() {
    let address = CNMutablePostalAddress()
    address.street = "1 Main Street"
    address.city = "Springfield"
    let item = MKMapItem(
      placemark: MKPlacemark(
        coordinate: CLLocationCoordinate2D(latitude: 40, longitude: -75), postalAddress: address))
    #expect(item.name == "1 Main Street")
    #expect(item.placemark.postalAddress?.city == "Springfield")
    item.name = "Cleaners"
    let place = EKStructuredLocation(mapItem: item)
    #expect(place.title == "Cleaners")
    #expect(place.geoLocation?.coordinate.longitude == -75)
    let copy = address.copy() as? CNPostalAddress
    address.city = "Shelbyville"
    #expect(copy?.city == "Springfield")
  }

  @Test("A span and a rule of EventKit are one the other")
  func rules() {
    let rule = EKRecurrenceRule(recurrenceWith: .weekly, interval: 2, end: nil)
    let span = INDateComponentsRange(ekRecurrenceRule: rule)
    #expect(span.recurrenceRule?.frequency == .weekly)
    #expect(span.ekRecurrenceRule()?.interval == 2)
  }
}
