extension CommandTable {
  /// The manual page of the program, in mdoc, with a subsection for each visible command.
  public func manualPage(_ details: ManualDetails) -> String {
    var page = ManualPage(node: root, details: details)
    page.head()
    for node in root.visibleSubtree where !node.command.needsSubcommand { page.synopsis(of: node) }
    page.description(lists: [
      ("The program itself takes:", root.command.options),
      ("Every command takes:", root.command.sharedOptions),
    ])
    page.commands()
    page.tail(nodes: root.visibleSubtree)
    return page.mdoc.text
  }
}

extension CommandNode {
  /// The manual page of this command alone, in mdoc. Its name is the path with hyphens:
  /// `fencepost-add-reminder`.
  public func manualPage(_ details: ManualDetails) -> String {
    var page = ManualPage(node: self, details: details)
    page.head()
    page.synopsis(of: self)
    page.description(lists: [("The options are:", ownOptions), ("Inherited options are:", inheritedOptions)])
    page.subcommands()
    page.tail(nodes: [self])
    return page.mdoc.text
  }
}

/// A manual page, written section by section in the order of mdoc(7).
private struct ManualPage<Action: Sendable> {
  let node: CommandNode<Action>
  let details: ManualDetails
  var mdoc = Mdoc()

  var program: String { node.path.first ?? "" }

  mutating func head() {
    let name = node.path.joined(separator: "-")
    mdoc.raw(".Dd \(details.date)")
    mdoc.macro("Dt", name.uppercased(), "1")
    mdoc.raw(".Os")
    mdoc.raw(".Sh NAME")
    mdoc.macro("Nm", name)
    mdoc.macro("Nd", Self.phrase(node.command.summary))
    mdoc.raw(".Sh SYNOPSIS")
  }

  /// A summary as the end of a line "name – summary". Its first word is lower case, unless it is an
  /// abbreviation.
  static func phrase(_ summary: String) -> String {
    let bare = InlineText(summary).bare
    guard bare.dropFirst().first?.isUppercase != true else { return bare }
    return bare.prefix(1).lowercased() + bare.dropFirst()
  }

  mutating func synopsis(of node: CommandNode<Action>) {
    mdoc.macro("Nm", program)
    if node.ancestors.isEmpty, node.command.needsSubcommand { return }
    for name in node.path.dropFirst() { mdoc.macro("Cm", name) }
    if node.options.contains(where: { !$0.isHidden && !$0.isRequired }) { mdoc.raw(".Op Ar options") }
    for option in node.options where option.isRequired && !option.isHidden {
      mdoc.raw("." + Self.item(of: option, spellings: ["--\(option.name)"]))
    }
    if !node.visibleChildren.isEmpty {
      let isOptional = node.fallback != nil || !node.command.needsSubcommand
      mdoc.raw(isOptional ? ".Op Ar command" : ".Ar command")
    }
    for positional in (node.fallback ?? node).command.positionals {
      let argument =
        "Ar \(Mdoc.argument(positional.metavariable))\(positional.arity.isRepeating ? " ..." : "")"
      mdoc.raw(positional.arity.isRequired ? ".\(argument)" : ".Op \(argument)")
    }
  }

  mutating func description(lists: [(lead: String, options: [Option])]) {
    mdoc.raw(".Sh DESCRIPTION")
    // The summary is already in NAME.
    discussion(node.command.discussion.isEmpty ? ["\(node.command.summary)."] : node.command.discussion)
    arguments(of: node)
    for (lead, options) in lists { list(options, lead: lead) }
  }

  mutating func commands() {
    guard !node.visibleChildren.isEmpty else { return }
    mdoc.raw(".Sh COMMANDS")
    for child in node.visibleSubtree.dropFirst()
    where !child.command.needsSubcommand || !child.command.discussion.isEmpty {
      mdoc.macro("Ss", child.name)
      discussion(["\(child.command.summary)."] + child.command.discussion)
      if !child.command.aliases.isEmpty {
        mdoc.raw(".Pp")
        mdoc.prose("Also called \(UsageError.list(child.command.aliases.map { "`\($0)`" })).")
      }
      arguments(of: child)
      // Each command lists the options of its groups.
      list(child.options.filter { !node.command.sharedOptions.contains($0) }, lead: "Its options are:")
    }
  }

