import FencepostAlgorithms
import FencepostJSON

/// Detects the format of a JSON document by the names at its beginning.
///
/// Names count in the document's object and in records: objects in a top-level array, or in an array that is
/// a member of the document's object. Deeper names may mean anything.
struct JSONFormatDetector {
  /// The maximum number of names to look at.
  private static let maximumNames = 4096

  /// The names found in the document and in records.
  private(set) var names: Set<String> = []
  private let isArray: Bool

  /// Reads the names in `head`, which may end anywhere.
  init(head: some Collection<UInt8>) {
    isArray = head.first { !ASCII.isBlank($0) } == 0x5B
    // The open brackets, up to the deepest level that matters.
    var outer: [UInt8] = []
    var depth = 0
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
          continue
        } else if byte == ASCII.backslash {
          isEscaped = true
        }
        if text.count < JSONText.maximumNameLength { text.append(byte) }
      } else if byte == ASCII.quote {
        isInString = true
        text.removeAll(keepingCapacity: true)
      } else if byte == 0x7B || byte == 0x5B {
        if depth < 4 { outer.append(byte) }
        depth += 1
      } else if byte == 0x7D || byte == 0x5D {
        depth = max(0, depth - 1)
        if depth < outer.count { outer.removeLast() }
      } else if byte == 0x3A, names.count < JSONFormatDetector.maximumNames,
        JSONFormatDetector.records.contains(where: { outer.elementsEqual($0.utf8) })
          || text.elementsEqual(JSONFormatDetector.coordinates.utf8)
      {
        names.insert(
          text.withUnsafeBufferPointer { JSONText($0, hasEscapes: $0.contains(ASCII.backslash)).string })
      }
    }
  }

  /// The open brackets around names in the document's object or in a record.
  private static let records = ["{", "[{", "{[{"]
  /// The one name that counts deeper: it is within the location of Traccar Client's messages.
  private static let coordinates = "coords"

  /// The format; `nil` if none fits yet.
  var format: TraceFormat? {
    if names.contains("_type") { return .ownTracksArray }
    if names.contains("timelineObjects") { return .googleSemanticHistory }
    if names.contains("semanticSegments") || names.contains("rawSignals") { return .googleTimeline }
    if isArray, names.contains("startTime") || names.contains("endTime"),
      hasAny(["visit", "activity", "timelinePath"])
    {
      return .googleTimeline
    }
    // Check this before GeoJSON, because GeoJSON's names are common words.
    if hasAny(["fixTime", "deviceTime"]) && names.contains("latitude") { return .traccar }
    if names.contains("lat"), hasAny(["lon", "lng"]), names.contains("time"),
      isArray || names.contains("locations"), !hasAny(["geometry", "properties"])
    {
      return .polarsteps
    }
    if names.contains("locations") {
      if names.contains("latitudeE7") { return .googleRecords }
      if hasAny(["geometry", "properties"]) { return .overland }
    } else if hasAny(["geometry", "coordinates", "features"]) {
      return .geoJSON
    }
    if names.contains("location") && names.contains(JSONFormatDetector.coordinates) { return .traccarClient }
    return nil
  }

  private func hasAny(_ candidates: [String]) -> Bool { candidates.contains(where: names.contains) }
}
