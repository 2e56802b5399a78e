extension CommandNode {
  /// The usage line: `fencepost add reminder [OPTIONS] TITLE`.
  public var usage: String { ([path.joined(separator: " ")] + usageParts).joined(separator: " ") }

  /// The parts after the name in the usage line.
  var usageParts: [String] {
    var parts: [String] = []
    if options.contains(where: { !$0.isHidden && !$0.isRequired }) { parts.append("[OPTIONS]") }
    for option in options where option.isRequired && !option.isHidden {
      parts.append("--\(option.name) \(option.value?.metavariable ?? "")")
    }
    if let fallback { return parts + ["[COMMAND]"] + fallback.command.positionals.map(\.usage) }
    if !visibleChildren.isEmpty { parts.append(command.needsSubcommand ? "COMMAND" : "[COMMAND]") }
    return parts + command.positionals.map(\.usage)
  }
}

extension Positional {
  /// `TITLE`, `[ORDER]`, `FILE...` or `[FILE...]`.
  var usage: String {
    let name = arity.isRepeating ? "\(metavariable)..." : metavariable
    return arity.isRequired ? name : "[\(name)]"
  }
}

extension Option {
  /// The names in the left column of help: `-s, --start`. Without a short form, the long form stays in its
  /// column.
  var signature: String {
    let long = isNegatable ? ["--[no-]\(name)"] + longSpellings.dropFirst() : longSpellings
    return (short.map { "-\($0), " } ?? "    ") + long.joined(separator: ", ")
  }

  /// The additions to the summary in help: the choices, the default, the variable.
  var notes: [String] {
    var notes: [String] = []
    if let choices = value?.completion.choices { notes.append(UsageError.list(choices)) }
    if isRequired { notes.append("required") }
    if isRepeatable { notes.append("may be repeated") }
    if let text = value?.defaultText { notes.append("default: \(text)") }
    if let variable = value?.environment { notes.append("variable: \(variable)") }
    return notes
  }
}

extension Positional {
  /// The additions to the summary in help.
  var notes: [String] { completion.choices.map { [UsageError.list($0)] } ?? [] }
}
