/// The formats of traces. The raw values appear in reports and JSON: cases are added, never renamed.
public enum TraceFormat: String, Sendable, Hashable, CaseIterable {
  /// GPX 1.0 and 1.1.
  case gpx
  /// KML with times.
  case kml
  /// Garmin's Training Center XML.
  case tcx
  /// Garmin FIT.
  case fit
  /// NMEA 0183 sentences.
  case nmea
  /// Separated columns with a header.
  case csv
  /// Tracks of OziExplorer and of the GeoLife data set.
  case plt
  /// OwnTracks messages, one a line, and the recorder's `.rec` files.
  case ownTracks = "owntracks"
  /// OwnTracks messages in an array.
  case ownTracksArray = "owntracks_array"
  /// gpsd's JSON, one object a line.
  case gpsd
  /// GeoJSON with times.
  case geoJSON = "geojson"
  /// Overland's messages: lists of GeoJSON features.
  case overland
  /// The positions of Traccar's API.
  case traccar
  /// Traccar Client's messages.
  case traccarClient = "traccar_client"
  /// `Records.json` of Google Takeout.
  case googleRecords = "google_records"
  /// Google Takeout's Semantic Location History.
  case googleSemanticHistory = "google_semantic_history"
  /// The timeline that Google's phones keep.
  case googleTimeline = "google_timeline"
  /// Polarsteps' export of a trip.
  case polarsteps
  /// Flight recorders' logs of the International Gliding Commission.
  case igc

  /// The name that people know.
  public var title: String {
    switch self {
    case .gpx: "GPX"
    case .kml: "KML"
    case .tcx: "TCX"
    case .fit: "Garmin FIT"
    case .nmea: "NMEA 0183"
    case .csv: "CSV"
    case .plt: "PLT"
    case .ownTracks, .ownTracksArray: "OwnTracks"
    case .gpsd: "gpsd"
    case .geoJSON: "GeoJSON"
    case .overland: "Overland"
    case .traccar: "Traccar"
    case .traccarClient: "Traccar Client"
    case .googleRecords: "Google Records"
    case .googleSemanticHistory: "Google Semantic Location History"
    case .googleTimeline: "Google Timeline"
    case .polarsteps: "Polarsteps"
    case .igc: "IGC"
    }
  }

  /// A decoder for a trace in this format.
  func makeDecoder() -> any TraceDecoder {
    switch self {
    case .gpx: XMLTraceDecoder(GPXHandler.init)
    case .kml: XMLTraceDecoder(KMLHandler.init)
    case .tcx: XMLTraceDecoder(TCXHandler.init)
    case .fit: FITDecoder()
    case .nmea: NMEADecoder()
    case .csv: CSVDecoder()
    case .plt: PLTDecoder()
    case .ownTracks: OwnTracks.makeDecoder()
    case .ownTracksArray: OwnTracks.makeDocumentDecoder()
    case .gpsd: GPSD.makeDecoder()
    case .geoJSON, .overland: GeoJSON.makeDecoder()
    case .traccar: Traccar.makeDecoder()
    case .traccarClient: TraccarClient.makeDecoder()
    case .googleRecords: GoogleRecords.makeDecoder()
    case .googleSemanticHistory: GoogleSemanticHistory.makeDecoder()
    case .googleTimeline: GoogleTimeline.makeDecoder()
    case .polarsteps: Polarsteps.makeDecoder()
    case .igc: IGCDecoder()
    }
  }
}
