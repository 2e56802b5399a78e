import FencepostAlgorithms
internal import FencepostGeodesy
internal import FencepostSpatiotemporal
import FencepostXML

/// KML: the moments of `gx:Track`, and points with a time.
/// (https://developers.google.com/kml/documentation/kmlreference)
///
/// In a `gx:Track`, the first `when` belongs to the first `gx:coord`, and so on, in any order of both. Values
/// without a partner at the end of the track are rejected. The points of a placemark, also those of its
/// lines, are fixes at its `TimeStamp`. With a `TimeSpan`, as Google's timeline wrote visits and journeys,
/// the first point is a fix at its begin and the last at its end; the times of the points between are
/// unknown. Lines without either have no times.
///
/// Arrays of accuracy and speed come after the moments of their track. If a schema declares them, the fixes
/// of a track wait for them (``KMLArrays``).
final class KMLHandler: XMLTraceHandler {
  /// The maximum number of moments or places that wait for a partner.
  static let maximumWaiting = 1_000_000
  /// The maximum number of a placemark's points that wait for its times, which may come after them.
  static let maximumSpots = 100_000

  private enum Field {
    case when, begin, end, trackCoordinate, coordinates, lineCoordinates, value
  }

  private let placemark, track, point, lineString, lookAt, camera, arrayField, array, arrayName: XMLSymbol
  private let fields: [(name: XMLSymbol, field: Field)]
  private var startsSegment = true
  private var isInTrack = false
  private var isInPoint = false
  private var isInLine = false
  /// Within a `LookAt` or `Camera`, which has its own time.
  private var isInView = false
  private var field: Field?

  // The moments and places of a track; at least one of both is empty.
  private var moments = Waiting<Moment>()
  private var places = Waiting<Place>()

  private var arrays = KMLArrays()

  // The times and points of a placemark.
  private var times: [Moment] = []
  private var spots: [Place] = []
  /// The line numbers of its points and paths.
  private var shapes: [Int] = []
  private var line = 0

  init(_ parser: XMLPushParser) {
    placemark = parser.name("Placemark")
    track = parser.name("Track")
    point = parser.name("Point")
    lineString = parser.name("LineString")
    lookAt = parser.name("LookAt")
    camera = parser.name("Camera")
    arrayField = parser.name("SimpleArrayField")
    array = parser.name("SimpleArrayData")
    arrayName = parser.name("name")
    fields = [
      (parser.name("when"), .when), (parser.name("coord"), .trackCoordinate),
      (parser.name("coordinates"), .coordinates), (parser.name("begin"), .begin), (parser.name("end"), .end),
      (parser.name("value"), .value),
    ]
  }

  // MARK: Events

  override func startElement(
    _ name: XMLSymbol, in namespace: XMLSymbol, _ attributes: XMLAttributes, _ parser: XMLPushParser
  ) {
    if let found = fields.first(where: { $0.name == name }) {
      line = parser.line
      if found.field == .coordinates, isInLine {
        field = .lineCoordinates
        beginWords()
      } else {
        field = found.field
        beginText()
      }
    } else if name == track {
      isInTrack = true
      startsSegment = true
      arrays.beginTrack()
    } else if name == array || name == arrayField {
      arrays.begin(arrayCalled: self.name(in: attributes), isDeclaration: name == arrayField)
    } else if name == point {
      isInPoint = true
    } else if name == lineString {
      isInLine = true
    } else if name == lookAt || name == camera {
      isInView = true
    } else if name == placemark {
      times.removeAll(keepingCapacity: true)
      spots.removeAll(keepingCapacity: true)
      shapes.removeAll(keepingCapacity: true)
    }
  }

  override func endElement(_ name: XMLSymbol, _ parser: XMLPushParser) {
    if let field {
      self.field = nil
      if field == .lineCoordinates { endWords() }
      isReadingText = false
      endField(field, line: parser.line)
    } else if name == track {
      endTrack()
    } else if name == point {
      isInPoint = false
    } else if name == lineString {
      isInLine = false
    } else if name == lookAt || name == camera {
      isInView = false
    } else if name == array {
      arrays.endArray()
    } else if name == placemark {
      endPlacemark(line: parser.line)
    }
  }

