import FencepostAlgorithms
import FencepostJSON
internal import FencepostSpatiotemporal

/// GeoJSON (RFC 7946) with times in its features, and Overland's messages, which are lists of such features.
///
/// A point's time and other values are in its properties, with the names of CSV columns (``TraceField``). A
/// line has a time for each of its positions in `coordTimes`, as toGeoJSON writes them, in `times`, or in
/// `coordinateProperties.times`. Overland's visit (`action` is `visit`) is a fix at its begin and one at its
/// end, or at the time of its report if it goes on. Other shapes are not fixes. A feature without a position
/// is rejected.
enum GeoJSON {
  /// A decoder of features.
  static func makeDecoder() -> JSONDocumentDecoder {
    JSONDocumentDecoder(lists: ["features", "locations"]) { scanner, _, write in
      feature(&scanner, write)
    }
  }

  /// Reads a feature. Geometry and properties come in either order, so this finds both before it reads them.
  private static func feature(_ scanner: inout JSONScanner, _ write: (JSONReport) -> Void) {
    guard scanner.enterObject() else { return }
    var geometry: JSONScanner?
    var properties = Properties()
    while let key = scanner.nextKey() {
      if key == "geometry" {
        geometry = scanner
        scanner.skipValue()
      } else if key == "properties" {
        properties.read(&scanner)
      } else {
        properties.read(key, &scanner)
      }
    }
    guard !scanner.isBroken else { return }
    guard var geometry, geometry.beginObject() else { return write(JSONReport()) }
    var type: JSONText?
    var coordinates: JSONScanner?
    while let key = geometry.nextKey() {
      if key == "type" {
        type = geometry.string()
      } else if key == "coordinates" {
        coordinates = geometry
        geometry.skipValue()
      } else {
        geometry.skipValue()
      }
    }
    guard let type, var coordinates else { return write(JSONReport()) }
    if type == "Point" {
      var report = properties.report
      report.accuracy = properties.accuracy
      position(&coordinates, &report)
      guard properties.isVisit, properties.arrival != nil || properties.departure != nil else {
        return write(report)
      }
      let end = (
        properties.departure ?? report.time,
        properties.departure == nil ? PhoneVerdict.Kind.visit : .departure
      )
      for (time, kind) in [(properties.arrival, .visit), end] {
        guard let time else { continue }
        report.hasTime = true
        report.time = time
        report.verdict = PhoneVerdict(kind)
        write(report)
      }
    } else if type == "LineString" {
      line(&coordinates, properties, times: properties.times, write)
    } else if type == "MultiLineString", coordinates.enterArray() {
      var times = properties.times
      let hasTimes = times?.enterArray() ?? false
      while coordinates.nextElement() {
        guard hasTimes, times?.nextElement() ?? false else {
          line(&coordinates, properties, times: nil, write)
          continue
        }
        line(&coordinates, properties, times: times, write)
        times?.skipValue()
      }
    }
  }

  /// Reads the positions of a line, each with its time.
  private static func line(
    _ coordinates: inout JSONScanner, _ properties: Properties, times: JSONScanner?,
    _ write: (JSONReport) -> Void
  ) {
    var times = times
    var hasTimes = times?.enterArray() ?? false
    var isFirst = true
    guard coordinates.enterArray() else { return }
    while coordinates.nextElement() {
      var report = JSONReport()
      report.device = properties.report.device
      position(&coordinates, &report)
      hasTimes = hasTimes && (times?.nextElement() ?? false)
      if hasTimes, let time = times?.scalar() {
        report.hasTime = true
        report.time = time.moment()
      }
      report.startsSegment = isFirst
      isFirst = false
      write(report)
    }
  }

