/// The text in the barcode of a boarding pass: what it says of the first flight.
///
/// Source: IATA, "Bar Coded Boarding Pass" (Resolution 792): fields of fixed lengths, filled with blanks.
struct BoardingPassBarcode {
  var traveller: String?
  var reference: String?
  var origin: String
  var destination: String
  var flight: String
  /// The day of the year, from 1.
  var day: Int
  var seat: String?

  /// `nil` if the text is anything else.
  init?(_ text: String) {
    let bytes = Array(text.utf8.prefix(60))
    guard bytes.count >= 57, bytes[0] == UInt8(ascii: "M"), bytes.allSatisfy({ (0x20...0x7E).contains($0) })
    else {
      return nil
    }
    func field(_ start: Int, _ count: Int) -> String {
      String(decoding: bytes[start..<(start + count)], as: UTF8.self).trimmed
    }
    func number(_ text: String) -> String { String(text.drop { $0 == "0" }) }
    func filled(_ text: String) -> String? { text.isEmpty ? nil : text }
    (origin, destination) = (field(30, 3), field(33, 3))
    guard Airport.table[origin] != nil || Airport.table[destination] != nil, let day = Int(field(44, 3)),
      (1...366).contains(day)
    else { return nil }
    self.day = day
    flight = field(36, 3) + number(field(39, 5))
    traveller = filled(field(2, 20)).map(PassFields.name)
    reference = filled(field(23, 7))
    seat = filled(number(field(48, 4)))
  }
}
