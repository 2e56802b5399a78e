import FencepostAlgorithms
internal import FencepostGeodesy
internal import FencepostSpatiotemporal

/// The values of one row of a CSV trace.
struct CSVRow {
  private var latitude: Double?
  private var longitude: Double?
  private var northSouth: Double?
  private var eastWest: Double?
  private var moment: Instant?
  private var day: CivilDay?
  private var timeOfDay: Int64?
  private var hasTime = false
  private var hasBadTime = false
  private var momentHasZone = false
  private var timeOfDayHasZone = false
  private var zone = TraceField.Zone.unknown
  private var accuracy: Double?
  private var dilution: Double?
  private var speed: Double?
  private var course: Double?
  private var altitude: Double?
  private var isStill = false
  private var hasRowType = false
  /// Whether it starts a segment.
  private(set) var startsSegment = false

  /// Whether the row is not about a position, such as a segment's start or the value of a sensor.
  var isOther: Bool { hasRowType && latitude == nil && longitude == nil }

  /// Takes the value of `column`. The decoder takes the device.
  mutating func read(_ field: Span<UInt8>, _ column: TraceField, decimalComma: Bool) {
    func number() -> Double? {
      DecimalNumber.parse(field, decimalComma: decimalComma).map { $0 * column.scale }
    }
    switch column.role {
    case .latitude: latitude = TraceAngle.degrees(field, scale: column.scale, decimalComma: decimalComma)
    case .longitude: longitude = TraceAngle.degrees(field, scale: column.scale, decimalComma: decimalComma)
    case .latitudeHemisphere: northSouth = field.isEmpty ? nil : TraceAngle.hemisphere(field[0])
    case .longitudeHemisphere: eastWest = field.isEmpty ? nil : TraceAngle.hemisphere(field[0])
    case .time:
      record(column.zone)
      readTime(field, scale: column.scale, decimalComma: decimalComma)
    case .date:
      record(column.zone)
      readDate(field, scale: column.scale, decimalComma: decimalComma)
    case .accuracy: accuracy = number()
    case .dilution: dilution = number()
    case .speed: speed = number()
    case .course: course = number()
    case .altitude: altitude = number()
    case .motion: isStill = Measurement.isStill(field)
    case .rowType:
      hasRowType = !field.isEmpty
      startsSegment = CSVRow.startsSegment(field)
    case .device, .identifier: break
    }
  }

  private mutating func readTime(_ field: Span<UInt8>, scale: Double, decimalComma: Bool) {
    if field.isEmpty { return }
    hasTime = true
    // A time of day is shorter than a date with a time. Six digits are a time of day if there is a date
    // column.
    timeOfDay = field.count <= 15 ? TraceTime.timeOfDay(field) : nil
    timeOfDayHasZone = timeOfDay != nil && TraceTime.endsInZone(field)
    if let read = TraceTime.reading(field, scale: scale, decimalComma: decimalComma) {
      (moment, momentHasZone) = read
    }
    if timeOfDay == nil && moment == nil { hasBadTime = true }
  }

  /// `SEGMENT_START_MANUAL` and `SEGMENT_START_AUTOMATIC` of OpenTracks.
  private static func startsSegment(_ rowType: Span<UInt8>) -> Bool {
    let start: StaticString = "SEGMENT_START"
    let count = start.utf8CodeUnitCount
    return rowType.count >= count && (0..<count).allSatisfy { rowType[$0] == start.utf8Start[$0] }
  }

  private mutating func readDate(_ field: Span<UInt8>, scale: Double, decimalComma: Bool) {
    if field.isEmpty { return }
    hasTime = true
    day = scale == 0 ? TraceTime.shortDate(field) : TraceTime.date(field)
    if day == nil && scale == 0 {
      hasBadTime = true
    } else if day == nil {
      if moment == nil, let read = TraceTime.reading(field, scale: 0, decimalComma: decimalComma) {
        (moment, momentHasZone) = read
      }
      if moment == nil { hasBadTime = true }
    }
  }

  private mutating func record(_ zone: TraceField.Zone) {
    if zone != .unknown { self.zone = zone }
  }

  /// The zone of its time, if the header names one; `nil` if the time itself has a zone.
  var zoneOfTime: TraceField.Zone? {
    let hasZone = day != nil && timeOfDay != nil ? timeOfDayHasZone : momentHasZone
    return hasZone ? nil : zone
  }

  /// The fix of this row, or why there is none. A time without a zone counts as UTC.
  func fix(device: DeviceNumber) -> Result<Fix, Rejected> {
    guard let latitude = CSVRow.angle(latitude, hemisphere: northSouth),
      let longitude = CSVRow.angle(longitude, hemisphere: eastWest)
    else { return .failure(Rejected(reason: .badCoordinate)) }
    let coordinate = Coordinate(latitude: latitude, longitude: longitude)
    guard coordinate.isValid else { return .failure(Rejected(reason: .badCoordinate)) }
    let time: Instant
    if let day, let timeOfDay {
      time = TraceTime.moment(day, timeOfDay)
    } else if let moment, !hasBadTime {
      time = moment
    } else {
      return .failure(Rejected(reason: hasTime ? .badTime : .noTime))
    }
    return .success(
      Fix(
        device: device, time: time, coordinate: coordinate,
        horizontalAccuracy: Measurement.accuracy(accuracy) ?? Measurement.accuracy(dilution: dilution),
        altitude: altitude, speed: Measurement.speed(speed), course: Measurement.course(course),
        isStill: isStill))
  }

  /// Degrees, on the side that the hemisphere column names. The same sign counts once; an opposite sign makes
  /// the value unknown.
  private static func angle(_ degrees: Double?, hemisphere: Double?) -> Double? {
    guard let degrees, let hemisphere else { return degrees }
    return degrees < 0 && hemisphere > 0 ? nil : abs(degrees) * hemisphere
  }

  /// Why a row is not a fix.
  struct Rejected: Error {
    let reason: RejectionReason
  }
}
