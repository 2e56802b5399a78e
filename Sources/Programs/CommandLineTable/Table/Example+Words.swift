extension Example {
  /// The words that a shell would pass to `program` for this line; `nil` if the line does not call it or has
  /// an open quote. Pipes, redirections and other commands of the line are left out.
  ///
  /// Understands quotes, backslashes, `|`, `;`, `&`, `<` and `>`; expands nothing.
  public func words(for program: String) -> [String]? { calls(of: program).last }

  /// All calls of `program` in this line, each as the words that a shell would pass to it.
  public func calls(of program: String) -> [[String]] {
    (ShellWords.commands(of: line) ?? []).filter { $0.first == program }.map { Array($0.dropFirst()) }
  }
}

/// A small part of a shell's word splitting, for examples.
private enum ShellWords {
  /// The commands of a line, each as its words; `nil` if a quote is open.
  static func commands(of line: String) -> [[String]]? {
    var commands: [[String]] = [[]]
    var word: String?
    var quote: Character?
    var isEscaped = false
    var isTarget = false

    func finish() {
      guard let finished = word else { return }
      if !isTarget { commands[commands.count - 1].append(finished) }
      word = nil
      isTarget = false
    }

    for character in line {
      if isEscaped {
        word = (word ?? "") + String(character)
        isEscaped = false
        continue
      }
      if let open = quote {
        if character == open {
          quote = nil
        } else if character == "\\", open == "\"" {
          isEscaped = true
        } else {
          word = (word ?? "") + String(character)
        }
        continue
      }
      switch character {
      case "\\": isEscaped = true
      case "'", "\"":
        quote = character
        word = word ?? ""
      case "|", ";", "&":
        finish()
        commands.append([])
      case "<", ">":
        finish()
        isTarget = true
      case let space where space.isWhitespace: finish()
      default: word = (word ?? "") + String(character)
      }
    }
    finish()
    return quote == nil && !isEscaped ? commands : nil
  }
}
