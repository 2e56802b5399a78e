internal import Geodesy
import JSON
public import Spatiotemporal

/// Reads positions that come as messages, each whole: what a phone posts, what a broker hands on.
///
/// A record in a message that can't be used is left out and counted, as in a trace. Memory is what the message takes.
/// Unlike in a trace, no fix starts a segment: a message goes on where the one before ended.
public struct MessageReader: Sendable {
  private let devices: DeviceRegistry

  /// A reader that numbers devices by `devices`.
  public init(devices: DeviceRegistry) { self.devices = devices }

  /// Reads a message of OwnTracks, Overland or Traccar Client, or GeoJSON, told apart by what stands in it.
  ///
  /// - Parameters:
  ///   - json: The message.
  ///   - device: Whose position it tells.
  /// - Returns: What it says: nothing, where it is a message of another kind, such as OwnTracks' waypoints.
  public func read(
    _ json: some Collection<UInt8>, of device: MessageDevice
  ) throws(MessageError) -> PositionMessage {
    let bytes = Array(json)
    let detector = JSONFormatDetector(head: bytes)
    let kind: PositionMessage.Kind
    let format: TraceFormat
    switch detector.format {
    case .ownTracksArray:
      // Passing over it in silence would lose positions that somebody believes to be seen.
      if detector.names.contains("data"), OwnTracks.isEncrypted(bytes) { throw .encrypted }
      (kind, format) = (.ownTracks, .ownTracksArray)
    case .overland: (kind, format) = (.overland, .overland)
    case .geoJSON: (kind, format) = (.overland, .geoJSON)
    case .traccar: (kind, format) = (.traccar, .traccar)
    case .traccarClient: (kind, format) = (.traccar, .traccarClient)
    default:
      // What an empty batch of Overland's looks like.
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
      // A message without a position is one all the same.
      guard error.problem == .noPositions else { throw .notJSON }
    }
    let message = PositionMessage(kind, sink)
    // A batch that breaks off is to be sent again, and a broken record by itself is all that there is.
    if message.rejections[.truncated] != nil { throw .notJSON }
    if message.fixes.isEmpty && message.rejections[.malformed] != nil { throw .notJSON }
    return message
  }

  /// Where the fixes of one message go.
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
  /// What came of the records of one message.
  init(_ kind: Kind, _ sink: FixSink) {
    self.kind = kind
    fixes = sink.fixes
    for index in fixes.indices { fixes[index].startsSegment = false }
    rejections = sink.rejections.mapValues(\.count)
  }
}