  override func conclude() { fixes += arrays.endTrack() }

  /// The value of the attribute `name`.
  private func name(in attributes: XMLAttributes) -> String {
    for index in 0..<attributes.count where attributes.name(at: index) == arrayName {
      return String(decoding: attributes.value(at: index), as: UTF8.self)
    }
    return ""
  }

  private func endField(_ field: Field, line: Int) {
    switch field {
    case .when where isInTrack: pair(Moment(text, line: line))
    case .trackCoordinate where isInTrack: pair(Place(text, separator: ASCII.space, line: line))
    case .when, .begin, .end: if !isInView && times.count < 2 { times.append(Moment(text, line: line)) }
    case .coordinates where isInPoint:
      addSpot(line)
      shapes.append(line)
    case .lineCoordinates: shapes.append(line)
    case .value: arrays.append(number)
    case .trackCoordinate, .coordinates: break
    }
  }

  // MARK: Tracks

  private func pair(_ moment: Moment) {
    if let place = places.popFirst() {
      emitMoment(moment, place)
    } else if !moments.append(moment) {
      reject(.malformed, line: moment.line)
    }
  }

  private func pair(_ place: Place) {
    if let moment = moments.popFirst() {
      emitMoment(moment, place)
    } else if !places.append(place) {
      reject(.malformed, line: place.line)
    }
  }

  /// Emits the fix of a track's moment.
  private func emitMoment(_ moment: Moment, _ place: Place) {
    guard let fix = fix(moment, place) else { return arrays.skipMoment() }
    arrays.append(fix, into: &fixes)
  }

  private func endTrack() {
    fixes += arrays.endTrack()
    while let moment = moments.popFirst() { reject(.badCoordinate, line: moment.line) }
    while let place = places.popFirst() { reject(.noTime, line: place.line) }
    isInTrack = false
    startsSegment = true
  }

  // MARK: Placemarks

  override func handleWord() { addSpot(line) }

  /// Adds the place in the text.
  private func addSpot(_ line: Int) {
    guard spots.count < KMLHandler.maximumSpots else { return reject(.malformed, line: line) }
    spots.append(Place(text, separator: ASCII.comma, line: line))
  }

  private func endPlacemark(line: Int) {
    defer {
      spots.removeAll(keepingCapacity: true)
      shapes.removeAll(keepingCapacity: true)
    }
    guard let first = times.first, let last = times.last else {
      for line in shapes { reject(.noTime, line: line) }
      return
    }
    let isSpan = times.count == 2
    for spot in isSpan ? spots.prefix(1) : spots[...] { add(first, spot) }
    if isSpan, let spot = spots.last { add(last, spot) }
  }

  private func add(_ moment: Moment, _ spot: Place) {
    if let fix = fix(moment, spot) { fixes.append(fix) }
  }

  // MARK: Fixes

  private func reject(_ reason: RejectionReason, line: Int) {
    points += 1
    leaveOut(reason, line: line)
  }

  /// The fix of a moment and a place; if one of them is invalid, `nil` and a rejection.
  private func fix(_ moment: Moment, _ place: Place) -> Fix? {
    let coordinate = Coordinate(latitude: place.latitude, longitude: place.longitude)
    guard coordinate.isValid else {
      reject(.badCoordinate, line: place.line)
      return nil
    }
    guard let time = moment.time else {
      reject(moment.isEmpty ? .noTime : .badTime, line: moment.line)
      return nil
    }
    points += 1
    defer { startsSegment = false }
    return Fix(
      device: device, time: time, coordinate: coordinate,
      altitude: place.altitude.isFinite ? place.altitude : nil, startsSegment: startsSegment)
  }
}

/// A time in KML; `nil` if it cannot be read.
private struct Moment {
  var time: Instant?
  var isEmpty: Bool
  var line: Int

  init(_ text: UnsafeBufferPointer<UInt8>, line: Int) {
    time = Instant.RFC3339(utf8: text.span)?.instant
    isEmpty = text.isEmpty
    self.line = line
  }
}

/// A place in KML: longitude, latitude, altitude. NaN for a missing or invalid value.
private struct Place {
  var longitude = Double.nan
  var latitude = Double.nan
  var altitude = Double.nan
  var line: Int

