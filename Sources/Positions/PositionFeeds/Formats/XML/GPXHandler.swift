import FencepostAlgorithms
internal import FencepostGeodesy
internal import FencepostSpatiotemporal
import FencepostXML

/// GPX 1.0 and 1.1: the points of its tracks. Waypoints and route points describe a plan: they are counted,
/// but are not fixes. (https://www.topografix.com/GPX/1/1/)
///
/// In a track point, the standard's own children count. Anywhere in its extensions, these count: `speed`,
/// `course`, `bearing`, `hdop` and names for an accuracy in metres (Garmin's TrackPointExtension, OsmAnd,
/// GPSLogger, OpenTracks).
///
/// Track names are device names only in files of `fencepost history --gpx`, because people name their own
/// tracks.
final class GPXHandler: XMLTraceHandler {
  /// A value of a track point.
  private enum Field {
    case none, elevation, time, speed, course, dilution, accuracy, fix
  }

  /// Whether there is a track, even an empty one.
  private var hasTrack = false
  private var waypoints = 0
  private var routePoints = 0

  private let names: GPXNames
  /// Some recorders (OsmAnd, Locus Map) write metres where the standard wants the dilution.
  private var dilutionIsMetres = false
  private var startsSegment = true
  private var tracksAreDevices = false
  /// Whether the next name is the track's.
  private var awaitsTrackName = false

  // The current point.
  private var isInPoint = false
  /// The number of open elements within it.
  private var depth = 0
  private var point = GPXPoint()

  // The current value.
  private var field = Field.none
  private var fieldDepth = 0

  init(_ parser: XMLPushParser) { names = GPXNames(parser) }

  override func requireTrace(_ sink: FixSink) throws(FeedError) {
    if !hasTrack && points == 0 && sink.interruption == nil {
      throw sink.error(.noTrack(waypoints: waypoints, routePoints: routePoints))
    }
  }

  // MARK: Events

  override func startElement(
    _ name: XMLSymbol, in namespace: XMLSymbol, _ attributes: XMLAttributes, _ parser: XMLPushParser
  ) {
    if isInPoint {
      depth += 1
      guard field == .none else { return }
      field = self.field(called: name)
      if field != .none {
        fieldDepth = depth
        beginText()
      }
    } else if name == names.trackPoint {
      beginPoint(attributes)
    } else if name == names.trackSegment || name == names.track {
      hasTrack = true
      startsSegment = true
      awaitsTrackName = tracksAreDevices && name == names.track
      if awaitsTrackName { setDevice(nil) }
    } else if awaitsTrackName && name == names.trackName {
      beginText()
    } else if name == names.waypoint {
      waypoints += 1
    } else if name == names.routePoint {
      routePoints += 1
    } else if name == names.root {
      readCreator(attributes)
    }
  }

  override func endElement(_ name: XMLSymbol, _ parser: XMLPushParser) {
    guard isInPoint else {
      if awaitsTrackName && name == names.trackName {
        setDevice(text)
        isReadingText = false
        awaitsTrackName = false
      }
      return
    }
    if depth == 0 {
      isInPoint = false
      endPoint(parser)
      return
    }
    if field != .none && depth == fieldDepth {
      endField()
      field = .none
      isReadingText = false
    }
    depth -= 1
  }

  // MARK: Values

  private func field(called name: XMLSymbol) -> Field {
    if depth == 1 {
      if name == names.time { return .time }
      if name == names.elevation { return .elevation }
      if name == names.fix { return .fix }
    }
    if name == names.speed { return .speed }
    if name == names.course || name == names.bearing { return .course }
    if name == names.dilution { return .dilution }
    return names.accuracies.contains(name) ? .accuracy : .none
  }

