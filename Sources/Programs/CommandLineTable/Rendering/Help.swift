/// The amount of help.
public enum HelpForm: Hashable, Sendable {
  /// Usage, arguments, commands and options.
  case short
  /// Also the discussion, the examples, and inherited options.
  case long
}

extension CommandNode {
  /// The help of the command. It ends in a line break.
  ///
  /// - Parameter width: The number of columns to fill; at least 40.
  public func help(_ form: HelpForm, width: Int, style: Style) -> String {
    HelpPage(node: self, form: form, width: max(width, 40), style: style).text
  }
}

/// The layout of help: sections with blank lines between them, and one column of names for all.
private struct HelpPage<Action: Sendable> {
  struct Row {
    /// The literal part, aligned.
    var name: String
    /// The placeholder of its value.
    var argument = ""
    var summary: String
    var notes: [String] = []

    var width: Int { name.count + argument.count }
  }

  let node: CommandNode<Action>
  let form: HelpForm
  let width: Int
  let style: Style

  var text: String {
    var sections = [StyledText(node.command.summary, style: style).lines(width: width), usage]
    if form == .long {
      sections += node.command.discussion.map { StyledText($0, style: style).lines(width: width) }
    }
    sections += tables
    if form == .long {
      sections.append(examples)
    } else {
      sections.append(inheritedNames)
    }
    sections.append(pointer)
    return sections.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }.joined(separator: "\n\n") + "\n"
  }

  var usage: [String] {
    let heading = "Usage: "
    // The usage line must not break within a part, so parts have no-break spaces during wrapping.
    let parts =
      [node.path.joined(separator: "\u{A0}")]
      + node.usageParts.map { part in
        String(part.map { $0 == " " ? "\u{A0}" : $0 })
      }
    let lines = StyledText(parts.joined(separator: " "), style: .plain).lines(width: width - heading.count)
    return lines.enumerated().map { index, line in
      let line = String(line.map { $0 == "\u{A0}" ? " " : $0 })
      return (index == 0 ? style.heading("Usage:") + " " : String(repeating: " ", count: heading.count))
        + line
    }
  }

  // MARK: Tables

  /// The sections with two columns, and their headings.
  var rows: [(heading: String, rows: [Row])] {
    var found: [(heading: String, rows: [Row])] = []
    found.append(
      (
        "Arguments",
        node.command.positionals.map {
          Row(name: "", argument: $0.usage, summary: $0.summary, notes: $0.notes)
        }
      ))
    for child in node.visibleChildren {
      let heading = child.command.category ?? "Commands"
      let row = Row(name: child.command.name, summary: child.command.summary)
      if let index = found.firstIndex(where: { $0.heading == heading }) {
        found[index].rows.append(row)
      } else {
        found.append((heading, [row]))
      }
    }
    for (category, options) in OptionGroups(node.ownOptions).groups {
      found.append((category, options.map(Self.row)))
    }
    if form == .long {
      found.append(("Inherited options", node.inheritedOptions.filter { !$0.isHidden }.map(Self.row)))
    }
    return found.filter { !$0.rows.isEmpty }
  }

  static func row(_ option: Option) -> Row {
    Row(
      name: option.signature, argument: option.value.map { " \($0.metavariable)" } ?? "",
      summary: option.summary,
      notes: option.notes)
  }

  var tables: [[String]] {
    let rows = rows
    let widest = rows.flatMap(\.rows).map(\.width).max() ?? 0
    // A name wider than the column gets its own line.
    let column = min(widest + 4, max(16, min(34, width * 2 / 5)))
    return rows.map { section in
      [style.heading("\(section.heading):")] + section.rows.flatMap { lines(of: $0, column: column) }
    }
  }

  func lines(of row: Row, column: Int) -> [String] {
    let notes = row.notes.isEmpty ? "" : " (\(row.notes.joined(separator: "; ")))"
    var summary = StyledText(row.summary + notes, style: style).lines(width: width - column)[...]
    let indentation = row.name.prefix { $0 == " " }
    var first =
      "  " + indentation + style.literal(String(row.name.dropFirst(indentation.count))) + row.argument
    let used = row.width + 2
    if used + 2 <= column {
      first += String(repeating: " ", count: column - used) + (summary.popFirst() ?? "")
    }
    return [first] + summary.map { String(repeating: " ", count: column) + $0 }
  }

  // MARK: The rest

  var inheritedNames: [String] {
    let options = node.inheritedOptions.filter { !$0.isHidden }
    guard !options.isEmpty else { return [] }
    let names = options.map { option in
      "--\(option.name)" + (option.value.map { "\u{A0}\($0.metavariable)" } ?? "")
    }
    let lines = StyledText(names.joined(separator: ", "), style: .plain).lines(width: width - 2)
    return [style.heading("Inherited options:")]
      + lines.map { "  " + String($0.map { $0 == "\u{A0}" ? " " : $0 }) }
  }

  var examples: [String] {
    guard !node.command.examples.isEmpty else { return [] }
    return [style.heading("Examples:")]
      + node.command.examples.flatMap { example in
        StyledText(example.shows, style: style).lines(width: width - 2).map { "  \($0)" }
          + ["    $ " + style.literal(example.line)]
      }
  }

  var pointer: [String] {
    guard !node.visibleChildren.isEmpty, let program = node.path.first,
      (node.ancestors.first ?? node.command).subcommands.contains(where: { $0.name == Reserved.help })
    else { return [] }
    let words = [program, Reserved.help] + node.path.dropFirst() + ["COMMAND"]
    return StyledText("`\(words.joined(separator: " "))` shows more about a command.", style: style).lines(
      width: width)
  }
}

/// Options by category, in the order in which the categories appear; those without one first.
struct OptionGroups {
  let groups: [(category: String, options: [Option])]

  init(_ options: [Option]) {
    let visible = options.filter { !$0.isHidden }
    var groups = [(category: "Options", options: visible.filter { $0.category == nil })]
    for option in visible {
      guard let category = option.category else { continue }
      if let index = groups.firstIndex(where: { $0.category == category }) {
        groups[index].options.append(option)
      } else {
        groups.append((category, [option]))
      }
    }
    self.groups = groups.filter { !$0.options.isEmpty }
  }
}
