/// The script for zsh: one function per command, each a call of `_arguments`.
struct ZshCompletion<Action: Sendable> {
  let root: CommandNode<Action>

  private var program: String { root.command.name }
  private var function: String { ShellText.functionName(root.path) }

  var script: String {
    """
    #compdef \(program)
    # Completion of \(program) for zsh, generated from its table of commands.

    # The words before the completed one. Within a command, `words` starts at its name.
    typeset -ga \(function)__line

    # Offers the program's candidates of the kind $1.
    \(function)__candidates() {
      local -a found shown
      local tab=$'\\t'
      found=("${(@f)$(\(program) candidates $1 -- $\(function)__line 2>/dev/null)}")
      found=(${found:#})
      # A tab separates a candidate from its description.
      shown=("${(@)found//$tab/  -- }")
      found=("${(@)found%%$tab*}")
      compadd -l -d shown -a found
    }

    # Offers the subcommands of the command on the line after `help`.
    \(function)__commands() {
      local -a found
      case "${(j: :)words[2,CURRENT-1]:#-*}" in
    \(commandCases)  esac
      compadd -a found
    }

    \(root.visibleSubtree.map(commandFunction).joined(separator: "\n"))
    if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
      \(function) "$@"
    else
      compdef \(function) \(program)
    fi

    """
  }

  private var commandCases: String {
    root.visibleSubtree.filter { !$0.visibleChildren.isEmpty }.map { node in
      "    \(ShellText.quote(node.name))) found=(\(node.visibleChildren.map(\.command.name).joined(separator: " "))) ;;\n"
    }.joined()
  }

  private func commandFunction(_ node: CommandNode<Action>) -> String {
    var specifications = node.options.filter { !$0.isHidden }.map(specification)
    let name = ShellText.functionName(node.path)
    guard !node.visibleChildren.isEmpty else {
      specifications += node.command.positionals.map(specification)
      return """
        \(name)() {
          _arguments -s -S \(joined(specifications))
        }

        """
    }
    // Options after a command belong to it, even shared ones.
    specifications += ["'(-)1: :->command'", "'(-)*:: :->rest'"]
    let descriptions = node.visibleChildren.map { child in
      "        " + ShellText.quote("\(child.command.name):\(InlineText(child.command.summary).bare)") + "\n"
    }.joined()
    let calls = node.visibleChildren.map { child in
      let names = [child.command.name] + child.command.aliases
      return "        \(names.joined(separator: "|"))) \(ShellText.functionName(child.path)) && ret=0 ;;\n"
    }.joined()
    return """
      \(name)() {
        \(node.ancestors.isEmpty ? "\(function)__line=(\"${(@)words[2,CURRENT-1]}\")\n  " : "")local curcontext=$curcontext state line ret=1
        local -a commands
        typeset -A opt_args
        _arguments -s -S -C \(joined(specifications)) && ret=0
        case $state in
          command)
            commands=(
      \(descriptions)      )
            _describe -t commands command commands && ret=0
            ;;
          rest)
            case $words[1] in
      \(calls)      esac
            ;;
        esac
        return ret
      }

      """
  }

  private func joined(_ specifications: [String]) -> String {
    specifications.map { "\\\n    \($0)" }.joined(separator: " ")
  }

  // MARK: Specifications of _arguments

  private func specification(_ option: Option) -> String {
    let description = "[\(escape(InlineText(option.summary).bare, also: "[]"))]"
    let spellings = option.spellings.map { spelling in
      // The value can directly follow a short option, or an equals sign after a long one.
      option.value == nil ? spelling : spelling + (spelling.hasPrefix("--") ? "=" : "+")
    }
    let others =
      option.isRepeatable
      ? "*" : option.spellings.count > 1 ? "(\(option.spellings.joined(separator: " ")))" : ""
    var tail = description
    if let value = option.value {
      tail += ":\(escape(value.metavariable)):\(action(for: value.completion))"
    }
    guard spellings.count > 1 else { return ShellText.quote(others + (spellings.first ?? "") + tail) }
    return
      "\(others.isEmpty ? "" : ShellText.quote(others)){\(spellings.joined(separator: ","))}\(ShellText.quote(tail))"
  }

  private func specification(_ positional: Positional) -> String {
    let lead = positional.arity.isRepeating ? "*" : positional.arity.isRequired ? "" : ":"
    return ShellText.quote("\(lead):\(escape(positional.metavariable)):\(action(for: positional.completion))")
  }

  private func action(for completion: Completion) -> String {
    switch completion {
    case .none: " "
    case .file(let extensions) where extensions.isEmpty: "_files"
    // With only one extension, zsh would read parentheses as glob qualifiers.
    case .file(let extensions) where extensions.count == 1: "_files -g \"*.\(extensions[0])\""
    case .file(let extensions): "_files -g \"*.(\(extensions.joined(separator: "|")))\""
    case .directory: "_files -/"
    case .choices(let choices): "(\(choices.joined(separator: " ")))"
    case .commands: "{\(function)__commands}"
    case .program(let kind): "{\(function)__candidates \(kind)}"
    }
  }

  private func escape(_ text: String, also others: String = "") -> String {
    text.map { $0 == ":" || $0 == "\\" || others.contains($0) ? "\\\($0)" : String($0) }.joined()
  }
}
