import FencepostAlgorithms
internal import FencepostGeodesy
import FencepostJSON
public import FencepostSpatiotemporal

/// Reads positions from whole messages, which a phone posts or a broker forwards.
///
/// Skips and counts invalid records, as in a trace. Uses the memory of one message. Unlike in a trace, no fix
/// starts a segment, because a message continues the one before.
public struct MessageReader: Sendable {
  private let devices: DeviceRegistry

  /// A reader that numbers devices with `devices`.
  public init(devices: DeviceRegistry) { self.devices = devices }

  /// Reads a message of OwnTracks, Overland or Traccar Client, or GeoJSON. The content shows which.
  ///
  /// - Parameters:
  ///   - json: The message.
  ///   - device: The device of the positions.
  /// - Returns: The positions; none for a message of another kind, such as OwnTracks' waypoints.
  public func read(
    _ json: some Collection<UInt8>, of device: MessageDevice
  ) throws(MessageError) -> PositionMessage {
    let bytes = Array(json)
    let detector = JSONFormatDetector(head: bytes)
    let kind: PositionMessage.Kind
    let format: TraceFormat
    switch detector.format {
    case .ownTracksArray:
      // Report this. Otherwise the user would lose positions without a notice.
      if detector.names.contains("data"), OwnTracks.isEncrypted(bytes) { throw .encrypted }
      (kind, format) = (.ownTracks, .ownTracksArray)
    case .overland: (kind, format) = (.overland, .overland)
    case .geoJSON: (kind, format) = (.overland, .geoJSON)
    case .traccar: (kind, format) = (.traccar, .traccar)
    case .traccarClient: (kind, format) = (.traccar, .traccarClient)
    default:
      // An empty batch from Overland looks like this.
      guard detector.names.contains("locations") else {
        throw MessageReader.isJSON(bytes) ? .unknownKind : .notJSON
      }
      (kind, format) = (.overland, .overland)
    }
    let sink = sink(for: device)
    var decoder = format.makeDecoder()
    do throws(FeedError) {
      try bytes.withUnsafeBufferPointer { bytes throws(FeedError) in
        try decoder.decode(bytes, into: sink)
      }
      try decoder.finish(into: sink)
    } catch {
      // A message without a position is valid.
      guard error.problem == .noPositions else { throw .notJSON }
    }
    let message = PositionMessage(kind, sink)
    // The sender must repeat a truncated batch. A broken record alone means that the whole message is broken.
    if message.rejections[.truncated] != nil { throw .notJSON }
    if message.fixes.isEmpty && message.rejections[.malformed] != nil { throw .notJSON }
    return message
  }

  /// The sink for the fixes of one message.
  func sink(for device: MessageDevice) -> FixSink {
    let (name, isGiven) =
      switch device {
      case .given(let name): (name, true)
      case .named(let name): (name, false)
      }
    let prefix = String(decoding: name.utf8.prefix(TraceDevices.maximumNameLength), as: UTF8.self)
    return FixSink(
      traceName: "message", devices: devices, defaultDevice: devices.number(of: prefix),
      isDeviceGiven: isGiven)
  }

  private static func isJSON(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBufferPointer { bytes in
      var scanner = JSONScanner(bytes)
      scanner.skipValue()
      return !scanner.isBroken && scanner.isAtEnd()
    }
  }
}

extension PositionMessage {
  /// The result of the records of one message.
  init(_ kind: Kind, _ sink: FixSink) {
    self.kind = kind
    fixes = sink.fixes
    for index in fixes.indices { fixes[index].startsSegment = false }
    // Some phones empty their buffer newest first.
    fixes.sortByTime()
    rejections = sink.rejections.mapValues(\.count)
  }
}

extension MessageReader {
  /// Reads the fields of OsmAnd's protocol, which Traccar's apps use too.
  /// (https://www.traccar.org/osmand/)
  ///
  /// `id` or `deviceid` names the device. `lat` and `lon`, or `location` with both, are the position.
  /// `timestamp` is in seconds or milliseconds since 1970, or a date; by default it is `now`. `speed` is in
  /// knots; `bearing` or `heading` is the course; `accuracy` is in metres, else it comes from `hdop`;
  /// `altitude` is in metres; `batt` is in percent. There is no fix if `valid` is false, or if cells and networks replace the
  /// coordinates. A number that cannot be read counts as missing, unless it is a coordinate.
  ///
  /// - Parameters:
  ///   - fields: Names and values, decoded.
  ///   - now: The current time.
  ///   - device: The device if the fields do not name one.
  public func read(
    osmAnd fields: [(name: String, value: String)], now: Instant, device: String? = nil
  ) throws(MessageError) -> PositionMessage {
    var values: [String: String] = [:]
    for (name, value) in fields where values[name] == nil { values[name] = value }
    func number(_ name: String) -> Double? {
      values[name].flatMap { DecimalNumber.parse(Array($0.utf8).span) }
    }
    func coordinate(_ name: String) throws(MessageError) -> Double? {
      guard let text = values[name], !text.isEmpty else { return nil }
      guard let number = number(name) else { throw .unreadable(field: name, what: "number") }
      return number
    }
    guard let name = (values["id"] ?? values["deviceid"] ?? device), !name.isEmpty else {
      throw .missing(field: "id")
    }
    var report = JSONReport()
    report.hasTime = true
    report.time = try MessageReader.time(values["timestamp"]) ?? now
    report.latitude = try coordinate("lat")
    report.longitude = try coordinate("lon")
    if let location = values["location"] {
      let parts = location.split(separator: ",").map { DecimalNumber.parse(Array($0.utf8).span) }
      guard parts.count == 2, let latitude = parts[0], let longitude = parts[1] else {
        throw .unreadable(field: "location", what: "pair of latitude and longitude")
      }
      (report.latitude, report.longitude) = (latitude, longitude)
    }
    // Other values that cannot be read become unknown, and the position stays.
    report.accuracy = number("accuracy") ?? Measurement.accuracy(dilution: number("hdop"))
    report.altitude = number("altitude")
    report.speed = number("speed").map { $0 * Measurement.knot }
    report.battery = number("batt")
    report.course = number("bearing") ?? number("heading")
    let hasNoPosition = report.latitude == nil && report.longitude == nil
    report.hasNoFix =
      values["valid"].map { $0 == "false" || $0 == "0" } ?? false
      || hasNoPosition && (values["cell"] != nil || values["wifi"] != nil)
    if !report.hasNoFix {
      guard let latitude = report.latitude else { throw .missing(field: "lat") }
      guard let longitude = report.longitude else { throw .missing(field: "lon") }
      guard abs(latitude) <= 90 else { throw .unreadable(field: "lat", what: "latitude from -90 to 90") }
      guard abs(longitude) <= 180 else { throw .unreadable(field: "lon", what: "longitude from -180 to 180") }
    }
    let sink = sink(for: .given(name))
    var writer = JSONReportWriter()
    writer.write(report, line: 1, sink)
    return PositionMessage(.osmAnd, sink)
  }

  private static func time(_ text: String?) throws(MessageError) -> Instant? {
    guard var text, !text.isEmpty else { return nil }
    // The `+` of a zone arrives as a blank if the sender did not encode it as %2B.
    if text.contains("T"), let blank = text.lastIndex(of: " ") {
      text.replaceSubrange(blank...blank, with: "+")
    }
    guard let time = TraceTime.moment(Array(text.utf8).span, scale: 0, decimalComma: false) else {
      throw .unreadable(field: "timestamp", what: "time")
    }
    return time
  }
}
