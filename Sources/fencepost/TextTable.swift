import CommandLineTable

/// Rows of text: aligned columns on a terminal, tab-separated and whole when piped.
struct TextTable {
  private let isTerminal: Bool
  private let width: Int
  private let style: Style
  private var rows: [[String]] = []

  init(context: CommandContext) {
    isTerminal = context.console.isTerminal
    width = context.console.width
    style = context.style
  }

  /// Adds a row. What a terminal would obey is taken out of it.
  mutating func add(_ cells: [String]) { rows.append(cells.map(FiringTable.plain)) }

  var isEmpty: Bool { rows.isEmpty }

  /// The rows as lines.
  var lines: [String] {
    guard isTerminal else { return rows.map { $0.joined(separator: "\t") } }
    let columns = rows.map(\.count).max() ?? 0
    let widths = (0..<columns).map { column in
      rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
    }
    return rows.map { row in
      var line = ""
      for (column, cell) in row.enumerated() {
        line +=
          column == row.count - 1
          ? cell : cell + String(repeating: " ", count: widths[column] - cell.count + 2)
      }
      while line.last == " " { line.removeLast() }
      return line.count > width ? line.prefix(max(1, width - 1)) + "…" : line
    }
  }
}