  init(_ text: UnsafeBufferPointer<UInt8>, separator: UInt8, line: Int) {
    self.line = line
    var numbers: [Double] = []
    for part in text.split(separator: separator, maxSplits: 3) {
      let part = UnsafeBufferPointer(rebasing: part)
      numbers.append(DecimalNumber.parse(part.span.extracting(ASCII.trimmed(part.span))) ?? .nan)
    }
    guard numbers.count == 2 || numbers.count == 3 else { return }
    longitude = numbers[0]
    latitude = numbers[1]
    if numbers.count == 3 { altitude = numbers[2] }
  }
}

/// A bounded first-in, first-out queue.
private struct Waiting<Element> {
  private var elements: [Element] = []
  private var first = 0

  /// Appends `element`; returns false if the queue is full.
  mutating func append(_ element: Element) -> Bool {
    guard elements.count - first < KMLHandler.maximumWaiting else { return false }
    elements.append(element)
    return true
  }

  mutating func popFirst() -> Element? {
    guard first < elements.count else { return nil }
    let element = elements[first]
    first += 1
    if first * 2 > elements.count {
      elements.removeFirst(first)
      first = 0
    }
    return element
  }
}

/// The arrays that accompany the moments of a `gx:Track`: accuracy and speed, as OpenTracks and similar apps
/// write them (`gx:SimpleArrayData` in `ExtendedData`). The first value belongs to the first moment, and so
/// on.
///
/// The arrays come after the moments. So the fixes of a track wait here for its end, at most ``maximumHeld``
/// of them, and only if the document's schema declares such an array.
struct KMLArrays {
  /// The maximum number of fixes that wait. The arrays of a longer track are ignored.
  static let maximumHeld = 100_000

  private enum Measure {
    case accuracy, speed

    init?(name: String) {
      switch name.lowercased() {
      case "accuracy", "accuracy_horizontal", "horizontal_accuracy", "horizontalaccuracy": self = .accuracy
      case "speed": self = .speed
      default: return nil
      }
    }
  }

  /// Whether such an array is declared.
  private var isDeclared = false
  private var held: [(fix: Fix, moment: Int)] = []
  /// The number of moments in the track so far.
  private var moments = 0
  private var isTooLong = false
  private var current: Measure?
  private var accuracies: [Double?] = []
  private var speeds: [Double?] = []

  /// The number of array values kept.
  var heldValues: Int { max(accuracies.count, speeds.count) }

  /// Begins a track.
  mutating func beginTrack() {
    moments = 0
    isTooLong = false
    accuracies.removeAll()
    speeds.removeAll()
  }

  /// Skips a moment without a fix.
  mutating func skipMoment() { moments += 1 }

  /// Takes the fix of the next moment. The fix waits, or goes to `fixes` at once.
  mutating func append(_ fix: Fix, into fixes: inout [Fix]) {
    guard isDeclared, !isTooLong else {
      fixes.append(fix)
      return
    }
    held.append((fix, moments))
    moments += 1
    if held.count >= KMLArrays.maximumHeld {
      isTooLong = true
      fixes += endTrack()
    }
  }

  /// Begins or declares an array.
  mutating func begin(arrayCalled name: String, isDeclaration: Bool) {
    let measure = Measure(name: name)
    if isDeclaration {
      isDeclared = isDeclared || measure != nil
    } else {
      current = measure
    }
  }

  /// Adds the next value of an array; `nil` if it is not a number.
  mutating func append(_ value: Double?) {
    let most = min(moments, KMLArrays.maximumHeld)
    switch current {
    case .accuracy where accuracies.count < most: accuracies.append(value)
    case .speed where speeds.count < most: speeds.append(value)
    default: break
    }
  }

  /// Ends an array.
  mutating func endArray() { current = nil }

  /// Ends the track. Returns the fixes that waited, with the values of the arrays.
  mutating func endTrack() -> [Fix] {
    defer { held.removeAll() }
    return held.map { fix, moment in
      var fix = fix
      if moment < accuracies.count { fix.horizontalAccuracy = Measurement.accuracy(accuracies[moment]) }
      if moment < speeds.count { fix.speed = Measurement.speed(speeds[moment]) }
      return fix
    }
  }
}
