import FencepostConfiguration
import FencepostSystem

/// The program of an app's desktop file (Desktop Entry Specification, the key `Exec`).
struct DesktopEntry {
  /// The words of `Exec`, with its field codes.
  private let words: [String]

  /// The maximum size of a file in bytes.
  private static let maximumBytes = 1 << 20

  /// The app's file in the folders `applications` of the data directories; `nil` if it is missing or has no
  /// program.
  init?(app: String, environment: [String: String]) {
    // The name comes from an app, so it must be a plain file name.
    guard !app.isEmpty, !app.contains("/"), !app.hasPrefix(".") else { return nil }
    for folder in StandardPaths(environment: environment).dataDirectories {
      let path = "\(folder)/applications/\(app).desktop"
      guard let bytes = try? WholeFile.read(path), bytes.count <= Self.maximumBytes else { continue }
      self.init(text: String(decoding: bytes, as: UTF8.self))
      return
    }
    return nil
  }

  /// The program in the group `Desktop Entry` of a file.
  init?(text: String) {
    var isInGroup = false
    var exec: String?
    for line in text.split(whereSeparator: \.isNewline) {
      if line.hasPrefix("[") { isInGroup = line == "[Desktop Entry]" }
      guard isInGroup, exec == nil, let equals = line.firstIndex(of: "=") else { continue }
      guard line[..<equals].filter({ $0 != " " }) == "Exec" else { continue }
      exec = String(line[line.index(after: equals)...].drop { $0 == " " })
    }
    guard let exec, let words = Self.words(of: exec), !words.isEmpty else { return nil }
    self.words = words
  }

  /// The program with its arguments for an address.
  func program(opening address: String?) -> ChildProgram {
    var arguments: [String] = []
    for word in words.dropFirst() {
      switch word {
      case "%u", "%U": if let address { arguments.append(address) }
      // Field codes for files, icons and names are dropped.
      case "%f", "%F", "%i", "%c", "%k", "%d", "%D", "%n", "%N", "%v", "%m": break
      default: arguments.append(word.replacing("%%", with: "%"))
      }
    }
    return ChildProgram(path: words[0].replacing("%%", with: "%"), arguments: arguments)
  }

  /// The words of a command line, separated by blanks. Double quotes and backslashes before special
  /// characters work; `nil` if a quote is not closed.
  private static func words(of text: String) -> [String]? {
    var words: [String] = []
    var word: String?
    var isQuoted = false
    var isEscaped = false
    for character in text {
      if isEscaped {
        word = (word ?? "") + String(character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else if character == "\"" {
        isQuoted.toggle()
        word = word ?? ""
      } else if character == " " && !isQuoted {
        if let word { words.append(word) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    if let word { words.append(word) }
    return isQuoted || isEscaped ? nil : words
  }
}
