internal import FencepostGeodesy
internal import FencepostSpatiotemporal
import FencepostXML

/// Garmin's Training Center XML: the track points of activities. (TrainingCenterDatabase, version 2)
///
/// The points of a course describe a plan, with made-up times: they are counted, but are not fixes. A
/// receiver without a signal writes points without a position.
final class TCXHandler: XMLTraceHandler {
  /// A value of a track point.
  private enum Field {
    case none, time, latitude, longitude, altitude, speed
  }

  private let activities, course, track, trackPoint: XMLSymbol
  private let fields: [(name: XMLSymbol, field: Field)]
  private var isInCourse = false
  private var coursePoints = 0
  private var isInPoint = false
  private var startsSegment = true
  private var field = Field.none
  private var point = TCXPoint()

  init(_ parser: XMLPushParser) {
    activities = parser.name("Activities")
    course = parser.name("Course")
    track = parser.name("Track")
    trackPoint = parser.name("Trackpoint")
    fields = [
      (parser.name("Time"), .time), (parser.name("LatitudeDegrees"), .latitude),
      (parser.name("LongitudeDegrees"), .longitude), (parser.name("AltitudeMeters"), .altitude),
      (parser.name("Speed"), .speed),
    ]
  }

  override func requireTrace(_ sink: FixSink) throws(FeedError) {
    if points == 0 && sink.interruption == nil {
      throw sink.error(.noTrack(coursePoints: coursePoints))
    }
  }

  override func startElement(
    _ name: XMLSymbol, in namespace: XMLSymbol, _ attributes: XMLAttributes, _ parser: XMLPushParser
  ) {
    if isInPoint {
      guard let found = fields.first(where: { $0.name == name }) else { return }
      field = found.field
      beginText()
    } else if name == trackPoint {
      isInPoint = !isInCourse
      if isInCourse { coursePoints += 1 }
      point = TCXPoint()
    } else if name == track {
      startsSegment = true
    } else if name == course {
      isInCourse = true
    } else if name == activities {
      isInCourse = false
    }
  }

  override func endElement(_ name: XMLSymbol, _ parser: XMLPushParser) {
    if name == course { isInCourse = false }
    guard isInPoint else { return }
    if name == trackPoint {
      isInPoint = false
      isReadingText = false
      endPoint(line: parser.line)
    } else if isReadingText {
      endField()
      isReadingText = false
    }
  }

  private func endField() {
    switch field {
    case .none: break
    case .time:
      point.hasTime = !text.isEmpty
      point.time = Instant.RFC3339(utf8: text.span)?.instant
    case .latitude: point.latitude = number
    case .longitude: point.longitude = number
    case .altitude: point.altitude = number
    case .speed: point.speed = number
    }
  }

  private func endPoint(line: Int) {
    points += 1
    guard let latitude = point.latitude, let longitude = point.longitude else {
      return leaveOut(.badCoordinate, line: line)
    }
    let coordinate = Coordinate(latitude: latitude, longitude: longitude)
    guard coordinate.isValid else { return leaveOut(.badCoordinate, line: line) }
    guard let time = point.time else { return leaveOut(point.hasTime ? .badTime : .noTime, line: line) }
    fixes.append(
      Fix(
        device: device, time: time, coordinate: coordinate, altitude: point.altitude,
        speed: Measurement.speed(point.speed), startsSegment: startsSegment))
    startsSegment = false
  }
}

/// The values of a track point so far.
private struct TCXPoint {
  var time: Instant?
  var hasTime = false
  var latitude: Double?
  var longitude: Double?
  var altitude: Double?
  var speed: Double?
}
