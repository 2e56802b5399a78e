extension CommandTable {
  /// Parses a command line.
  ///
  /// Options may come before, between and after positionals; `--` ends them. Values have the forms `--name
  /// value`, `--name=value`, `-n value`, `-nvalue` or `-n=value`; one-letter flags may be combined. A lone
  /// `-` is a positional. So is a word of `-` and a digit or a dot (`-33.86,151.2`), unless it is a short
  /// option. A word that looks like an option can be the value of another option only in a joined form.
  ///
  /// - Parameters:
  ///   - words: The words after the program's name.
  ///   - environment: The environment variables, for options that name one and are not given. An empty
  ///     variable counts as missing.
  /// - Throws: ``UsageError`` for the first word that the table does not allow, or for a missing argument.
  public func parse(_ words: [String], environment: [String: String] = [:]) throws(UsageError)
    -> ParsedCommand<Action>
  {
    var parser = Parser(words: words, node: root)
    try parser.readWords()
    return try parser.finish(environment: environment)
  }
}

/// Parses one command line, from left to right.
private struct Parser<Action: Sendable> {
  let words: [String]
  var node: CommandNode<Action>
  var position = 0
  var optionsEnded = false
  var isInterrupted = false
  var isFallback = false
  /// By the option's name.
  var occurrences: [String: [Occurrence]] = [:]
  var positionals: [(word: String, index: Int)] = []

  init(words: [String], node: CommandNode<Action>) {
    self.words = words
    self.node = node
  }

  mutating func readWords() throws(UsageError) {
    while position < words.count {
      let word = words[position]
      if optionsEnded || !looksLikeOption(word) {
        try readPositional(word)
      } else if word == "--" {
        optionsEnded = true
      } else if word.hasPrefix("--") {
        try readLong(word)
      } else {
        try readShort(word)
      }
      position += 1
    }
  }

  func looksLikeOption(_ word: String) -> Bool {
    guard word.count > 1, word.hasPrefix("-") else { return false }
    guard let second = word.dropFirst().first, second == "." || ("0"..."9").contains(second) else {
      return true
    }
    return option(short: second) != nil
  }

  func option(short letter: Character) -> Option? { node.options.first { $0.short == letter } }

  // MARK: Positionals

  mutating func readPositional(_ word: String) throws(UsageError) {
    guard !node.command.subcommands.isEmpty else {
      positionals.append((word, position))
      return
    }
    guard let child = node.child(called: word) else {
      let error = UsageError.unknownSubcommand(word, at: position, in: node)
      // A near miss is a typo.
      guard error.suggestions.isEmpty, let fallback = node.fallback else { throw error }
      node = fallback
      isFallback = true
      return try readPositional(word)
    }
    // The child must accept the options so far.
    for option in node.command.options {
      guard let occurrence = occurrences[option.name]?.first,
        case .option(let spelling) = occurrence.argument.origin
      else { continue }
      throw .misplaced(spelling, at: occurrence.argument.index, of: node, before: child)
    }
    node = child
  }

  // MARK: Options

  mutating func readLong(_ word: String) throws(UsageError) {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let spelling = String(parts[0])
    let joined = parts.count > 1 ? parts[1] : nil
    let name = String(spelling.dropFirst(2))
    if let option = node.options.first(where: { $0.name == name || $0.aliases.contains(name) }) {
      try record(option, spelling: spelling, joined: joined, word: word)
      return
    }
    guard let option = node.options.first(where: { $0.isNegatable && "no-\($0.name)" == name }) else {
      if fallsBack() { return try readLong(word) }
      throw .unknownOption(spelling, word: word, at: position, in: node)
    }
    try record(option, isOn: false, spelling: spelling, joined: joined, word: word)
  }

  /// Continues with the fallback, for an option that this command does not have.
  mutating func fallsBack() -> Bool {
    guard let fallback = node.fallback, !words[position...].contains(where: { node.child(called: $0) != nil })
    else { return false }
    node = fallback
    isFallback = true
    return true
  }

