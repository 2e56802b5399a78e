public import CalendarStore
public import Recurrence

extension AlarmSchedule {
  /// The schedule with what the lists of a store say of their alarms now.
  public func current(in reader: borrowing StoreReader) throws(StoreError) -> AlarmSchedule {
    var schedule = self
    schedule.lists = try reader.listAlarms()
    return schedule
  }
}
