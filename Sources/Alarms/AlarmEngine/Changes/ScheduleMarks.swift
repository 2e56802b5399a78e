import FencepostAlgorithms
import FencepostCalendarModel
public import FencepostCalendarStore
public import FencepostRecurrence

/// How far the due times in a store have followed its changes.
struct ArmingMark {
  /// The last change that is included.
  var sequence: Int64
  /// When that was checked.
  var time: Instant

  private static let key = "armed-through"

  init(sequence: Int64, time: Instant) {
    self.sequence = sequence
    self.time = time
  }

  init?(in reader: borrowing StoreReader) throws {
    guard let parts = try reader.setting(Self.key)?.split(separator: " "), parts.count == 2,
      let sequence = Int64(parts[0]), let microseconds = Int64(parts[1])
    else { return nil }
    self.init(sequence: sequence, time: Instant(microseconds: microseconds))
  }

  func save(in writer: borrowing StoreWriter) throws {
    try writer.setQuietly("\(sequence) \(time.microseconds)", for: Self.key)
  }
}

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

/// The settings behind the due times: the alarm of reminders without one, and the all-day hour.
struct DefaultsMark: Equatable {
  private let text: String

  private static let key = "armed-defaults"

  init(_ schedule: AlarmSchedule) {
    func text(_ defaults: AlarmDefaults) -> String {
      "\(defaults.alarm?.text ?? "none") \(defaults.allDaySecond)"
    }
    let lists = schedule.lists.map { list, alarms in
      "\(list) \(text(alarms.over(schedule.defaults))) \(alarms.ringsWhenDue)"
    }
    // The number changes with the rules for who has the default alarm.
    self.text = (["2 " + text(schedule.defaults)] + lists.sorted()).joined(separator: "\n")
  }

  init?(in reader: borrowing StoreReader) throws {
    guard let text = try reader.setting(Self.key) else { return nil }
    self.text = text
  }

  func save(in writer: borrowing StoreWriter) throws {
    if try DefaultsMark(in: writer.reader) != self { try writer.setQuietly(text, for: Self.key) }
  }
}

extension AlarmSchedule {
  /// The schedule with the current alarm settings of the store's lists.
  public func current(in reader: borrowing StoreReader) throws(StoreError) -> AlarmSchedule {
    var schedule = self
    schedule.lists = try reader.listAlarms()
    return schedule
  }
}
