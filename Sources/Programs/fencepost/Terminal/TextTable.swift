import FencepostCalendarModel
import FencepostCommandLineTable
import FencepostPhrases
import FencepostSpatiotemporal

/// Rows of text. On a terminal: aligned columns that fit its width. In a pipe: tab-separated and complete.
struct TextTable {
  /// A cell, and how a terminal shows it.
  struct Cell: ExpressibleByStringInterpolation {
    var text: String
    var ink: Ink

    init(_ text: String, _ ink: Ink = .plain) {
      self.text = text
      self.ink = ink
    }

    init(stringLiteral text: String) { self.init(text) }
  }

  private let isTerminal: Bool
  private let width: Int
  private let style: Style
  /// Columns that are never shortened.
  private let whole: Set<Int>
  /// Columns that are shortened before any other.
  private let minor: Set<Int>
  /// The width down to which columns shrink before others do.
  private let least: [Int: Int]
  /// Columns to omit, in this order, if the terminal is too narrow for all.
  private let optional: [Int]
  private let heading: [String]
  private var rows: [[Cell]] = []

  /// The minimum width of shortened columns.
  private static let minimumWidth = 6

  /// A table.
  ///
  /// - Parameters:
  ///   - heading: The names of the columns, for people.
  ///   - whole: Columns that are never shortened.
  ///   - minor: Columns that are shortened before any other.
  ///   - least: The width of columns that others are shortened for first.
  ///   - optional: Columns to omit, in this order, if the terminal is too narrow for all.
  init(
    context: CommandContext, heading: [String] = [], whole: Set<Int> = [], minor: Set<Int> = [],
    least: [Int: Int] = [:], optional: [Int] = []
  ) {
    isTerminal = context.console.isTerminal
    width = context.console.width
    style = context.style
    self.heading = heading.map { context.printedTexts.named("column " + $0, otherwise: $0) }
    self.whole = whole
    self.minor = minor
    self.least = least
    self.optional = optional
  }

  /// Adds a row, without control characters.
  mutating func add(_ cells: [String]) { add(cells.map { Cell($0) }) }

  /// Adds a row, without control characters.
  mutating func add(_ cells: [Cell]) { rows.append(cells.map { Cell($0.text.withoutControls, $0.ink) }) }

  var isEmpty: Bool { rows.isEmpty }

  /// The rows as lines.
  var lines: [String] {
    guard isTerminal else {
      return rows.map { row in row.map { style.paint($0.text, $0.ink) }.joined(separator: "\t") }
    }
    if rows.isEmpty { return [] }
    let shown = (heading.isEmpty ? [] : [heading.map { Cell($0, .dim) }]) + rows
    let widths = fitted(shown)
    return shown.map { row in
      var line = ""
      var pending = 0
      for (column, cell) in row.enumerated() {
        let text = TextWidth.shortened(cell.text, to: widths[column])
        if !text.isEmpty { line += String(repeating: " ", count: pending) + style.paint(text, cell.ink) }
        // Write the spaces later, so that no line ends with them.
        let gap = widths[column] == 0 ? 0 : widths[column] - TextWidth.of(text) + 2
        pending = text.isEmpty ? pending + gap : gap
      }
      return line
    }
  }

  /// The widths of the columns: first the width of each column's widest cell. Then the widest columns are
  /// shortened until all fit. An optional column gets no width if the others would become too narrow.
  private func fitted(_ rows: [[Cell]]) -> [Int] {
    let columns = rows.map(\.count).max() ?? 0
    var natural = (0..<columns).map { column in
      rows.map { column < $0.count ? TextWidth.of($0[column].text) : 0 }.max() ?? 0
    }
    let flexible = (0..<columns).filter { !whole.contains($0) }
    // First shrink minor columns to a useful width, then all columns to that width, then all as needed.
    let useful: [(columns: [Int], floors: [Int: Int])] = [
      (flexible.filter(minor.contains), least), (flexible, least),
    ]
    for column in optional where column < columns && cut(natural, in: useful).excess > 0 {
      natural[column] = 0
    }
    return cut(natural, in: useful + [(flexible, [:])]).widths
  }

  /// The widths after the widest of some columns were shortened, step by step, and the remaining excess.
  private func cut(
    _ natural: [Int], in steps: [(columns: [Int], floors: [Int: Int])]
  ) -> (widths: [Int], excess: Int) {
    var widths = natural
    var excess = widths.filter { $0 > 0 }.reduce(-2) { $0 + $1 + 2 } - width
    for (columns, floors) in steps {
      func floor(_ column: Int) -> Int { floors[column] ?? Self.minimumWidth }
      while excess > 0 {
        let candidates = columns.filter { widths[$0] > floor($0) }
        guard let widest = candidates.max(by: { widths[$0] < widths[$1] }) else { break }
        let next = candidates.filter { $0 != widest }.map { widths[$0] }.max() ?? 0
        let cut = min(excess, max(1, widths[widest] - max(next, floor(widest))))
        widths[widest] -= cut
        excess -= cut
      }
    }
    return (widths, excess)
  }
}
