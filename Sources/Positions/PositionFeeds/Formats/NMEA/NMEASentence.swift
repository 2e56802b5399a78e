import FencepostAlgorithms
internal import FencepostSpatiotemporal

/// One NMEA 0183 sentence about a position: `$`, two letters for the talker, three for the kind, fields
/// between commas, `*` and the checksum in hexadecimal.
struct NMEASentence {
  /// The kinds that are read.
  enum Kind: UInt8 {
    case rmc, gga, gll, gst, gsa, vtg, zda
  }

  /// The result of the comparison with the checksum at the end.
  enum Checksum {
    case right, wrong, missing
  }

  /// The kind of the sentence.
  let kind: Kind
  /// The fields, from the comma after the kind up to the checksum.
  let fields: NMEAFields
  /// The result of the checksum.
  let checksum: Checksum

  /// The sentence in `bytes`, which begin with its `$` and may continue after its end; `nil` for other kinds
  /// and for other text.
  init?(_ bytes: UnsafeBufferPointer<UInt8>) {
    // $ttkkk,
    guard bytes.count >= 7, bytes[0] == ASCII.dollar, bytes[6] == ASCII.comma, bytes[1] != 0x50,
      let kind = NMEASentence.kind(bytes[3], bytes[4], bytes[5])
    else { return nil }
    self.kind = kind
    let end = ASCII.index(of: ASCII.asterisk, in: bytes, from: 7) ?? bytes.count
    var sum: UInt8 = 0
    for index in 1..<end { sum ^= bytes[index] }
    fields = NMEAFields(UnsafeBufferPointer(rebasing: bytes[7..<end]))
    guard end < bytes.count else {
      checksum = .missing
      return
    }
    guard end + 2 < bytes.count, let high = ASCII.hexadecimal(bytes[end + 1]),
      let low = ASCII.hexadecimal(bytes[end + 2])
    else {
      checksum = .wrong
      return
    }
    checksum = sum == high << 4 | low ? .right : .wrong
  }

  /// Whether `line` holds a sentence. Detects NMEA logs.
  static func isLikely(in line: UnsafeBufferPointer<UInt8>) -> Bool {
    var rest = line[...]
    while let start = rest.firstIndex(of: ASCII.dollar) {
      if let sentence = NMEASentence(UnsafeBufferPointer(rebasing: line[start...])),
        sentence.checksum != .wrong
      {
        return true
      }
      rest = rest[(start + 1)...]
    }
    return false
  }

  @inline(__always)
  private static func kind(_ a: UInt8, _ b: UInt8, _ c: UInt8) -> Kind? {
    switch UInt32(a) << 16 | UInt32(b) << 8 | UInt32(c) {
    case 0x52_4D43: .rmc
    case 0x47_4741: .gga
    case 0x47_4C4C: .gll
    case 0x47_5354: .gst
    case 0x47_5341: .gsa
    case 0x56_5447: .vtg
    case 0x5A_4441: .zda
    default: nil
    }
  }
}

/// The fields of a sentence, in order.
struct NMEAFields {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var position = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  /// The next field; empty at the end.
  @inline(__always)
  mutating func next() -> UnsafeBufferPointer<UInt8> {
    let start = min(position, bytes.count)
    var end = start
    while end < bytes.count, bytes[end] != ASCII.comma { end += 1 }
    position = end + 1
    return UnsafeBufferPointer(rebasing: bytes[start..<end])
  }

  /// Skips `count` fields.
  @inline(__always)
  mutating func skip(_ count: Int) {
    for _ in 0..<count { _ = next() }
  }

  /// The next field as a number.
  @inline(__always)
  mutating func number() -> Double? { DecimalNumber.parse(next().span) }

  /// The first letter of the next field; 0 if it is empty.
  @inline(__always)
  mutating func letter() -> UInt8 { next().first ?? 0 }

  /// The next field as a time of day, `hhmmss[.fraction]`.
  mutating func timeOfDay() -> NMEATime {
    let field = next()
    if field.isEmpty { return .missing }
    guard field.count >= 6, field.count == 6 || field[6] == ASCII.point,
      let hour = NMEAFields.integer(field[0..<2]), let minute = NMEAFields.integer(field[2..<4]),
      let second = NMEAFields.integer(field[4..<6]), hour < 24, minute < 60, second <= 60
    else { return .wrong }
    var micros = 0
    var scale = 100_000
    for byte in field.dropFirst(7) {
      guard ASCII.isDigit(byte) else { return .wrong }
      micros += Int(byte - 0x30) * scale
      scale /= 10
    }
    return .microseconds(Int64(hour * 3600 + minute * 60 + second) * 1_000_000 + Int64(micros))
  }

  /// The next field as a date, `ddmmyy`. Years from 80 are of the 20th century: GPS time begins in 1980.
  mutating func date() -> CivilDay? {
    let field = next()
    guard field.count == 6, let day = NMEAFields.integer(field[0..<2]),
      let month = NMEAFields.integer(field[2..<4]), let year = NMEAFields.integer(field[4..<6])
    else { return nil }
    return CivilDay(validYear: year < 80 ? 2000 + year : 1900 + year, month: month, day: day)
  }

  /// The next three fields as a date: day, month and full year.
  mutating func dateInThree() -> CivilDay? {
    let fields = (next(), next(), next())
    guard let day = NMEAFields.integer(fields.0[...]), let month = NMEAFields.integer(fields.1[...]),
      let year = NMEAFields.integer(fields.2[...])
    else { return nil }
    return CivilDay(validYear: year, month: month, day: day)
  }

  /// The next two fields as an angle: degrees and minutes, `[d]ddmm.mmm`, and the letter `positive` or
  /// `negative`. `nil` for anything else.
  mutating func angle(positive: UInt8, negative: UInt8) -> Double? {
    let field = next()
    let hemisphere = letter()
    guard hemisphere == positive || hemisphere == negative else { return nil }
    let whole = field.firstIndex(of: ASCII.point) ?? field.count
    guard whole >= 3, let degrees = NMEAFields.integer(field[..<(whole - 2)]),
      ASCII.isDigit(field[whole - 2]),
      let minutes = DecimalNumber.parse(UnsafeBufferPointer(rebasing: field[(whole - 2)...]).span),
      minutes < 60
    else { return nil }
    let angle = Double(degrees) + minutes / 60
    return hemisphere == positive ? angle : -angle
  }

  /// One to four digits as a number.
  @inline(__always)
  private static func integer(_ digits: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
    guard !digits.isEmpty, digits.count <= 4 else { return nil }
    var value = 0
    for byte in digits {
      guard ASCII.isDigit(byte) else { return nil }
      value = value * 10 + Int(byte - 0x30)
    }
    return value
  }
}

/// The time of day in a sentence.
enum NMEATime: Equatable {
  /// Microseconds since midnight UTC.
  case microseconds(Int64)
  /// There is no time: the receiver does not know it yet.
  case missing
  /// Invalid.
  case wrong
}
