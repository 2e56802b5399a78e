public import CoreLocation
import FencepostReservations
public import Foundation

/// A journey by train.
open class INTrainReservation: INReservation {
  /// The seat.
  public let reservedSeat: INSeat?
  /// The journey.
  public let trainTrip: INTrainTrip

  /// A reservation.
  public init(
    itemReference: INSpeakableString, reservationNumber: String? = nil, bookingTime: Date? = nil,
    reservationStatus: INReservationStatus, reservationHolderName: String? = nil,
    actions: [INReservationAction]? = nil, url: URL? = nil, reservedSeat: INSeat?, trainTrip: INTrainTrip
  ) {
    self.reservedSeat = reservedSeat
    self.trainTrip = trainTrip
    super.init(
      Common(
        itemReference: itemReference, reservationNumber: reservationNumber, bookingTime: bookingTime,
        reservationStatus: reservationStatus, reservationHolderName: reservationHolderName, actions: actions,
        url: url))
  }

  override var kind: Reservation.Kind { .train }

  override func write(to reservation: inout Reservation, terms: BookingTerms) {
    terms.write(reservedSeat, to: &reservation)
    terms.write(trainTrip.tripDuration, to: &reservation)
    reservation.provider = trainTrip.provider
    reservation.number = trainTrip.trainNumber ?? trainTrip.trainName
    reservation.place = terms.place(trainTrip.departureStationLocation)
    reservation.destination = terms.place(trainTrip.arrivalStationLocation)
    reservation.details[.platform] = trainTrip.departurePlatform
    reservation.details[.arrivalPlatform] = trainTrip.arrivalPlatform
  }
}

/// A journey by train.
open class INTrainTrip: NSObject, NSCopying {
  /// The railway.
  public let provider: String?
  /// The train's name.
  public let trainName: String?
  /// The train's number.
  public let trainNumber: String?
  /// Departure and arrival.
  public let tripDuration: INDateComponentsRange
  /// Where it departs.
  public let departureStationLocation: CLPlacemark
  /// The platform there.
  public let departurePlatform: String?
  /// Where it arrives.
  public let arrivalStationLocation: CLPlacemark
  /// The platform there.
  public let arrivalPlatform: String?

  /// A journey.
  public init(
    provider: String?, trainName: String?, trainNumber: String?, tripDuration: INDateComponentsRange,
    departureStationLocation: CLPlacemark, departurePlatform: String?, arrivalStationLocation: CLPlacemark,
    arrivalPlatform: String?
  ) {
    self.provider = provider
    self.trainName = trainName
    self.trainNumber = trainNumber
    self.tripDuration = tripDuration
    self.departureStationLocation = departureStationLocation
    self.departurePlatform = departurePlatform
    self.arrivalStationLocation = arrivalStationLocation
    self.arrivalPlatform = arrivalPlatform
  }

  /// Returns the same object, because it is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }
}

/// A journey by bus.
open class INBusReservation: INReservation {
  /// The seat.
  public let reservedSeat: INSeat?
  /// The journey.
  public let busTrip: INBusTrip

  /// A reservation.
  public init(
    itemReference: INSpeakableString, reservationNumber: String? = nil, bookingTime: Date? = nil,
    reservationStatus: INReservationStatus, reservationHolderName: String? = nil,
    actions: [INReservationAction]? = nil, url: URL? = nil, reservedSeat: INSeat?, busTrip: INBusTrip
  ) {
    self.reservedSeat = reservedSeat
    self.busTrip = busTrip
    super.init(
      Common(
        itemReference: itemReference, reservationNumber: reservationNumber, bookingTime: bookingTime,
        reservationStatus: reservationStatus, reservationHolderName: reservationHolderName, actions: actions,
        url: url))
  }

  override var kind: Reservation.Kind { .bus }

