import FencepostAlgorithms
import FencepostCalendarModel
import FencepostRecurrence

/// The clock of an object of JSCalendar: its local times have no zone of their own (RFC 8984, section 4.7.1).
struct JSCalendarClock {
  let resolver: TimeResolver
  /// Some time on the clock.
  private let form: CalendarTime

  /// The clock of an item: that of its start, or of its due time. A zone that only a file defines has no name
  /// here, so its times become UTC.
  init(of item: CalendarItem, resolver: TimeResolver) {
    self.resolver = resolver
    let anchor = item.anchor ?? .floating(CivilDateTime(secondsSinceEpoch: 0))
    if case .zoned(let civil, let zone) = anchor {
      form = Self.name(of: zone).map { .zoned(civil, $0) } ?? .utc(civil)
    } else {
      form = anchor
    }
  }

  /// A clock.
  ///
  /// - Parameters:
  ///   - zone: Its zone; `nil` for floating times.
  ///   - isDate: Whether only whole days count.
  init(zone: TimeZoneID?, isDate: Bool, resolver: TimeResolver) {
    self.resolver = resolver
    let civil = CivilDateTime(secondsSinceEpoch: 0)
    if isDate {
      form = .date(civil.day)
    } else if let zone {
      form = zone == .utc ? .utc(civil) : .zoned(civil, zone)
    } else {
      form = .floating(civil)
    }
  }

  /// Whether only whole days count.
  var isDate: Bool { form.isDate }

  /// The name of its zone; `nil` for whole days and floating times.
  var zone: String? { form.zone.map { $0 == .utc ? "Etc/UTC" : $0.rawValue } }

  /// The zone with a name of JSCalendar.
  static func zone(named name: String) -> TimeZoneID? {
    if ["Etc/UTC", "UTC", "Etc/Zulu", "Zulu"].contains(name) { return .utc }
    return self.name(of: TimeZoneID(rawValue: name)) == nil ? nil : TimeZoneID(rawValue: name)
  }

  /// The name of a zone in the system's data; `nil` for other zones.
  private static func name(of zone: TimeZoneID) -> TimeZoneID? {
    guard let known = TimeZoneDatabase.system.zone(zone)?.id else { return nil }
    return known.rawValue.contains { $0 == " " || $0 == ":" } ? nil : known
  }

  /// A time on the clock: `2026-05-01T09:00:00`.
  func text(_ time: CalendarTime) -> String {
    let isOnClock = time.isDate == form.isDate && (time.zone == form.zone)
    return isOnClock
      ? "\(time.civil)" : "\(resolver.time(resolver.instant(of: time), like: form).civil)"
  }

  /// The time of a member on the clock.
  func time(_ reader: PatchReader) throws(ItemPatchError) -> CalendarTime {
    guard let time = time(try reader.text()) else {
      throw reader.fail("must be a local time such as \"2026-05-01T09:00:00\"")
    }
    return time
  }

  /// The time of a text on the clock; `nil` if it is not a local time.
  func time(_ text: String) -> CalendarTime? {
    guard JSCalendarText.isLocalTime(text), let read = Instant.RFC3339(text), read.utcOffset == nil else {
      return nil
    }
    let civil = CivilDateTime(secondsSinceEpoch: read.instant.wholeSeconds)
    return (1...9_999).contains(civil.day.components.year) ? form.with(civil: civil) : nil
  }
}

/// Forms of texts of JSCalendar, which are stricter than what other readers here accept.
enum JSCalendarText {
  /// Whether a text has the form of a LocalDateTime (RFC 8984, section 1.4.5). Many programs write fractions
  /// of zeros.
  static func isLocalTime(_ text: some StringProtocol) -> Bool {
    let form = Array("0000-00-00T00:00:00".utf8)
    let bytes = Array(text.utf8)
    guard bytes.count >= form.count,
      zip(bytes, form).allSatisfy({ $1 == 0x30 ? ASCII.isDigit($0) : $0 == $1 })
    else { return false }
    let fraction = bytes.dropFirst(form.count)
    return fraction.isEmpty
      || fraction.first == 0x2E && fraction.count > 1 && fraction.dropFirst().allSatisfy(ASCII.isDigit)
  }

  /// Whether a text has the form of a UTCDateTime (RFC 8984, section 1.4.4).
  static func isUTC(_ text: String) -> Bool { text.utf8.last == 0x5A && isLocalTime(text.dropLast()) }
}

extension Instant {
  /// A UTCDateTime (RFC 8984, section 1.4.4): a fraction has no zeros at its end.
  var jsCalendarText: String {
    let text = rfc3339()
    guard text.contains(".") else { return text }
    var digits = text.dropLast()
    while digits.last == "0" { digits.removeLast() }
    return digits + "Z"
  }
}
