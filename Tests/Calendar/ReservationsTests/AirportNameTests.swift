import Testing

@testable import FencepostReservations

@Suite("Airports by name")
struct AirportNameTests {
  @Test(
    "as mails write them",
    arguments: [
      ("London (LHR)", "LHR"), ("Heathrow", "LHR"), ("London Heathrow", "LHR"),
      ("London Heathrow Airport", "LHR"), ("München", "MUC"), ("Muenchen", "MUC"), ("Munich Airport", "MUC"),
      ("Flughafen Wien", "VIE"), ("Zürich Flughafen", "ZRH"), ("Frankfurt Hahn", "HHN"),
      ("John F Kennedy International Airport", "JFK"), ("Lehigh Valley International Airport", "ABE"),
      ("Praha", "PRG"), ("Kopenhagen", "CPH"), ("Milano Malpensa", "MXP"),
      ("Amsterdam Airport Schiphol", "AMS"), ("London", nil), ("Airport", nil), ("", nil),
      ("Hauptbahnhof", nil), ("New York", nil), ("Paris (XXX)", nil),
    ] as [(String, String?)])
  func names(name: String, code: String?) { #expect(Airport.code(named: name) == code) }

  @Test("each by its own name, and by its code in brackets")
  func own() {
    var missed: [String] = []
    for airport in Airport.table.values {
      #expect(Airport.code(named: "Somewhere (\(airport.code))") == airport.code)
      for name in [airport.name, airport.otherName].compactMap({ $0 }) {
        if let found = Airport.code(named: name), found != airport.code { missed.append("\(name): \(found)") }
      }
    }
    #expect(missed.isEmpty)
  }
}
