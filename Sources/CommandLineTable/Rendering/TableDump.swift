extension CommandTable {
  /// The table as JSON, hidden parts included, for tools that make something else of it. Keys are never renamed.
  public func json() -> String { JSONText(root.command).text() + "\n" }
}

extension JSONText {
  init(_ command: Command) {
    self = .object([
      ("name", .string(command.name)),
      ("aliases", .strings(command.aliases)),
      ("summary", .string(command.summary)),
      ("discussion", .strings(command.discussion)),
      (
        "examples",
        .array(command.examples.map { .object([("line", .string($0.line)), ("shows", .string($0.shows))]) })
      ),
      ("options", .array(command.options.map { JSONText($0) })),
      ("shared_options", .array(command.sharedOptions.map { JSONText($0) })),
      ("positionals", .array(command.positionals.map { JSONText($0) })),
      ("subcommands", .array(command.subcommands.map { JSONText($0) })),
      ("runs_alone", .bool(!command.needsSubcommand)),
      ("category", .optional(command.category)),
      ("hidden", .bool(command.isHidden)),
    ])
  }

  private init(_ option: Option) {
    self = .object([
      ("name", .string(option.name)),
      ("short", .optional(option.short.map { String($0) })),
      ("aliases", .strings(option.aliases)),
      ("metavariable", .optional(option.value?.metavariable)),
      ("completion", option.value.map { JSONText($0.completion) } ?? .null),
      ("default", .optional(option.value?.defaultText)),
      ("environment", .optional(option.value?.environment)),
      ("negatable", .bool(option.isNegatable)),
      ("repeatable", .bool(option.isRepeatable)),
      ("required", .bool(option.isRequired)),
      ("interrupts", .bool(option.interrupts)),
      ("summary", .string(option.summary)),
      ("category", .optional(option.category)),
      ("hidden", .bool(option.isHidden)),
    ])
  }

  private init(_ positional: Positional) {
    self = .object([
      ("name", .string(positional.name)),
      ("metavariable", .string(positional.metavariable)),
      ("required", .bool(positional.arity.isRequired)),
      ("repeating", .bool(positional.arity.isRepeating)),
      ("completion", JSONText(positional.completion)),
      ("summary", .string(positional.summary)),
    ])
  }

  private init(_ completion: Completion) {
    switch completion {
    case .none: self = .null
    case .file(let extensions):
      self = .object([("kind", .string("file")), ("extensions", .strings(extensions))])
    case .directory: self = .object([("kind", .string("directory"))])
    case .choices(let choices):
      self = .object([("kind", .string("choices")), ("choices", .strings(choices))])
    case .commands: self = .object([("kind", .string("commands"))])
    case .program(let kind): self = .object([("kind", .string("program")), ("candidates", .string(kind))])
    }
  }

  private static func strings(_ strings: [String]) -> JSONText { .array(strings.map { .string($0) }) }
  private static func optional(_ string: String?) -> JSONText { string.map { .string($0) } ?? .null }
}
