/// The script for fish: a function that walks the words to find the command, and a `complete` line for each
/// possible word.
struct FishCompletion<Action: Sendable> {
  let root: CommandNode<Action>

  private var program: String { root.command.name }
  private var function: String { "_" + ShellText.functionName(root.path) }
  private var nodes: [CommandNode<Action>] { root.visibleSubtree }

  var script: String {
    """
    # Completion of \(program) for fish, generated from its table of commands.

    # Prints the command before the cursor, and then its positional words, one per line.
    function \(function)_state
      set -l path \(program)
      set -l rest
      set -l ended 0
      set -l skip 0
      set -l words (commandline -opc)
      for word in $words[2..-1]
        if test $skip = 1
          set skip 0
          continue
        end
        if test $ended = 0
          if test "$word" = --
            set ended 1
            continue
          end
          if string match -qr '^-[^0-9.]' -- "$word"
            switch "$path|$word"
    \(valueCases)        end
            continue
          end
        end
        switch "$path $word"
    \(descentCases)      case '*'
            set -a rest $word
        end
      end
      printf '%s\\n' $path $rest
    end

    # Whether the words lead to the command $argv[1], with $argv[2] positional words if given; a plus sign after the number allows more.
    function \(function)_at
      set -l state (\(function)_state)
      test "$state[1]" = "$argv[1]"; or return 1
      set -q argv[2]; or return 0
      set -l count (math (count $state) - 1)
      switch $argv[2]
        case '*+'
          test $count -ge (string trim -r -c + -- $argv[2])
        case '*'
          test $count -eq $argv[2]
      end
    end

    # Whether the words lead to the command $argv[1] or to one of its subcommands.
    function \(function)_under
      set -l state (\(function)_state)
      test "$state[1]" = "$argv[1]"; or string match -q -- "$argv[1] *" "$state[1]"
    end

    # Prints the subcommands of the command on the line after `help`.
    function \(function)_commands
      set -l state (\(function)_state)
      switch "$state[2..-1]"
    \(commandCases)  end
    end

    complete -c \(program) -f
    \(completions.joined(separator: "\n"))

    """
  }

  // MARK: Tables

  private var valueCases: String {
    nodes.flatMap { node -> [String] in
      let path = node.path.joined(separator: " ")
      let own = node.command.options.filter { !$0.isHidden }.flatMap(\.valueSpellings).map {
        "'\(path)|\($0)'"
      }
      let shared = node.command.sharedOptions.filter { !$0.isHidden }.flatMap(\.valueSpellings).map {
        "'\(path)*|\($0)'"
      }
      let patterns = own + shared
      return patterns.isEmpty
        ? [] : ["          case \(patterns.joined(separator: " "))\n            set skip 1\n"]
    }.joined()
  }

  private var descentCases: String {
    nodes.flatMap(\.visibleChildren).map { child in
      let parent = child.path.dropLast()
      let names = ([child.command.name] + child.command.aliases).map { name in
        quote((parent + [name]).joined(separator: " "))
      }
      let path = quote(child.path.joined(separator: " "))
      return "      case \(names.joined(separator: " "))\n        set path \(path)\n"
    }.joined()
  }

  private var commandCases: String {
    nodes.filter { !$0.visibleChildren.isEmpty }.map { node in
      "    case \(quote(node.name))\n      printf '%s\\n' \(node.visibleChildren.map(\.command.name).joined(separator: " "))\n"
    }.joined()
  }

  // MARK: Lines

  private var completions: [String] {
    nodes.flatMap { node -> [String] in
      let at = condition("at", node)
      let commands = node.visibleChildren.map { child in
        "\(at) -a \(child.command.name) -d \(quote(InlineText(child.command.summary).bare))"
      }
      let own = node.command.options.filter { !$0.isHidden }.flatMap { lines(for: $0, condition: at) }
      let shared = node.command.sharedOptions.filter { !$0.isHidden }
        .flatMap { lines(for: $0, condition: condition("under", node)) }
      let positionals = node.command.positionals.enumerated().compactMap { index, positional -> String? in
        let count = " \(index)\(positional.arity.isRepeating ? "+" : "")"
        let candidates = candidates(for: positional.completion)
        return candidates.isEmpty ? nil : condition("at", node, count) + candidates
      }
      return commands + own + shared + positionals
    }
  }

  private func condition(_ test: String, _ node: CommandNode<Action>, _ count: String = "") -> String {
    // Fish takes the condition as a script, so quotes are within quotes.
    "complete -c \(program) -n \"\(function)_\(test) '\(node.path.joined(separator: " "))'\(count)\""
  }

  private func lines(for option: Option, condition: String) -> [String] {
    let names =
      (option.short.map { " -s \($0)" } ?? "") + ([option.name] + option.aliases).map { " -l \($0)" }.joined()
    let description = " -d \(quote(InlineText(option.summary).bare))"
    let value = option.value.map { value in
      let candidates = candidates(for: value.completion)
      return candidates == " -F" ? " -r -F" : " -x" + candidates
    }
    var lines = [condition + names + (value ?? "") + description]
    if option.isNegatable {
      lines.append("\(condition) -l no-\(option.name) -d \(quote("Opposite of --\(option.name)"))")
    }
    return lines
  }

  private func candidates(for completion: Completion) -> String {
    switch completion {
    case .none: ""
    case .file(let extensions) where extensions.isEmpty: " -F"
    case .file(let extensions):
      " -a \"(\(extensions.map { "__fish_complete_suffix .\($0)" }.joined(separator: "; ")))\""
    case .directory: " -a '(__fish_complete_directories)'"
    case .choices(let choices): " -a '\(choices.joined(separator: " "))'"
    case .commands: " -a '(\(function)_commands)'"
    case .program(let kind): " -a '(\(program) candidates \(kind) -- (commandline -opc)[2..-1] 2>/dev/null)'"
    }
  }

  /// Within single quotes fish still reads a backslash.
  private func quote(_ text: String) -> String {
    "'" + text.map { $0 == "'" || $0 == "\\" ? "\\\($0)" : String($0) }.joined() + "'"
  }
}
