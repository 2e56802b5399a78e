public import FencepostCalendarModel
import FencepostJSON
public import FencepostRecurrence

/// A file of JSCalendar (RFC 8984): an Event, a Task, or a Group of them.
public struct JSCalendarDocument {
  /// The title of a group.
  public private(set) var title: String?
  /// The items, each series followed by its changed occurrences. They have no list.
  public private(set) var items: [CalendarItem] = []
  /// Why entries of a group were left out.
  public private(set) var problems: [ItemPatchError] = []

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - bytes: The file.
  ///   - resolver: The time zones.
  ///   - now: The current time.
  ///   - known: The known items with a UID. An object changes them, so that what JSCalendar has no form for
  ///     stays.
  /// - Throws: `JSONFailure` if it is not JSON, ``ItemPatchError`` if it is not JSCalendar, and errors of
  ///   `known`.
  public init(
    reading bytes: [UInt8], resolver: TimeResolver, at now: Instant,
    known: (String) throws -> [CalendarItem] = { _ in [] }
  ) throws {
    let json = try JSONValue(reading: bytes, maxDepth: JSCalendarPatch.maxDepth + 2)
    guard json["@type"]?.text == "Group" else {
      items = try Self.items(json, resolver, now, known)
      return
    }
    guard let entries = json["entries"]?.list else { throw ItemPatchError("/entries", "must be a list") }
    title = json["title"]?.text
    for (index, entry) in entries.enumerated() {
      do { items += try Self.items(entry, resolver, now, known) } catch let error as ItemPatchError {
        problems.append(error.below("/entries/\(index)"))
      }
    }
  }

  private static func items(
    _ json: JSONValue, _ resolver: TimeResolver, _ now: Instant, _ known: (String) throws -> [CalendarItem]
  ) throws -> [CalendarItem] {
    let patch = try JSCalendarPatch(json, resolver: resolver, allowsSilentAlarms: true)
    // Without it, each import would add the item again.
    guard let uid = patch.uid, !uid.isEmpty else { throw ItemPatchError("/uid", "is missing") }
    let updated = patch.reader("updated")
    let revised = updated.value.isNull ? now : try updated.instant()
    let old = try known(uid)
    var changed: [CalendarItem]
    if let series = old.first(where: { $0.detachment == nil && $0.isEvent == patch.isEvent }),
      !patch.isOccurrence
    {
      var item = series
      let occurrences = old.filter { $0.detachment != nil && $0.calendar == series.calendar }
      let saved = try patch.apply(to: &item, occurrences: occurrences, at: now).saved
      changed = [item] + saved
    } else {
      let (item, occurrences) = try patch.newItem(at: now)
      changed = [item] + occurrences
    }
    for index in changed.indices where !old.contains(changed[index]) { changed[index].lastModified = revised }
    return changed
  }
}
