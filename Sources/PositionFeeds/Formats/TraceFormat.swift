/// The formats of traces. The raw values stand in reports and in JSON.
public enum TraceFormat: String, Sendable, Hashable, CaseIterable {
  /// GPX 1.0 and 1.1.
  case gpx
  /// NMEA 0183 sentences.
  case nmea
  /// Separated columns with a header.
  case csv

  /// A decoder for a trace in this format.
  func makeDecoder() -> any TraceDecoder {
    switch self {
    case .gpx: GPXDecoder()
    case .nmea: NMEADecoder()
    case .csv: CSVDecoder()
    }
  }
}
