extension UsageError {
  static func unknownSubcommand(_ word: String, at index: Int, in node: CommandNode<some Sendable>)
    -> UsageError
  {
    let path = node.path.joined(separator: " ")
    var hint = node.command.hints[word]
    // Groups that run alone list what they hold.
    if hint == nil, node.command.runsAlone, ["list", "ls", "show", "all"].contains(word) { hint = path }
    let children = node.visibleChildren.map(\.command)
    let byName = Spelling.nearest(to: word, among: children.map(\.name))
    let byAlias = Spelling.nearest(to: word, among: children.flatMap(\.aliases))
    return UsageError(
      .unknownSubcommand, "'\(path)' has no command '\(word)'", word: word, index: index, path: node.path,
      suggestions: hint.map { [$0] } ?? (byName.isEmpty ? byAlias : byName))
  }

  static func missingSubcommand(of node: CommandNode<some Sendable>) -> UsageError {
    let names = node.visibleChildren.map(\.command.name)
    // `fencepost add` takes a title as well.
    let what = node.command.fallback == nil ? "a command" : "words or a command"
    return UsageError(
      .missingSubcommand, "'\(node.path.joined(separator: " "))' needs \(what): \(list(names))",
      path: node.path)
  }

  static func unknownOption(
    _ spelling: String, word: String, at index: Int, in node: CommandNode<some Sendable>
  )
    -> UsageError
  {
    // An option of a deeper command, before that command's name.
    if node.command.needsSubcommand,
      node.subtree.dropFirst().contains(where: { $0.ownOptions.contains { $0.spellings.contains(spelling) } })
    {
      return UsageError(
        .unknownOption, "option '\(spelling)' must come after its command", word: word,
        index: index, path: node.path)
    }
    let visible = node.options.filter { !$0.isHidden }
    var suggestions: [String] = []
    if !spelling.hasPrefix("--") {
      // `-json` for `--json`.
      let long = "-\(word)"
      suggestions = visible.contains { $0.spellings.contains(long) } ? [long] : []
    } else {
      let names = visible.flatMap(\.spellings).filter { $0.hasPrefix("--") }.map { String($0.dropFirst(2)) }
      suggestions = Spelling.nearest(to: String(spelling.dropFirst(2)), among: names).map { "--\($0)" }
    }
    let message =
      spelling == word || spelling.hasPrefix("--")
      ? "unknown option '\(spelling)'" : "unknown option '\(spelling)' in '\(word)'"
    return UsageError(
      .unknownOption, message, word: word, index: index, path: node.path, suggestions: suggestions)
  }

  static func missingValue(
    of value: Option.Value, spelling: String, word: String, at index: Int, next: String?,
    in node: CommandNode<some Sendable>
  ) -> UsageError {
    var message = "option '\(spelling)' needs a value: \(spelling) \(value.metavariable)"
    if let next, next != "--" {
      let joined = spelling.hasPrefix("--") ? "\(spelling)=\(next)" : "\(spelling)\(next)"
      message += " (if '\(next)' is the value, write '\(joined)')"
    }
    return UsageError(.missingValue, message, word: word, index: index, path: node.path)
  }

  static func unexpectedValue(
    _ value: Substring, spelling: String, word: String, at index: Int, in node: CommandNode<some Sendable>
  ) -> UsageError {
    UsageError(
      .unexpectedValue, "option '\(spelling)' takes no value, but got '\(value)'", word: word, index: index,
      path: node.path)
  }

  static func repeated(_ spelling: String, word: String, at index: Int, in node: CommandNode<some Sendable>)
    -> UsageError
  {
    UsageError(
      .repeatedOption, "option '\(spelling)' can't be used more than once", word: word, index: index,
      path: node.path)
  }

  static func missingOption(_ option: Option, in node: CommandNode<some Sendable>) -> UsageError {
    let metavariable = option.value.map { " \($0.metavariable)" } ?? ""
    return UsageError(.missingOption, "missing option '--\(option.name)\(metavariable)'", path: node.path)
  }

  static func missing(_ positional: Positional, in node: CommandNode<some Sendable>) -> UsageError {
    UsageError(
      .missingPositional, "missing \(positional.metavariable): \(InlineText(positional.summary).quoted)",
      path: node.path)
  }

  static func surplus(_ word: String, at index: Int, in node: CommandNode<some Sendable>) -> UsageError {
    let path = node.path.joined(separator: " ")
    let positionals = node.command.positionals
    let taken = positionals.map(\.metavariable).joined(separator: " ")
    let rule =
      positionals.isEmpty
      ? "'\(path)' takes options only"
      : "'\(path)' takes \(taken) only; put quotes around a value with spaces"
    return UsageError(
      .surplusPositional, "unexpected '\(word)': \(rule)", word: word, index: index, path: node.path)
  }

  static func notAChoice(
    _ argument: Argument, of choices: [String], word: String?, in node: CommandNode<some Sendable>
  ) -> UsageError {
    UsageError(
      .invalidValue, "\(argument.label) must be \(list(choices)), not '\(argument.value)'", word: word,
      index: argument.index, path: node.path,
      suggestions: Spelling.nearest(to: argument.value, among: choices))
  }

  static func misplaced(
    _ spelling: String, at index: Int?, of node: CommandNode<some Sendable>,
    before child: CommandNode<some Sendable>
  ) -> UsageError {
    let (own, below) = (node.path.joined(separator: " "), child.path.joined(separator: " "))
    return UsageError(
      .unknownOption, "option '\(spelling)' belongs to '\(own)', not to '\(below)'", word: spelling,
      index: index,
      path: child.path)
  }
}
