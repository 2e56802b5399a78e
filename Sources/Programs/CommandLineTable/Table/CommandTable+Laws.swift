extension CommandTable {
  /// The errors in the table, one per line: "walker add: the summary ends in a full stop".
  ///
  /// The parser and the renderers rely on these rules. A test of the program checks that there are no
  /// violations.
  public func violations() -> [String] {
    root.subtree.flatMap { node in
      Laws(node: node, root: root).violations.map { "\(node.path.joined(separator: " ")): \($0)" }
    }
  }
}

/// The laws for one command.
private struct Laws<Action: Sendable> {
  let node: CommandNode<Action>
  let root: CommandNode<Action>

  var command: Command<Action> { node.command }

  var violations: [String] { shape + names + options + positionals + texts + examples }

  var shape: [String] {
    var found: [String] = []
    if !command.subcommands.isEmpty, !command.positionals.isEmpty {
      found.append("has subcommands and positionals, so that a word may mean either")
    }
    if command.runsAlone, command.subcommands.isEmpty { found.append("runs alone without subcommands") }
    if let name = command.fallback {
      if node.fallback?.command.subcommands.isEmpty != true {
        found.append("falls back on no command '\(name)'")
      }
      if command.runsAlone { found.append("runs alone and falls back, so that no words may mean either") }
    }
    let kinds = node.ownOptions.compactMap(\.value?.completion) + command.positionals.map(\.completion)
    let asks = kinds.contains { if case .program = $0 { true } else { false } }
    if asks, root.child(called: Reserved.candidates) == nil {
      found.append("asks the program for candidates, which has no command '\(Reserved.candidates)'")
    }
    return found
  }

  var names: [String] {
    var found: [String] = []
    for name in [command.name] + command.aliases where !Self.isName(name) {
      found.append("the name '\(name)' is not lowercase ASCII letters, digits and hyphens")
    }
    let children = command.subcommands.flatMap { [$0.name] + $0.aliases }
    found += Self.repeated(children).map { "the subcommand '\($0)' is there twice" }
    found += Self.repeated(command.positionals.map(\.name)).map { "the positional '\($0)' is there twice" }
    found += Self.repeated(node.options.flatMap(\.spellings)).map { "the option '\($0)' is there twice" }
    return found
  }

  var options: [String] {
    node.ownOptions.flatMap { option -> [String] in
      var found: [String] = []
      for name in [option.name] + option.aliases where !Self.isName(name) {
        found.append("'\(name)' is not lowercase ASCII letters, digits and hyphens")
      }
      if let short = option.short, !(short.isASCII && (short.isLetter || short.isNumber)) {
        found.append("the short form '\(short)' is no ASCII letter or digit")
      }
      if let value = option.value {
        found += Self.violations(metavariable: value.metavariable, completion: value.completion)
        if value.environment?.isEmpty == true { found.append("the environment variable has no name") }
        if let choices = value.completion.choices, let text = value.defaultText, !choices.contains(text) {
          found.append("the default '\(text)' is not among the choices")
        }
        if option.interrupts { found.append("takes a value and interrupts") }
      } else if option.isRequired {
        found.append("is a flag and required")
      }
      if option.isNegatable, option.isRepeatable { found.append("is negatable and repeatable") }
      return found.map { "option '--\(option.name)': \($0)" }
    }
  }

  var positionals: [String] {
    var found: [String] = []
    for (positional, next) in zip(command.positionals, command.positionals.dropFirst()) {
      if positional.arity.isRepeating {
        found.append("positional '\(positional.name)' repeats and is not the last")
      }
      if !positional.arity.isRequired, next.arity.isRequired {
        found.append("positional '\(next.name)' is required after an optional one")
      }
    }
    for positional in command.positionals {
      found += Self.violations(metavariable: positional.metavariable, completion: positional.completion)
        .map { "positional '\(positional.name)': \($0)" }
    }
    return found
  }

  var texts: [String] {
    let summaries =
      [("the summary", command.summary)]
      + node.ownOptions.map { ("the summary of '--\($0.name)'", $0.summary) }
      + command.positionals.map { ("the summary of '\($0.name)'", $0.summary) }
      + command.examples.map { ("what '\($0.line)' shows", $0.shows) }
    let paragraphs = command.discussion.map { ("a paragraph", $0) }
    var found: [String] = []
    for (label, text) in summaries {
      if text.isEmpty { found.append("\(label) is empty") }
      if text.hasSuffix(".") { found.append("\(label) ends in a full stop") }
      if text.first?.isLowercase == true { found.append("\(label) begins with a small letter") }
    }
    for (label, text) in summaries + paragraphs {
      if text.count(where: { $0 == "`" }) % 2 == 1 { found.append("\(label) has an open backquote") }
      if text.contains(where: \.isNewline) { found.append("\(label) has a line break") }
    }
    return found
  }

  /// An example must parse, and must call the command that shows it.
  var examples: [String] {
    let table = CommandTable(root.command)
    return command.examples.compactMap { example in
      guard let words = example.words(for: root.command.name) else {
        return "the example '\(example.line)' does not call '\(root.command.name)'"
      }
      do {
        let parsed = try table.parse(words)
        guard parsed.path.starts(with: node.path) else {
          return "the example '\(example.line)' is of '\(parsed.name)'"
        }
        return nil
      } catch {
        return "the example '\(example.line)' fails: \(error)"
      }
    }
  }

  static func violations(metavariable: String, completion: Completion) -> [String] {
    var found: [String] = []
    if metavariable.isEmpty { found.append("the value has no metavariable") }
    if metavariable.contains(where: \.isWhitespace) { found.append("the metavariable has a space") }
    if let choices = completion.choices {
      if choices.isEmpty { found.append("there are no choices") }
      if choices.contains(where: { $0.isEmpty || $0.contains(where: \.isWhitespace) }) {
        found.append("a choice is empty or has a space")
      }
      found += repeated(choices).map { "the choice '\($0)' is there twice" }
    }
    if case .file(let extensions) = completion,
      extensions.contains(where: { !$0.allSatisfy(isNameCharacter) })
    {
      found.append("an extension is not letters and digits")
    }
    if case .program(let kind) = completion, !isName(kind) {
      found.append("'\(kind)' is no kind of candidates")
    }
    return found
  }

  static func isName(_ name: String) -> Bool {
    guard let first = name.first, first != "-", name.last != "-" else { return false }
    return name.allSatisfy { isNameCharacter($0) && !$0.isUppercase }
  }

  static func isNameCharacter(_ character: Character) -> Bool {
    character.isASCII && (character.isLetter || character.isNumber || character == "-")
  }

  static func repeated(_ names: [String]) -> [String] {
    var seen: Set<String> = []
    return names.filter { !seen.insert($0).inserted }
  }
}
