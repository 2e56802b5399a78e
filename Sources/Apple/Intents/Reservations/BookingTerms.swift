import Contacts
import CoreLocation
import EventKit
import FencepostCalendarModel
import FencepostGeocoding
import FencepostGeodesy
import FencepostRecurrence
import FencepostReservations
import Foundation

/// Converts an app's reservation to a value of the room Reservations.
struct BookingTerms {
  let resolver: TimeResolver

  /// An app's reservation.
  func reservation(_ booked: INReservation) -> Reservation {
    var reservation = Reservation(kind: booked.kind)
    let reference = booked.itemReference
    reservation.phrase = reference.spokenPhrase
    reservation.reference = booked.reservationNumber ?? reference.vocabularyIdentifier
    reservation.travellers = booked.reservationHolderName.map { [$0] } ?? []
    reservation.links[.page] = booked.url?.absoluteString
    reservation.status =
      switch booked.reservationStatus {
      case .canceled: .cancelled
      case .pending: .pending
      case .hold: .hold
      case .confirmed: .confirmed
      case .unknown: nil
      }
    if let action = booked.actions?.first(where: { $0.type == .checkIn }) {
      reservation.checkIn = time(action.validDuration.startDateComponents)
      reservation.links[.checkIn] = action.userActivity.webpageURL?.absoluteString
    }
    booked.write(to: &reservation, terms: self)
    return reservation
  }

  func write(_ range: INDateComponentsRange, to reservation: inout Reservation) {
    reservation.start = time(range.startDateComponents)
    reservation.end = time(range.endDateComponents)
  }

  func write(_ seat: INSeat?, to reservation: inout Reservation) {
    reservation.seats = [seat?.text].compactMap { $0 }
  }

  /// Writes a business and its place. Without a name, the business gets the name of the item.
  func writeVenue(_ placemark: CLPlacemark, of booked: INReservation, to reservation: inout Reservation) {
    reservation.place = place(placemark)
    reservation.title = placemark.name ?? booked.itemReference.spokenPhrase
  }

  func place(_ placemark: CLPlacemark?) -> ReservationPlace? {
    guard let placemark else { return nil }
    let parts = [
      placemark.postalAddress?.value.street, placemark.subLocality,
      [placemark.postalCode, placemark.locality].compactMap { $0 }.joined(separator: " "),
      placemark.administrativeArea, placemark.country,
    ].compactMap { $0 }.filter { !$0.isEmpty }
    let coordinate = placemark.location?.coordinate
    return ReservationPlace(
      name: placemark.name, address: parts.isEmpty ? nil : parts.joined(separator: ", "),
      locality: placemark.locality, country: placemark.country ?? placemark.isoCountryCode,
      coordinate: coordinate.map { Coordinate(latitude: $0.latitude, longitude: $0.longitude) })
  }

  /// A time: with a zone, that moment there; without a zone, local to the place; `nil` without a day.
  func time(_ components: DateComponents?) -> ReservationTime? {
    guard let components, let time = components.stored else { return nil }
    switch time {
    case .date(let day): return ReservationTime(CivilDateTime(day: day, secondOfDay: 0), isDay: true)
    case .floating(let civil): return ReservationTime(civil)
    case .utc(let civil): return ReservationTime(civil, utcOffset: 0)
    case .zoned(let civil, let zone):
      let seconds = civil.secondsSinceEpoch
      // Foundation's zones with a fixed offset don't name a place.
      guard resolver.zones.zone(zone) != nil, !zone.rawValue.hasPrefix("GMT") else {
        let offset = components.timeZone?.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds)))
        return ReservationTime(civil, utcOffset: offset)
      }
      return ReservationTime(
        civil, utcOffset: Int(seconds - resolver.instant(of: time).wholeSeconds), zone: zone)
    }
  }
}
