/// The script for bash: one function that walks the words to find the command, and tables as `case`
/// statements.
struct BashCompletion<Action: Sendable> {
  let root: CommandNode<Action>

  private var program: String { root.command.name }
  private var function: String { ShellText.functionName(root.path) }
  private var nodes: [CommandNode<Action>] { root.visibleSubtree }

  var script: String {
    """
    # Completion of \(program) for bash, generated from its table of commands.

    # Sets kind to the kind of value for the option $2 of the command $1; fails if it takes none.
    \(function)_option() {
      case "$1|$2" in
    \(optionCases)    *) return 1 ;;
      esac
    }

    # Sets path to the subcommand $2 of the command $1; fails if it does not exist.
    \(function)_descend() {
      case "$1 $2" in
    \(descentCases)    *) return 1 ;;
      esac
    }

    # Sets found to the subcommands of the command $1.
    \(function)_commands() {
      case $1 in
    \(commandCases)    *) found='' ;;
      esac
    }

    # Offers the candidates of the kind in $1 with its parameters that begin with $current.
    \(function)_offer() {
      local kind=$1 candidate quoted found
      shift
      case $kind in
        choices) mapfile -t COMPREPLY < <(compgen -W "$*" -- "$current") ;;
        commands)
          \(function)_commands "$asked"
          mapfile -t COMPREPLY < <(compgen -W "$found" -- "$current")
          ;;
        directory)
          compopt -o filenames
          mapfile -t COMPREPLY < <(compgen -d -- "$current")
          ;;
        file)
          compopt -o filenames
          if (($# == 0)); then
            mapfile -t COMPREPLY < <(compgen -f -- "$current")
          else
            mapfile -t COMPREPLY < <(compgen -d -- "$current"
              for candidate; do compgen -f -X "!*.$candidate" -- "$current"; done)
          fi
          ;;
        program)
          local about
          local -a abouts=()
          while IFS=$'\\t' read -r candidate about; do
            printf -v quoted %q "$candidate"
            if [[ $candidate == "$current"* || $quoted == "$current"* ]]; then
              COMPREPLY+=("$quoted")
              abouts+=("$about")
            fi
          done < <(\(program) candidates "$1" -- "${words[@]}" 2>/dev/null)
          # Show descriptions with several candidates, and insert a single one without it.
          if ((${#COMPREPLY[@]} > 1 && COMP_TYPE != 37 && COMP_TYPE != 42)); then
            for i in "${!COMPREPLY[@]}"; do
              if [[ ${abouts[i]} ]]; then COMPREPLY[i]+="  (${abouts[i]})"; fi
            done
          fi
          ;;
      esac
    }

    \(function)() {
      local -a words=()
      local i word current path=\(program) asked=\(program) kind='' ended='' count=0 found=''
      COMPREPLY=()

      # Bash splits --name=value at the equals sign; join it again.
      for ((i = 1; i <= COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        if ((${#words[@]})) && [[ ${words[-1]} == --* ]] &&
          [[ ($word == = && ${words[-1]} != *=*) || (${COMP_WORDS[i - 1]} == = && ${words[-1]} == *=) ]]; then
          words[-1]+=$word
        else
          words+=("$word")
        fi
      done
      current=${words[-1]}
      unset 'words[-1]'

      for word in "${words[@]}"; do
        if [[ $kind ]]; then
          kind=''
        elif [[ $ended || $word == - || $word != -* || $word == -[0-9.]* ]]; then
          if ! \(function)_descend "$path" "$word"; then
            count=$((count + 1))
            asked+=" $word"
          fi
        elif [[ $word == -- ]]; then
          ended=1
        else
          \(function)_option "$path" "$word"
        fi
      done

      if [[ ! $kind && ! $ended && $current == --*=* ]]; then
        \(function)_option "$path" "${current%%=*}" || return
        current=${current#*=}
      fi
      if [[ $kind ]]; then
        # The kind and its parameters are separate words.
        # shellcheck disable=SC2086
        \(function)_offer $kind
      elif [[ ! $ended && $current == -* ]]; then
        case $path in
    \(spellingCases)    esac
        mapfile -t COMPREPLY < <(compgen -W "$found" -- "$current")
      else
        \(function)_commands "$path"
        if [[ $found ]]; then
          mapfile -t COMPREPLY < <(compgen -W "$found" -- "$current")
          return
        fi
        case "$path|$count" in
    \(positionalCases)    esac
      fi
    }

    complete -F \(function) \(program)

    """
  }

  // MARK: Tables

  private func quotedPath(_ node: CommandNode<Action>) -> String {
    ShellText.quote(node.path.joined(separator: " "))
  }

  /// The options that a command shares match every command below it, by a pattern.
  private var optionCases: String {
    lines(indentation: 4) { lines in
      for node in nodes {
        let path = node.path.joined(separator: " ")
        for option in node.ownOptions where !option.isHidden {
          guard let value = option.value else { continue }
          let isShared = node.command.sharedOptions.contains(option)
          let patterns = option.valueSpellings.map { spelling in
            isShared
              ? ShellText.quote(path) + "*" + ShellText.quote("|\(spelling)")
              : ShellText.quote("\(path)|\(spelling)")
          }
          let kind = ShellText.quote(words(for: value.completion))
          lines.append("\(patterns.joined(separator: " | "))) kind=\(kind) ;;")
        }
      }
    }
  }

  private var descentCases: String {
    lines(indentation: 4) { lines in
      for node in nodes {
        for child in node.visibleChildren {
          let spellings = ([child.command.name] + child.command.aliases).map { name in
            ShellText.quote((node.path + [name]).joined(separator: " "))
          }
          lines.append("\(spellings.joined(separator: " | "))) path=\(quotedPath(child)) ;;")
        }
      }
    }
  }

  private var commandCases: String {
    lines(indentation: 4) { lines in
      for node in nodes where !node.visibleChildren.isEmpty {
        let names = node.visibleChildren.map(\.command.name).joined(separator: " ")
        lines.append("\(quotedPath(node))) found=\(ShellText.quote(names)) ;;")
      }
    }
  }

  private var spellingCases: String {
    lines(indentation: 6) { lines in
      for node in nodes {
        let spellings = node.options.filter { !$0.isHidden }.flatMap(\.spellings).joined(separator: " ")
        lines.append("\(quotedPath(node))) found=\(ShellText.quote(spellings)) ;;")
      }
    }
  }

  private var positionalCases: String {
    lines(indentation: 6) { lines in
      for node in nodes {
        for (index, positional) in node.command.positionals.enumerated() where positional.completion != .none
        {
          let path = node.path.joined(separator: " ")
          let pattern =
            positional.arity.isRepeating
            ? ShellText.quote("\(path)|") + "*" : ShellText.quote("\(path)|\(index)")
          lines.append("\(pattern)) \(function)_offer \(words(for: positional.completion)) ;;")
        }
      }
    }
  }

  /// A kind and its parameters. By the laws of the table, none has a space or a quote.
  private func words(for completion: Completion) -> String {
    switch completion {
    case .none: "none"
    case .file(let extensions): (["file"] + extensions).joined(separator: " ")
    case .directory: "directory"
    case .choices(let choices): (["choices"] + choices).joined(separator: " ")
    case .commands: "commands"
    case .program(let kind): "program \(kind)"
    }
  }

  private func lines(indentation: Int, _ fill: (inout [String]) -> Void) -> String {
    var lines: [String] = []
    fill(&lines)
    return lines.map { String(repeating: " ", count: indentation) + $0 + "\n" }.joined()
  }
}
