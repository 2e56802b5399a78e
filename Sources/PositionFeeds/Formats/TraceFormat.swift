/// The formats of traces. The raw values stand in reports and in JSON.
public enum TraceFormat: String, Sendable, Hashable, CaseIterable {
  /// GPX 1.0 and 1.1.
  case gpx
  /// NMEA 0183 sentences.
  case nmea
  /// Separated columns with a header.
  case csv
  /// OwnTracks messages, one a line, and the recorder's `.rec` files.
  case ownTracks = "owntracks"
  /// gpsd's JSON, one object a line.
  case gpsd

  /// A decoder for a trace in this format.
  func makeDecoder() -> any TraceDecoder {
    switch self {
    case .gpx: GPXDecoder()
    case .nmea: NMEADecoder()
    case .csv: CSVDecoder()
    case .ownTracks: OwnTracks.makeDecoder()
    case .gpsd: GPSD.makeDecoder()
    }
  }
}
