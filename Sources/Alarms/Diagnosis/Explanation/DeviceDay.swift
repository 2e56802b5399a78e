public import FencepostCalendarModel
public import FencepostCalendarStore
public import FencepostRecurrence

/// What was recorded about a device on a day: the alarms at places that it came near, its silences, and the
/// positions that were ignored.
public struct DeviceDay: Sendable {
  /// The notes, in order; at most ``maximumNotes``.
  public let notes: [RecordNote]
  /// Whether anything was recorded on the day.
  public let isRecorded: Bool

  /// More notes would not help.
  public static let maximumNotes = 2_000

  /// The notes about a device in a time.
  public init(
    of device: String, in reader: borrowing StoreReader, over span: Range<Instant>, resolver: TimeResolver
  ) throws {
    let words = RecordWords(resolver: resolver)
    let observations = try reader.observations(of: device, in: span)
    let decisions = try reader.decisions(about: .device(device), in: span)
    var notes = observations.compactMap(words.note)
    var titles: [Identifier<CalendarItem>: String] = [:]
    for decision in decisions {
      if titles[decision.item] == nil {
        titles[decision.item] = try reader.item(decision.item)?.title ?? "a removed item"
      }
      notes.append(words.note(decision, title: titles[decision.item]))
    }
    notes.sort { ($0.from, $0.text) < ($1.from, $1.text) }
    self.notes = Array(notes.prefix(DeviceDay.maximumNotes))
    isRecorded = !observations.isEmpty || !decisions.isEmpty
  }
}
