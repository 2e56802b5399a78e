import FencepostCalendarModel
import FencepostCommandLineTable
import FencepostPhrases
import FencepostRecurrence
import FencepostSpatiotemporal

/// Weeks as rows and weekdays as columns, from Monday.
struct MonthGrid {
  let width: Int
  let style: Style

  /// The minimum width of a terminal that shows seven columns with words.
  static let minimumWidth = 70
  /// Entries of a day beyond these are counted.
  private static let maximumEntries = 5

  /// The lines of the weeks that have these days.
  ///
  /// - Parameter entries: What a day has, in order.
  func lines(
    of days: ClosedRange<CivilDay>, today: CivilDay, entries: (CivilDay) -> [TextTable.Cell]
  ) -> [String] {
    let column = (width - 6) / 7
    let names = [2, 3, 4, 5, 6, 7, 1].map { CalendarNames.weekdays[$0 - 1].prefix(3) }
    var lines = [row(names.map { TextTable.Cell(String($0), .dim) }, column)]
    var monday = days.lowerBound.adding(days: -(days.lowerBound.weekday.rawValue + 5) % 7)
    while monday <= days.upperBound {
      let week = (0..<7).map { monday.adding(days: $0) }
      lines.append(row(week.map { heading($0, in: days, today: today) }, column))
      let cells = week.map { days.contains($0) ? Self.shortened(entries($0)) : [] }
      for index in 0..<(cells.map(\.count).max() ?? 0) {
        lines.append(row(cells.map { index < $0.count ? $0[index] : TextTable.Cell("") }, column))
      }
      monday = monday.adding(days: 7)
      if monday <= days.upperBound { lines.append("") }
    }
    return lines
  }

  /// The number of a day, with the month where one starts.
  private func heading(_ day: CivilDay, in days: ClosedRange<CivilDay>, today: CivilDay) -> TextTable.Cell {
    guard days.contains(day) else { return TextTable.Cell("") }
    let (_, month, number) = day.components
    let isFirst = number == 1 || day == days.lowerBound
    let text = isFirst ? "\(number) \(CalendarNames.months[month - 1].prefix(3))" : "\(number)"
    return day == today ? TextTable.Cell("\(text) ◂", .live) : TextTable.Cell(text, .dim)
  }

  private static func shortened(_ entries: [TextTable.Cell]) -> [TextTable.Cell] {
    guard entries.count > maximumEntries else { return entries }
    let shown = entries.prefix(maximumEntries - 1)
    return shown + [TextTable.Cell("+\(entries.count - shown.count) more", .dim)]
  }

  /// Cells of one width, without spaces at the end.
  private func row(_ cells: [TextTable.Cell], _ column: Int) -> String {
    var line = ""
    var pending = 0
    for cell in cells {
      let text = TextWidth.shortened(cell.text.withoutControls, to: column)
      if !text.isEmpty {
        line += String(repeating: " ", count: pending) + style.paint(text, cell.ink)
        pending = 0
      }
      pending += column - TextWidth.of(text) + 1
    }
    return line
  }
}
