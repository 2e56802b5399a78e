import FencepostAlgorithms
internal import FencepostGeodesy

/// The columns that an `I` record adds to fixes, as ranges of bytes.
struct IGCColumns {
  /// Accuracy in metres.
  private(set) var accuracy: Range<Int>?
  /// More digits of the second.
  private(set) var fraction: Range<Int>?
  /// More digits of the minutes of latitude, after the thousandths.
  private(set) var latitude: Range<Int>?
  /// More digits of the minutes of longitude, after the thousandths.
  private(set) var longitude: Range<Int>?

  /// No columns.
  init() {}

  /// The columns in a `line`: `I`, their number in two digits, then for each column its first and last byte, counted
  /// from 1, and a code of three letters.
  init(_ line: UnsafeBufferPointer<UInt8>) {
    let bytes = line.span
    guard bytes.count >= 3, let count = ASCII.integer(bytes, 1..<3) else { return }
    for start in stride(from: 3, to: 3 + 7 * count, by: 7) where start + 7 <= bytes.count {
      guard let first = ASCII.integer(bytes, start..<start + 2),
        let last = ASCII.integer(bytes, start + 2..<start + 4), first > IGCRecord.length, last >= first
      else { continue }
      let column = first - 1..<last
      let code = UnsafeBufferPointer(rebasing: line[start + 4..<start + 7])
      if code == "FXA" {
        accuracy = column
      } else if code == "TDS" {
        fraction = column
      } else if code == "LAD" {
        latitude = column
      } else if code == "LOD" {
        longitude = column
      }
    }
  }
}

/// A `B` record: `B`, time of day, latitude, longitude, `A` or `V`, altitude by air pressure and by satellites.
struct IGCRecord {
  /// Its first letter.
  static let fix: UInt8 = 0x42
  /// Its length in bytes without additional columns.
  static let length = 35

  /// Microseconds since midnight UTC; `nil` if the time is invalid.
  let timeOfDay: Int64?
  let coordinate: Coordinate
  /// Whether the fix is three-dimensional.
  let hasAltitude: Bool
  /// Metres above the ellipsoid.
  let altitude: Double?
  /// Metres.
  let accuracy: Double?

  /// The record in `line`, with the additional columns; `nil` if it is not a `B` record.
  init?(_ line: UnsafeBufferPointer<UInt8>, _ columns: IGCColumns) {
    let bytes = line.span
    guard bytes.count >= IGCRecord.length, let time = ASCII.integer(bytes, 1..<7),
      let latitude = IGCRecord.angle(bytes, 7..<14, columns.latitude, positive: 0x4E, negative: 0x53),
      let longitude = IGCRecord.angle(bytes, 15..<23, columns.longitude, positive: 0x45, negative: 0x57)
    else { return nil }
    hasAltitude = bytes[24] == 0x41
    guard hasAltitude || bytes[24] == 0x56 else { return nil }
    coordinate = Coordinate(latitude: latitude, longitude: longitude)
    altitude = hasAltitude ? DecimalNumber.parse(bytes.extracting(30..<35)) : nil
    accuracy = IGCRecord.number(bytes, columns.accuracy).map { Double($0.value) }
    let (hour, minute, second) = (time / 10_000, time / 100 % 100, time % 100)
    guard hour < 24, minute < 60, second <= 60 else {
      timeOfDay = nil
      return
    }
    let fraction = IGCRecord.number(bytes, columns.fraction).map { $0.value * 1_000_000 / $0.unit } ?? 0
    timeOfDay = Int64((hour * 3600 + minute * 60 + second) * 1_000_000 + fraction)
  }

  /// Degrees from `DDMMmmm` or `DDDMMmmm` with the letter after it, and more digits of the minutes from a column.
  private static func angle(
    _ bytes: Span<UInt8>, _ range: Range<Int>, _ more: Range<Int>?, positive: UInt8, negative: UInt8
  ) -> Double? {
    guard let digits = ASCII.integer(bytes, range), digits / 1000 % 100 < 60 else { return nil }
    let letter = bytes[range.upperBound]
    guard letter == positive || letter == negative else { return nil }
    let rest = number(bytes, more).map { Double($0.value) / Double($0.unit) } ?? 0
    let minutes = (Double(digits % 100_000) + rest) / 1000
    let degrees = Double(digits / 100_000) + minutes / 60
    return letter == positive ? degrees : -degrees
  }

  /// The digits of an additional column as a number, and the power of ten with as many digits; `nil` if the column is
  /// missing.
  private static func number(_ bytes: Span<UInt8>, _ column: Range<Int>?) -> (value: Int, unit: Int)? {
    guard let column, column.upperBound <= bytes.count, column.count <= 9,
      let value = ASCII.integer(bytes, column)
    else { return nil }
    return (value, column.reduce(1) { unit, _ in unit * 10 })
  }
}
