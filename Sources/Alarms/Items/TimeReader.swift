import FencepostCalendarModel
import FencepostRecurrence

/// Reads times of JSON: a day, a time with an offset, or a civil time in a zone.
struct TimeReader {
  let resolver: TimeResolver

  /// The time of a member.
  ///
  /// - Parameters:
  ///   - reader: The member.
  ///   - zone: The zone for a time without an offset, and for storing a time with one; `nil` for floating
  ///     time.
  func time(_ reader: PatchReader, zone: TimeZoneID?) throws(ItemPatchError) -> CalendarTime {
    let text = try reader.text()
    if let day = CivilDay(dashed: text) {
      guard day.components.year >= 1 else { throw reader.fail("must be in the years 1 to 9999") }
      return .date(day)
    }
    guard let read = Instant.RFC3339(text) else {
      throw reader.fail(
        "must be a time such as \"2026-05-01T09:00:00+02:00\" or a day such as \"2026-05-01\"")
    }
    guard (1...9999).contains(CivilDateTime(secondsSinceEpoch: read.instant.wholeSeconds).day.components.year)
    else { throw reader.fail("must be in the years 1 to 9999") }
    let like = Self.form(zone)
    if read.utcOffset == nil {
      return like.with(civil: CivilDateTime(secondsSinceEpoch: read.instant.wholeSeconds))
    }
    let time = resolver.time(read.instant, like: like)
    // The second 02:30 of an autumn day has no name in its zone.
    guard time.zone == nil || resolver.instant(of: time) == read.instant else {
      return CalendarTime(read.instant)
    }
    return time
  }

  private static func form(_ zone: TimeZoneID?) -> CalendarTime {
    let midnight = CivilDateTime(secondsSinceEpoch: 0)
    guard let zone else { return .floating(midnight) }
    return zone == .utc ? .utc(midnight) : .zoned(midnight, zone)
  }
}
