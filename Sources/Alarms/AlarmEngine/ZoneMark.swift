import FencepostAlgorithms
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostRecurrence

/// The zones of the due times.
struct ZoneMark: Equatable {
  /// The zone of floating times by name, the release of the rules, and, for a zone without a name, its winter
  /// and summer offsets. If files brought zones, also what distinguishes their definitions.
  private let text: String

  private static let key = "armed-zones"

  init(_ resolver: TimeResolver, _ definitions: [TimeZoneDefinition]) {
    let zone = resolver.floating
    let offsets = [1_767_225_600, 1_782_864_000].map { zone.offset(at: Instant(seconds: $0)) }
    let system = "\(zone.id.rawValue) \(resolver.zones.version ?? "-") \(offsets[0]) \(offsets[1])"
    text = definitions.isEmpty ? system : system + " \(Self.digest(definitions))"
  }

  init?(in reader: borrowing StoreReader) throws {
    guard let text = try reader.setting(Self.key) else { return nil }
    self.text = text
  }

  func save(in writer: borrowing StoreWriter) throws {
    if try ZoneMark(in: writer.reader) != self { try writer.setQuietly(text, for: Self.key) }
  }

  private static func digest(_ definitions: [TimeZoneDefinition]) -> String {
    var hash = StableHash()
    for definition in definitions {
      hash.combine([definition.id.rawValue, definition.text].joined(separator: "\0").utf8)
    }
    return String(hash.value, radix: 16)
  }
}
