import FencepostCalendarModel
import FencepostCalendarStore
import FencepostRecurrence

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