  override func write(to reservation: inout Reservation, terms: BookingTerms) {
    terms.write(reservedSeat, to: &reservation)
    terms.write(busTrip.tripDuration, to: &reservation)
    reservation.provider = busTrip.provider
    reservation.number = busTrip.busNumber ?? busTrip.busName
    reservation.place = terms.place(busTrip.departureBusStopLocation)
    reservation.destination = terms.place(busTrip.arrivalBusStopLocation)
    reservation.details[.platform] = busTrip.departurePlatform
    reservation.details[.arrivalPlatform] = busTrip.arrivalPlatform
  }
}

/// A journey by bus.
open class INBusTrip: NSObject, NSCopying {
  /// The company.
  public let provider: String?
  /// The line's name.
  public let busName: String?
  /// The line's number.
  public let busNumber: String?
  /// Departure and arrival.
  public let tripDuration: INDateComponentsRange
  /// Where it departs.
  public let departureBusStopLocation: CLPlacemark
  /// The platform there.
  public let departurePlatform: String?
  /// Where it arrives.
  public let arrivalBusStopLocation: CLPlacemark
  /// The platform there.
  public let arrivalPlatform: String?

  /// A journey.
  public init(
    provider: String?, busName: String?, busNumber: String?, tripDuration: INDateComponentsRange,
    departureBusStopLocation: CLPlacemark, departurePlatform: String?, arrivalBusStopLocation: CLPlacemark,
    arrivalPlatform: String?
  ) {
    self.provider = provider
    self.busName = busName
    self.busNumber = busNumber
    self.tripDuration = tripDuration
    self.departureBusStopLocation = departureBusStopLocation
    self.departurePlatform = departurePlatform
    self.arrivalBusStopLocation = arrivalBusStopLocation
    self.arrivalPlatform = arrivalPlatform
  }

  /// Returns the same object, because it is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }
}

/// A journey by boat.
open class INBoatReservation: INReservation {
  /// The seat.
  public let reservedSeat: INSeat?
  /// The journey.
  public let boatTrip: INBoatTrip

  /// A reservation.
  public init(
    itemReference: INSpeakableString, reservationNumber: String? = nil, bookingTime: Date? = nil,
    reservationStatus: INReservationStatus, reservationHolderName: String? = nil,
    actions: [INReservationAction]? = nil, url: URL? = nil, reservedSeat: INSeat?, boatTrip: INBoatTrip
  ) {
    self.reservedSeat = reservedSeat
    self.boatTrip = boatTrip
    super.init(
      Common(
        itemReference: itemReference, reservationNumber: reservationNumber, bookingTime: bookingTime,
        reservationStatus: reservationStatus, reservationHolderName: reservationHolderName, actions: actions,
        url: url))
  }

  override var kind: Reservation.Kind { .boat }

  override func write(to reservation: inout Reservation, terms: BookingTerms) {
    terms.write(reservedSeat, to: &reservation)
    terms.write(boatTrip.tripDuration, to: &reservation)
    reservation.provider = boatTrip.provider
    reservation.number = boatTrip.boatNumber ?? boatTrip.boatName
    reservation.place = terms.place(boatTrip.departureBoatTerminalLocation)
    reservation.destination = terms.place(boatTrip.arrivalBoatTerminalLocation)
  }
}

/// A journey by boat.
open class INBoatTrip: NSObject, NSCopying {
  /// The company.
  public let provider: String?
  /// The ship's name.
  public let boatName: String?
  /// The ship's or line's number.
  public let boatNumber: String?
  /// Departure and arrival.
  public let tripDuration: INDateComponentsRange
  /// Where it departs.
  public let departureBoatTerminalLocation: CLPlacemark
  /// Where it arrives.
  public let arrivalBoatTerminalLocation: CLPlacemark

  /// A journey.
  public init(
    provider: String?, boatName: String?, boatNumber: String?, tripDuration: INDateComponentsRange,
    departureBoatTerminalLocation: CLPlacemark, arrivalBoatTerminalLocation: CLPlacemark
  ) {
    self.provider = provider
    self.boatName = boatName
    self.boatNumber = boatNumber
    self.tripDuration = tripDuration
    self.departureBoatTerminalLocation = departureBoatTerminalLocation
    self.arrivalBoatTerminalLocation = arrivalBoatTerminalLocation
  }

  /// Returns the same object, because it is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }
}