  /// Parses `-abc`: flags, and possibly an option with its value at the end.
  mutating func readShort(_ word: String) throws(UsageError) {
    var rest = word.dropFirst()
    while let letter = rest.popFirst() {
      let spelling = "-\(letter)"
      guard let option = option(short: letter) else {
        if spelling.dropFirst() == word.dropFirst().prefix(1), fallsBack() { return try readShort(word) }
        throw .unknownOption(spelling, word: word, at: position, in: node)
      }
      if option.value != nil {
        let joined = rest.first == "=" ? rest.dropFirst() : rest
        try record(option, spelling: spelling, joined: rest.isEmpty ? nil : joined, word: word)
        return
      }
      if rest.first == "=" {
        throw .unexpectedValue(rest.dropFirst(), spelling: spelling, word: word, at: position, in: node)
      }
      try record(option, spelling: spelling, joined: nil, word: word)
    }
  }

  mutating func record(
    _ option: Option, isOn: Bool = true, spelling: String, joined: Substring?, word: String
  ) throws(UsageError) {
    if option.value != nil, !option.isRepeatable, occurrences[option.name] != nil {
      throw .repeated(spelling, word: word, at: position, in: node)
    }
    let value = try value(of: option, spelling: spelling, joined: joined, word: word)
    let argument = Argument(value: value, origin: .option(spelling), index: position)
    if let choices = option.value?.completion.choices {
      try check(argument, against: choices)
    }
    occurrences[option.name, default: []].append(Occurrence(argument: argument, isOn: isOn))
    isInterrupted = isInterrupted || (option.interrupts && isOn)
  }

  /// The value of `option`, which may be the next word; empty for a flag.
  mutating func value(
    of option: Option, spelling: String, joined: Substring?, word: String
  ) throws(UsageError) -> String {
    switch (option.value, joined) {
    case (nil, nil): return ""
    case (nil, let joined?):
      throw .unexpectedValue(joined, spelling: spelling, word: word, at: position, in: node)
    case (_?, let joined?): return String(joined)
    case (let value?, nil):
      let next = position + 1 < words.count ? words[position + 1] : nil
      guard let next, !looksLikeOption(next) else {
        throw .missingValue(of: value, spelling: spelling, word: word, at: position, next: next, in: node)
      }
      position += 1
      return next
    }
  }

  func check(_ argument: Argument, against choices: [String]) throws(UsageError) {
    guard !choices.contains(argument.value) else { return }
    throw .notAChoice(argument, of: choices, word: argument.index.map { words[$0] }, in: node)
  }

  // MARK: The end

  mutating func finish(environment: [String: String]) throws(UsageError) -> ParsedCommand<Action> {
    // Help works on an incomplete command line.
    guard !isInterrupted else {
      return ParsedCommand(
        node: node, occurrences: occurrences, positionals: [:], isInterrupted: true,
        isFallback: isFallback)
    }
    try readEnvironment(environment)
    if node.command.needsSubcommand { throw .missingSubcommand(of: node) }
    let assigned = try assignPositionals()
    for option in node.options where option.isRequired && occurrences[option.name] == nil {
      throw .missingOption(option, in: node)
    }
    return ParsedCommand(
      node: node, occurrences: occurrences, positionals: assigned, isInterrupted: false,
      isFallback: isFallback)
  }

  mutating func readEnvironment(_ environment: [String: String]) throws(UsageError) {
    for option in node.options where occurrences[option.name] == nil {
      guard let name = option.value?.environment, let text = environment[name], !text.isEmpty else {
        continue
      }
      let argument = Argument(value: text, origin: .environment(name), index: nil)
      if let choices = option.value?.completion.choices { try check(argument, against: choices) }
      occurrences[option.name] = [Occurrence(argument: argument)]
    }
  }

  /// Assigns the positional words in order. The laws of the table ensure that optional positionals come after
  /// required ones, and that only the last one repeats.
  func assignPositionals() throws(UsageError) -> [String: [Argument]] {
    var assigned: [String: [Argument]] = [:]
    var rest = positionals[...]
    for positional in node.command.positionals {
      let taken = positional.arity.isRepeating ? rest : rest.prefix(1)
      rest = rest.dropFirst(taken.count)
      if taken.isEmpty, positional.arity.isRequired { throw .missing(positional, in: node) }
      let arguments = taken.map {
        Argument(value: $0.word, origin: .position(positional.metavariable), index: $0.index)
      }
      if let choices = positional.completion.choices {
        for argument in arguments { try check(argument, against: choices) }
      }
      assigned[positional.name] = arguments
    }
    if let surplus = rest.first { throw .surplus(surplus.word, at: surplus.index, in: node) }
    return assigned
  }
}
