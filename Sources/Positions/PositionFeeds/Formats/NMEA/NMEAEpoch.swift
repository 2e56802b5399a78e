internal import FencepostGeodesy
internal import FencepostSpatiotemporal

/// Combines the sentences of one moment.
struct NMEAEpoch {
  /// The line of the first of them.
  var line = 0
  /// Microseconds since midnight UTC; `nil` before a sentence with the time.
  var timeOfDay: Int64?
  /// The day, if RMC or ZDA had it.
  var day: CivilDay?
  private var seen: UInt8 = 0
  private var isVoid = false
  private var positions = Positions()
  private var hasBadPosition = false
  private var altitude: Double?
  private var dilution: Double?
  private var deviation: Double?
  private var speed: Double?
  private var course: Double?

  /// The positions by kind of sentence. GGA comes first, because it has the quality.
  private struct Positions {
    var gga: Coordinate?
    var rmc: Coordinate?
    var gll: Coordinate?
    var best: Coordinate? { gga ?? rmc ?? gll }
  }

  /// The result of an epoch.
  enum Outcome {
    /// It has no sentence about a position.
    case nothing
    /// There is no fix, for this reason.
    case rejected(RejectionReason)
    /// A fix; its time has no day yet.
    case fix(Fix)
  }

  /// Whether it has a sentence of `kind`.
  func has(_ kind: NMEASentence.Kind) -> Bool { seen & 1 << kind.rawValue != 0 }

  /// Whether it has a sentence about a position, even one that reports no position.
  var speaksOfPosition: Bool { has(.rmc) || has(.gga) || has(.gll) }

  // MARK: Sentences

  /// Adds the fields after the time.
  mutating func read(_ kind: NMEASentence.Kind, _ fields: NMEAFields) {
    seen |= 1 << kind.rawValue
    var fields = fields
    switch kind {
    case .rmc: readRMC(&fields)
    case .gga: readGGA(&fields)
    case .gll: readGLL(&fields)
    case .gst: readGST(&fields)
    case .gsa: readGSA(&fields)
    case .vtg: readVTG(&fields)
    case .zda: day = fields.dateInThree() ?? day
    }
  }

  /// Status, position, speed in knots, course, date, variation, mode.
  private mutating func readRMC(_ fields: inout NMEAFields) {
    let isValid = fields.letter() == 0x41
    let position = coordinate(&fields)
    let knots = fields.number()
    let course = fields.number()
    let day = fields.date()
    fields.skip(2)
    guard isValid, fields.letter() != 0x4E else {
      // Ignore the date: without a fix it comes from the receiver's own clock, which may not be set.
      isVoid = true
      return
    }
    positions.rmc = position
    if position == nil { hasBadPosition = true }
    speed = knots.map { $0 * Measurement.knot } ?? speed
    self.course = course ?? self.course
    self.day = day ?? self.day
  }

  /// Position, quality, satellites, dilution, altitude.
  private mutating func readGGA(_ fields: inout NMEAFields) {
    let position = coordinate(&fields)
    let quality = fields.letter()
    fields.skip(1)
    let dilution = fields.number()
    let altitude = fields.number()
    guard quality != 0x30, quality != 0 else { return }
    positions.gga = position
    if position == nil { hasBadPosition = true }
    self.dilution = dilution ?? self.dilution
    self.altitude = altitude ?? self.altitude
  }

  /// Position, status and mode. The time is between them; the caller has already read it.
  private mutating func readGLL(_ fields: inout NMEAFields) {
    let position = coordinate(&fields)
    fields.skip(1)
    guard fields.letter() == 0x41, fields.letter() != 0x4E else { return }
    positions.gll = position
    if position == nil { hasBadPosition = true }
  }

  /// Residual, error ellipse (two axes and its direction), deviations of latitude and longitude in metres.
  private mutating func readGST(_ fields: inout NMEAFields) {
    fields.skip(4)
    guard let latitude = fields.number(), let longitude = fields.number() else { return }
    deviation = (latitude * latitude + longitude * longitude).squareRoot()
  }

  /// Mode, kind of fix, twelve satellites, dilutions of position and horizontal.
  private mutating func readGSA(_ fields: inout NMEAFields) {
    fields.skip(15)
    dilution = dilution ?? fields.number()
  }

  /// Course from true north, `T`, course from magnetic north, `M`, knots, `N`.
  private mutating func readVTG(_ fields: inout NMEAFields) {
    let course = fields.number()
    fields.skip(3)
    let knots = fields.number()
    self.course = self.course ?? course
    speed = speed ?? knots.map { $0 * Measurement.knot }
  }

  private func coordinate(_ fields: inout NMEAFields) -> Coordinate? {
    let latitude = fields.angle(positive: 0x4E, negative: 0x53)
    let longitude = fields.angle(positive: 0x45, negative: 0x57)
    guard let latitude, let longitude else { return nil }
    let coordinate = Coordinate(latitude: latitude, longitude: longitude)
    return coordinate.isValid ? coordinate : nil
  }

  // MARK: The whole

  /// The result after all sentences of the epoch. The time of a fix counts from the epoch's midnight.
  func outcome(device: DeviceNumber) -> Outcome {
    guard speaksOfPosition else { return .nothing }
    if isVoid { return .rejected(.noFix) }
    guard let coordinate = positions.best else { return .rejected(hasBadPosition ? .badCoordinate : .noFix) }
    guard let timeOfDay else { return .rejected(.noTime) }
    return .fix(
      Fix(
        device: device, time: Instant(microseconds: timeOfDay), coordinate: coordinate,
        horizontalAccuracy: Measurement.accuracy(deviation) ?? Measurement.accuracy(dilution: dilution),
        altitude: altitude, speed: Measurement.speed(speed), course: Measurement.course(course)))
  }
}
