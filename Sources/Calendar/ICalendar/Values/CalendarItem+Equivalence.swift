public import FencepostCalendarModel

extension CalendarItem {
  /// The time of this revision, if known: LAST-MODIFIED; otherwise the file's DTSTAMP, which means the same
  /// without a METHOD (RFC 5545, section 3.8.7.2); otherwise CREATED.
  public var revised: Instant? {
    lastModified ?? keptStamp ?? created
  }

  /// When it was sent, if known: DTSTAMP, which orders messages (RFC 5546, section 2.1.5); otherwise
  /// ``revised``.
  public var stamped: Instant? { keptStamp ?? revised }

  /// DTSTAMP, unless it is the one that the writer writes anyway.
  private var keptStamp: Instant? {
    let stamp = preserved.properties.lazy.compactMap { line -> CalendarTime? in
      guard CalendarItem.isStamp(line), let colon = line.utf8.lastIndex(of: UInt8(ascii: ":")) else {
        return nil
      }
      let bytes = Array(line.utf8[line.utf8.index(after: colon)...])
      return try? TimeValue.read(bytes, 0..<bytes.count, zone: nil)
    }
    return stamp.first.map { Instant(seconds: $0.civil.secondsSinceEpoch) }
  }

  /// True if a file would contain the same for both, ignoring the time of revision, identifiers and
  /// calendars.
  ///
  /// A file has whole seconds and no empty texts, and it does not distinguish an alarm's missing message from
  /// the item's title.
  public func isEquivalent(to other: CalendarItem) -> Bool { self == other || normalized == other.normalized }

  private var normalized: CalendarItem {
    var item = self
    item.id = Identifier(rawValue: "")
    item.calendar = Identifier(rawValue: "")
    item.lastModified = nil
    item.created = item.created.map(\.inWholeSeconds)
    if let completed = reminder?.completed { item.reminder?.completed = completed.inWholeSeconds }
    if item.location == "" { item.location = nil }
    if item.notes == "" { item.notes = nil }
    if item.url == "" { item.url = nil }
    if item.parentUID == "" { item.parentUID = nil }
    item.preserved.properties.removeAll(where: CalendarItem.isStamp)
    item.preserved.properties.sort()
    item.preserved.components.sort()
    item.alarms = alarms.map { $0.normalized(in: self) }
    return item
  }

  private static func isStamp(_ line: String) -> Bool {
    line.hasPrefix("DTSTAMP:") || line.hasPrefix("DTSTAMP;")
  }
}

extension Alarm {
  /// The alarm as it reads back from a file with `item`.
  func normalized(in item: CalendarItem) -> Alarm {
    var alarm = self
    if case .absolute(let instant) = trigger { alarm.trigger = .absolute(instant.inWholeSeconds) }
    alarm.acknowledged = alarm.acknowledged.map(\.inWholeSeconds)
    if alarm.message == item.title { alarm.message = nil }
    if alarm.summary == item.title { alarm.summary = nil }
    alarm.preserved.properties.sort()
    alarm.preserved.components.sort()
    return alarm
  }
}

extension Instant {
  fileprivate var inWholeSeconds: Instant { Instant(seconds: wholeSeconds) }
}
