public import FencepostCalendarModel
public import FencepostJSON

extension ItemJSON {
  /// `{"type":"agenda","day":…,"item":{…}}`: an entry of an agenda.
  ///
  /// - Parameters:
  ///   - entry: The entry.
  ///   - day: Its day; `nil` for an overdue reminder.
  ///   - list: The title of the item's list.
  public func object(_ entry: Agenda.Entry, on day: CivilDay?, list: String) -> JSONLine {
    var line = JSONLine(type: "agenda")
    line.add("day", day.map { "\($0)" })
    if day == nil { line.add("overdue", true) }
    line.add("start", text(entry.start))
    line.add("end", text(entry.end))
    line.add("all_day", entry.start.isDate)
    line.add("current", entry.isCurrent)
    if let id = entry.recurrenceID { line.add("occurrence", text(id)) }
    line.add("item", object(entry.item, list: list))
    return line
  }
}