  mutating func subcommands() {
    guard !node.visibleChildren.isEmpty else { return }
    mdoc.raw(".Sh COMMANDS")
    mdoc.raw(".Bl -tag -width Ds")
    for child in node.visibleChildren {
      // Not as arguments of a macro: there a macro's name stands for itself.
      mdoc.raw(".It Cm \(Mdoc.argument(child.command.name))")
      mdoc.prose("\(child.command.summary).")
    }
    mdoc.raw(".El")
  }

  mutating func tail(nodes: [CommandNode<Action>]) {
    environment(nodes: nodes)
    entries("FILES", details.files, macro: "Pa")
    entries("EXIT STATUS", details.exitStatuses, macro: "Li")
    examples(of: nodes)
    var pages = details.seeAlso
    if !node.ancestors.isEmpty { pages.append(.init(program, 1)) }
    guard !pages.isEmpty else { return }
    mdoc.raw(".Sh SEE ALSO")
    // mdoc(7): by section, then by name.
    pages.sort { ($0.section, $0.name) < ($1.section, $1.name) }
    for (index, page) in pages.enumerated() {
      mdoc.raw(".Xr \(Mdoc.argument(page.name)) \(page.section)\(index + 1 < pages.count ? " ," : "")")
    }
  }

  // MARK: Parts of sections

  mutating func discussion(_ paragraphs: [String]) {
    for (index, paragraph) in paragraphs.enumerated() {
      if index > 0 { mdoc.raw(".Pp") }
      mdoc.prose(paragraph)
    }
  }

  mutating func arguments(of node: CommandNode<Action>) {
    guard !node.command.positionals.isEmpty else { return }
    mdoc.raw(".Bl -tag -width Ds")
    for positional in node.command.positionals {
      mdoc.raw(
        ".It Ar \(Mdoc.argument(positional.metavariable))\(positional.arity.isRepeating ? " ..." : "")")
      mdoc.prose(Self.sentence(positional.summary, notes: positional.notes))
    }
    mdoc.raw(".El")
  }

  mutating func list(_ options: [Option], lead: String) {
    guard options.contains(where: { !$0.isHidden }) else { return }
    mdoc.raw(".Pp")
    mdoc.prose(lead)
    mdoc.raw(".Bl -tag -width Ds")
    for option in options where !option.isHidden {
      mdoc.raw(".It " + Self.item(of: option, spellings: option.spellings))
      mdoc.prose(Self.sentence(option.summary, notes: option.notes))
    }
    mdoc.raw(".El")
  }

  static func item(of option: Option, spellings: [String]) -> String {
    let names = spellings.map { "Fl \(Mdoc.argument(String($0.dropFirst())))" }.joined(separator: " , ")
    return option.value.map { "\(names) Ar \(Mdoc.argument($0.metavariable))" } ?? names
  }

  static func sentence(_ summary: String, notes: [String]) -> String {
    notes.isEmpty ? "\(summary)." : "\(summary) (\(notes.joined(separator: "; ")))."
  }

  mutating func environment(nodes: [CommandNode<Action>]) {
    var seen: Set<String> = []
    let fromOptions = nodes.flatMap(\.options).filter { !$0.isHidden }.compactMap { option in
      option.value?.environment.map { variable in
        ManualDetails.Entry(variable, "Stands in for `--\(option.name)` when that is not given.")
      }
    }.filter { seen.insert($0.term).inserted }
    entries("ENVIRONMENT", fromOptions + details.environment, macro: "Ev")
  }

  mutating func entries(_ heading: String, _ entries: [ManualDetails.Entry], macro: String) {
    guard !entries.isEmpty else { return }
    mdoc.raw(".Sh \(heading)")
    mdoc.raw(".Bl -tag -width Ds")
    for entry in entries {
      mdoc.raw(".It \(macro) \(Mdoc.argument(entry.term))")
      mdoc.prose(entry.text)
    }
    mdoc.raw(".El")
  }

  mutating func examples(of nodes: [CommandNode<Action>]) {
    let examples = nodes.flatMap(\.command.examples)
    guard !examples.isEmpty else { return }
    mdoc.raw(".Sh EXAMPLES")
    for (index, example) in examples.enumerated() {
      if index > 0 { mdoc.raw(".Pp") }
      mdoc.prose("\(example.shows):")
      mdoc.display(["$ \(example.line)"])
    }
  }
}