  /// Reads `[longitude, latitude, altitude]`.
  private static func position(_ scanner: inout JSONScanner, _ report: inout JSONReport) {
    guard scanner.enterArray() else { return }
    var index = 0
    while scanner.nextElement() {
      switch index {
      case 0: report.longitude = scanner.number()
      case 1: report.latitude = scanner.number()
      case 2: report.altitude = scanner.number() ?? report.altitude
      default: scanner.skipValue()
      }
      index += 1
    }
  }

  /// The values in the properties of a feature.
  private struct Properties {
    var report = JSONReport()
    /// The times of a line's positions.
    var times: JSONScanner?
    /// Whether it is a visit, and its begin and end; `nil` if unknown or not over.
    var isVisit = false
    var arrival: Instant?
    var departure: Instant?
    private var timeRank = Int.max
    private var accuracyRank = Int.max
    private var dilution: Double?

    /// Metres, from the dilution of precision if nothing better is known.
    var accuracy: Double? {
      Measurement.accuracy(report.accuracy) ?? Measurement.accuracy(dilution: dilution)
    }

    mutating func read(_ scanner: inout JSONScanner) {
      guard scanner.enterObject() else { return }
      while let key = scanner.nextKey() { read(key, &scanner) }
    }

    mutating func read(_ key: JSONText, _ scanner: inout JSONScanner) {
      if key == "coordTimes" || key == "times" {
        times = scanner
        scanner.skipValue()
      } else if key == "coordinateProperties" {
        readTimes(&scanner)
      } else if key == "action" {
        isVisit = scanner.string().map { $0 == "visit" } ?? false
      } else if key == "battery_level" {
        // Overland: a part of 1.
        report.battery = scanner.number().map { $0 * 100 }
      } else if key == "arrival_date" {
        arrival = Properties.end(&scanner)
      } else if key == "departure_date" {
        departure = Properties.end(&scanner)
      } else if let (column, rank) = key.withBytes(TraceField.named) {
        read(column, rank, &scanner)
      } else {
        scanner.skipValue()
      }
    }

    /// Reads the begin or end of a visit. Core Location writes the years 1 and 4001 if it does not know it.
    private static func end(_ scanner: inout JSONScanner) -> Instant? {
      guard let time = scanner.string()?.moment(), time >= .epoch, time < unknownEnd else { return nil }
      return time
    }

    /// `Date.distantFuture`, the begin of the year 4001.
    private static let unknownEnd = Instant(microseconds: 64_092_211_200_000_000)

    /// Finds the times of a line in its `coordinateProperties`, at any depth of other values.
    private mutating func readTimes(_ scanner: inout JSONScanner) {
      guard scanner.enterObject() else { return }
      while let key = scanner.nextKey() {
        if key == "coordTimes" || key == "times" { times = scanner }
        scanner.skipValue()
      }
    }

    private mutating func read(_ column: TraceField, _ rank: Int, _ scanner: inout JSONScanner) {
      switch column.role {
      case .time:
        guard let text = scanner.scalar(), rank < timeRank else { return }
        timeRank = rank
        report.hasTime = true
        report.time = text.moment(scale: column.scale)
      case .date:
        // A date alone is not a time, and a number may be a day. A property with the name of a date may hold
        // a moment.
        guard let text = scanner.scalar(), rank < timeRank,
          text.withBytes({ DecimalNumber.parse($0.span) }) == nil,
          let time = text.moment()
        else { return }
        timeRank = rank
        report.hasTime = true
        report.time = time
      case .accuracy:
        guard let metres = scanner.number(), rank < accuracyRank else { return }
        accuracyRank = rank
        report.accuracy = metres
      case .dilution: dilution = scanner.number()
      case .speed: report.speed = scanner.number().map { $0 * column.scale } ?? report.speed
      case .course: report.course = scanner.number() ?? report.course
      case .altitude: report.altitude = scanner.number().map { $0 * column.scale } ?? report.altitude
      case .motion: report.isStill = scanner.readIsStill()
      case .device: report.device = scanner.scalar() ?? report.device
      default: scanner.skipValue()
      }
    }
  }
}
