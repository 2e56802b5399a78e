/// Bookings of all kinds as JSON-LD, made for these tests.
enum Samples {
  static let flight = #"""
    {"@context": "http://schema.org", "@type": "FlightReservation", "reservationNumber": "QX7K2M",
     "reservationStatus": "http://schema.org/Confirmed", "underName": {"@type": "Person", "name": "Ada Byron"},
     "checkinUrl": "https://air.example/checkin", "ticketNumber": "220-1234567890",
     "reservedTicket": {"@type": "Ticket", "ticketedSeat": {"@type": "Seat", "seatRow": "12", "seatNumber": "A"}},
     "boardingGroup": "B", "modifiedTime": "2027-01-10T08:00:00Z",
     "reservationFor": {"@type": "Flight", "flightNumber": "400",
       "airline": {"@type": "Airline", "name": "Example Air", "iataCode": "XA"},
       "departureAirport": {"@type": "Airport", "name": "Frankfurt", "iataCode": "FRA"},
       "arrivalAirport": {"@type": "Airport", "iataCode": "JFK"},
       "departureTime": "2027-03-04T10:20:00", "arrivalTime": "2027-03-04T13:05:00",
       "departureGate": "Z22", "departureTerminal": "1", "boardingTime": "2027-03-04T09:40:00"}}
    """#

  static let train = #"""
    {"@context": "https://schema.org/", "@type": "TrainReservation", "reservationId": "TR-9981",
     "reservationStatus": "https://schema.org/ReservationConfirmed", "underName": "Ada Byron",
     "reservedTicket": {"ticketedSeat": {"seatSection": "Coach 23", "seatNumber": "61"}},
     "reservationFor": {"@type": "TrainTrip", "trainNumber": "ICE 576", "provider": {"name": "Example Rail"},
       "departureStation": {"@type": "TrainStation", "name": "Hamburg Hbf",
         "geo": {"latitude": 53.5527, "longitude": 10.0069}},
       "departureTime": "2027-03-28T01:30:00+01:00", "departurePlatform": "14",
       "arrivalStation": {"@type": "TrainStation", "name": "Paris Est",
         "geo": {"latitude": "48.8768", "longitude": "2.3591"}},
       "arrivalTime": "2027-03-28T11:05:00+02:00"}}
    """#

  static let bus = #"""
    {"@context": "http://schema.org", "@type": "BusReservation", "reservationId": "B-55",
     "reservationStatus": "Confirmed",
     "reservationFor": {"@type": "BusTrip", "busNumber": "N34", "busCompany": {"name": "Example Coaches"},
       "departureBusStop": {"name": "Praha, ÚAN Florenc", "address": {"addressCountry": "CZ"}},
       "arrivalBusStop": {"name": "Wien Erdberg", "address": {"addressCountry": "Austria"}},
       "departureTime": "2027-05-01T08:00", "arrivalTime": "2027-05-01T12:15"}}
    """#

  static let boat = #"""
    {"@type": "BoatReservation", "@context": "https://schema.org", "reservationId": "F1",
     "reservationStatus": "ReservationConfirmed", "provider": {"name": "Example Ferries"},
     "reservationFor": {"@type": "BoatTrip",
       "departureBoatTerminal": {"name": "Dover", "geo": {"latitude": 51.1264, "longitude": 1.3275}},
       "arrivalBoatTerminal": {"name": "Calais", "address": {"addressCountry": "FR"}, "geo": {"latitude": 50.9664, "longitude": 1.8626}},
       "departureTime": "2027-06-05T09:25:00", "arrivalTime": "2027-06-05T11:55:00"}}
    """#

  static let car = #"""
    {"@context": "http://schema.org", "@type": "RentalCarReservation", "reservationNumber": "RC 77",
     "reservationStatus": "http://schema.org/ReservationConfirmed",
     "pickupTime": "2027-08-05T16:00:00-07:00", "dropoffTime": "2027-08-06T10:00:00-07:00",
     "pickupLocation": {"name": "Example Cars, Airport", "address": {"streetAddress": "1500 Orange Avenue",
       "addressLocality": "San Jose", "postalCode": "94000", "addressRegion": "CA", "addressCountry": "US"},
       "geo": {"latitude": 37.3639, "longitude": -121.9289}},
     "dropoffLocation": {"name": "Example Cars, Downtown"},
     "reservationFor": {"@type": "RentalCar", "name": "Compact", "brand": {"name": "Examplemobile"},
       "rentalCompany": {"name": "Example Cars"}}}
    """#

  static let hotel = #"""
    {"@context": "http://schema.org", "@type": "LodgingReservation", "reservationNumber": "H-1",
     "reservationStatus": "http://schema.org/Confirmed", "underName": {"name": "Ada Byron"},
     "checkinDate": "2027-04-11T16:00:00", "checkoutDate": "2027-04-13T11:00:00", "numAdults": "2",
     "lodgingUnitDescription": "Double room", "url": "https://hotel.example/b/H-1",
     "reservationFor": {"@type": "LodgingBusiness", "name": "Hotel Elbblick", "telephone": "+49 40 000",
       "address": {"@type": "PostalAddress", "streetAddress": "Hafenstraße 1", "addressLocality": "Hamburg",
         "postalCode": "20359", "addressCountry": "DE"},
       "geo": {"@type": "GeoCoordinates", "latitude": "53,5461", "longitude": "9,9661"}}}
    """#

  static let restaurant = #"""
    {"@context": "https://schema.org", "@type": "FoodEstablishmentReservation", "reservationId": "abc123",
     "reservationStatus": "https://schema.org/ReservationConfirmed", "startTime": "2027-06-15T19:30:00-07:00",
     "partySize": 4, "underName": {"@type": "Person", "name": "Ada Byron"},
     "reservationFor": {"@type": "FoodEstablishment", "name": "Caffè Example",
       "address": "1 Example Way, Cupertino, CA"}}
    """#

  static let event = #"""
    {"@context": "http://schema.org", "@type": "EventReservation", "reservationNumber": "E-42",
     "reservationStatus": "http://schema.org/ReservationConfirmed",
     "reservedTicket": [{"ticketNumber": "T1", "ticketedSeat": {"seatRow": "5", "seatNumber": "9"}},
       {"ticketNumber": "T2", "ticketedSeat": {"seatRow": "5", "seatNumber": "10"}}],
     "reservationFor": {"@type": "MusicEvent", "name": "An Evening of Examples", "startDate": "2027-09-30T19:30:00",
       "duration": "PT3H", "location": {"@type": "Place", "name": "Example Hall",
         "address": {"streetAddress": "Main St 1", "addressLocality": "Lisbon", "addressCountry": "Portugal"}}}}
    """#

  static let taxi = #"""
    {"@context": "http://schema.org", "@type": "TaxiReservation", "reservationId": "X9",
     "reservationStatus": "http://schema.org/Confirmed", "provider": {"name": "Example Cabs"},
     "pickupLocation": {"name": "1 Main Street", "geo": {"latitude": 40.7128, "longitude": -74.006}},
     "pickupTime": "2027-02-02T06:30:00"}
    """#

  static let plainEvent = #"""
    {"@context": "http://schema.org", "@type": "Event", "name": "Street Fair", "startDate": "2027-07-01",
     "endDate": "2027-07-02", "organizer": {"name": "Example Town"}, "location": "Market Square"}
    """#

  static let all = [flight, train, bus, boat, car, hotel, restaurant, event, taxi, plainEvent]

  /// A page with JSON-LD in it.
  static func page(_ json: String) -> String {
    "<html><head><script type=\"application/ld+json\">\(json)</script></head><body>Hello</body></html>"
  }
}
