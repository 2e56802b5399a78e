import FencepostGeodesy

/// A whole Open Location Code ("Plus Code"), such as `9F4MGCC5+8Q`, with or without the address of plus.codes.
///
/// Source: the Open Location Code specification (github.com/google/open-location-code). Short codes, such as
/// `GCC5+8Q Berlin`, need a place beside them and are not read.
struct PlusCode {
  /// The middle of the code's area.
  let coordinate: Coordinate

  private static let digits = Array("23456789CFGHJMPQRVWX".utf8)
  private static let maximumDigits = 15

  /// Parses a code; `nil` if `text` is not a code.
  init?(_ text: some StringProtocol) {
    var text = Substring(text)
    for start in ["https://plus.codes/", "plus.codes/"] where text.lowercased().hasPrefix(start) {
      text = text.dropFirst(start.count)
    }
    var bytes = Array(text.uppercased().utf8)
    while bytes.last == UInt8(ascii: " ") { bytes.removeLast() }
    // Eight digits stand before the plus sign. Zeros in pairs at their end stand for a larger area.
    guard bytes.count >= 9, bytes[8] == UInt8(ascii: "+") else { return nil }
    let known = bytes[..<8].prefix { $0 != UInt8(ascii: "0") }
    let padding = bytes[known.endIndex..<8]
    let rest = bytes[9...]
    guard padding.allSatisfy({ $0 == UInt8(ascii: "0") }), padding.count % 2 == 0, known.count >= 2,
      padding.isEmpty || rest.isEmpty, rest.count != 1
    else { return nil }
    var values: [Int] = []
    for byte in known + rest.prefix(Self.maximumDigits - known.count) {
      guard let value = Self.digits.firstIndex(of: byte) else { return nil }
      values.append(value)
    }
    guard rest.allSatisfy(Self.digits.contains) else { return nil }
    // Five pairs of a latitude's and a longitude's digit, then cells of a grid of five rows and four columns.
    var (south, west) = (-90.0, -180.0)
    var (height, width) = (400.0, 400.0)
    for (index, value) in values.enumerated() {
      if index >= 10 {
        height /= 5
        width /= 4
        south += Double(value / 4) * height
        west += Double(value % 4) * width
      } else if index % 2 == 0 {
        height /= 20
        south += Double(value) * height
      } else {
        width /= 20
        west += Double(value) * width
      }
    }
    guard south < 90, west < 180 else { return nil }
    // Coordinates have seven decimals; more are the error of the sums.
    func rounded(_ degrees: Double) -> Double { (degrees * 1e7).rounded() / 1e7 }
    coordinate = Coordinate(
      latitude: rounded(min(south + height / 2, 90)), longitude: rounded(west + width / 2))
  }
}