  private func endField() {
    let value = text.span
    switch field {
    case .none: break
    case .time:
      point.hasTime = !value.isEmpty
      point.time = Instant.RFC3339(utf8: value)?.instant
    case .elevation: point.altitude = DecimalNumber.parse(value)
    case .speed: point.speed = DecimalNumber.parse(value)
    case .course: point.course = DecimalNumber.parse(value)
    case .dilution: point.dilution = DecimalNumber.parse(value)
    case .accuracy: point.accuracy = DecimalNumber.parse(value)
    case .fix: point.hasNoFix = value.count == 4 && value[0] == 0x6E && value[1] == 0x6F  // none
    }
  }

  private func readCreator(_ attributes: XMLAttributes) {
    for index in 0..<attributes.count where attributes.name(at: index) == names.creator {
      let creator = String(decoding: attributes.value(at: index), as: UTF8.self).lowercased()
      tracksAreDevices = creator == "fencepost"
      dilutionIsMetres = creator.hasPrefix("osmand") || creator.hasPrefix("locus")
    }
  }

  // MARK: Points

  private func beginPoint(_ attributes: XMLAttributes) {
    isInPoint = true
    depth = 0
    field = .none
    isReadingText = false
    point = GPXPoint()
    for index in 0..<attributes.count {
      let name = attributes.name(at: index)
      if name == names.latitude {
        point.latitude = DecimalNumber.parse(attributes.value(at: index).span)
      } else if name == names.longitude {
        point.longitude = DecimalNumber.parse(attributes.value(at: index).span)
      }
    }
  }

  private func endPoint(_ parser: XMLPushParser) {
    points += 1
    if point.hasNoFix { return leaveOut(.noFix, line: parser.line) }
    guard let latitude = point.latitude, let longitude = point.longitude else {
      return leaveOut(.badCoordinate, line: parser.line)
    }
    let coordinate = Coordinate(latitude: latitude, longitude: longitude)
    guard coordinate.isValid else { return leaveOut(.badCoordinate, line: parser.line) }
    guard let time = point.time else {
      return leaveOut(point.hasTime ? .badTime : .noTime, line: parser.line)
    }
    let fromDilution =
      dilutionIsMetres ? Measurement.accuracy(point.dilution) : Measurement.accuracy(dilution: point.dilution)
    fixes.append(
      Fix(
        device: device, time: time, coordinate: coordinate,
        horizontalAccuracy: Measurement.accuracy(point.accuracy) ?? fromDilution, altitude: point.altitude,
        speed: Measurement.speed(point.speed), course: Measurement.course(point.course),
        startsSegment: startsSegment))
    startsSegment = false
  }
}

/// The values of a track point so far.
private struct GPXPoint {
  var latitude: Double?
  var longitude: Double?
  var time: Instant?
  var hasTime = false
  var hasNoFix = false
  var altitude: Double?
  var speed: Double?
  var course: Double?
  var dilution: Double?
  var accuracy: Double?
}

/// The parser's copies of the names that matter.
struct GPXNames {
  let root, creator, track, trackName, trackSegment, trackPoint, waypoint, routePoint: XMLSymbol
  let latitude, longitude, time, elevation, fix, speed, course, bearing, dilution: XMLSymbol
  let accuracies: [XMLSymbol]

  init(_ parser: XMLPushParser) {
    root = parser.name("gpx")
    creator = parser.name("creator")
    track = parser.name("trk")
    trackName = parser.name("name")
    trackSegment = parser.name("trkseg")
    trackPoint = parser.name("trkpt")
    waypoint = parser.name("wpt")
    routePoint = parser.name("rtept")
    latitude = parser.name("lat")
    longitude = parser.name("lon")
    time = parser.name("time")
    elevation = parser.name("ele")
    fix = parser.name("fix")
    speed = parser.name("speed")
    course = parser.name("course")
    bearing = parser.name("bearing")
    dilution = parser.name("hdop")
    accuracies = [
      parser.name("accuracy"), parser.name("accuracy_horizontal"), parser.name("horizontalAccuracy"),
      parser.name("horaccur"), parser.name("hAcc"),
    ]
  }
}
