/// Tells the format of a JSON document by the names in its beginning, wherever they stand.
struct JSONFormatDetector {
  /// How many names are looked at.
  private static let maximumNames = 4096

  /// The names that were found.
  private(set) var names: Set<String> = []
  private let isArray: Bool

  /// Looks at `head`, which may end anywhere.
  init(head: some Collection<UInt8>) {
    isArray = head.first { !ASCII.isBlank($0) } == 0x5B
    // Only a string before a colon is a name.
    var text: [UInt8] = []
    var isInString = false
    var isEscaped = false
    for byte in head {
      if isInString {
        if isEscaped {
          isEscaped = false
        } else if byte == ASCII.quote {
          isInString = false
        } else if byte == 0x5C {
          isEscaped = true
        } else if text.count < 64 {
          text.append(byte)
        }
      } else if byte == ASCII.quote {
        isInString = true
        text.removeAll(keepingCapacity: true)
      } else if byte == 0x3A, names.count < JSONFormatDetector.maximumNames {
        names.insert(String(decoding: text, as: UTF8.self))
      }
    }
  }

  /// The format; `nil` where none fits yet.
  var format: TraceFormat? {
    if names.contains("_type") { return .ownTracksArray }
    if names.contains("timelineObjects") { return .googleSemanticHistory }
    if names.contains("semanticSegments") || names.contains("rawSignals") { return .googleTimeline }
    if isArray, names.contains("startTime") || names.contains("endTime"),
      hasAny(["visit", "activity", "timelinePath"])
    {
      return .googleTimeline
    }
    if names.contains("locations") {
      if names.contains("latitudeE7") { return .googleRecords }
      if hasAny(["geometry", "properties"]) { return .overland }
    } else if hasAny(["geometry", "coordinates", "features"]) {
      return .geoJSON
    }
    if names.contains("location") && names.contains("coords") { return .traccarClient }
    if hasAny(["fixTime", "deviceTime"]) && names.contains("latitude") { return .traccar }
    return nil
  }

  private func hasAny(_ candidates: [String]) -> Bool { candidates.contains(where: names.contains) }
}
