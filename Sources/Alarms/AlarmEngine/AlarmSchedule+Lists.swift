public import FencepostCalendarStore
public import FencepostRecurrence

extension AlarmSchedule {
  /// The schedule with the current alarm settings of the store's lists.
  public func current(in reader: borrowing StoreReader) throws(StoreError) -> AlarmSchedule {
    var schedule = self
    schedule.lists = try reader.listAlarms()
    return schedule
  }
}
