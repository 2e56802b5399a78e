import FencepostRecurrence

@testable import FencepostReservations

/// The reader of all tests, with the system's zones and none of the machine's own.
let reader = ReservationReader(finder: ZoneFinder(zones: zones))
let zones = TimeZoneDatabase(localTime: "/nonexistent", environmentZone: "UTC")

func read(json: String) -> [Reservation] { reader.reservations(inJSON: Array(json.utf8)) }
func read(page: String) -> [Reservation] { reader.reservations(inPage: Array(page.utf8)) }

struct Missing: Error {}

/// The only reservation in JSON-LD.
func only(_ json: String) throws -> Reservation {
  let found = read(json: json)
  guard found.count == 1, let first = found.first else { throw Missing() }
  return first
}
