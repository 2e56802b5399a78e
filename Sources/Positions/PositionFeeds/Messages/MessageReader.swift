internal import FencepostGeodesy
import FencepostJSON
public import FencepostSpatiotemporal

/// Reads positions from whole messages, which a phone posts or a broker forwards.
///
/// Skips and counts invalid records, as in a trace. Uses the memory of one message. Unlike in a trace, no fix starts a
/// segment, because a message continues the one before.
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
    rejections = sink.rejections.mapValues(\.count)
  }
}
