public import FencepostCalendarModel

extension PreservedComponent {
  /// A component from the lines of a file.
  init(_ component: RawComponent, in text: ComponentText) {
    let lines = text.joined(component.lines)
    var uid: String?
    var occurrence: String?
    for index in component.properties {
      guard let line = ContentLine(text.lines[index], in: text) else { continue }
      switch line.property {
      case .uid: uid = uid ?? TextValue.decode(line.bytes[line.valueRange])
      case .recurrenceID: occurrence = occurrence ?? line.word
      default: break
      }
    }
    let id = uid.flatMap { $0.isEmpty ? nil : $0 } ?? Identity.uid(of: Array(lines.utf8))
    self.init(name: component.name, id: occurrence.map { "\(id)/\($0)" } ?? id, text: lines)
  }

  /// True if `other` is a later revision of the same component. Compares SEQUENCE, then LAST-MODIFIED or DTSTAMP (RFC
  /// 5546, section 2.1.5).
  public func isOlder(than other: PreservedComponent) -> Bool {
    let (mine, theirs) = (revision, other.revision)
    if mine.sequence != theirs.sequence { return mine.sequence < theirs.sequence }
    guard let theirTime = theirs.time else { return false }
    return mine.time ?? .epoch < theirTime
  }

  /// The zones of its times.
  public var timeZones: Set<TimeZoneID> {
    var zones: Set<TimeZoneID> = []
    for part in text.split(separator: "\n") where part.utf8.contains(UInt8(ascii: ";")) {
      if let zone = ContentLine(String(part))?.timeZone { zones.insert(zone) }
    }
    return zones
  }

  private var revision: (sequence: Int, time: Instant?) {
    var (depth, sequence) = (0, 0)
    var stamp: Instant?
    var modified: Instant?
    for part in text.split(separator: "\n") {
      guard let line = ContentLine(String(part)) else { continue }
      switch line.keyword {
      case .begin: depth += 1
      case .end: depth -= 1
      case .property where depth == 1:
        var values = PropertyValues()
        switch line.property {
        case .sequence: sequence = Int(line.word) ?? sequence
        case .dtstamp: stamp = try? values.instant(line)
        case .lastModified: modified = try? values.instant(line)
        default: break
        }
      case .property: break
      }
    }
    return (sequence, modified ?? stamp)
  }
}
