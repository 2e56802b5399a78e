import FencepostCommandLineTable
import FencepostTestSupport
import Foundation
import Testing

/// This runs the script: bash is on every system of the program.
@Suite("Completion in bash") struct BashCompletionTests {
  @Test func syntax() throws {
    let (status, output) = try Self.bash(["-n"], script: sample.completionScript(for: .bash))
    #expect(status == 0, "\(output)")
  }

  /// The words into which bash would split the line, with the last one being completed; and the offered
  /// completions.
  @Test(arguments: [
    (["walker", ""], ["add", "list", "join", "tags", "help"]),
    (["walker", "l"], ["list"]),
    (["walker", "add", ""], ["walk", "break"]),
    (["walker", "-f", "x", "add", "b"], ["break"]),
    (["walker", "--file", "=", "x", "add", "b"], ["break"]),
    (["walker", "ls", ""], ["name", "start"]),
    (["walker", "list", "name", ""], []),
    (["walker", "add", "hike", "--re"], ["--return"]),
    (["walker", "add", "walk", "--no"], ["--no-return"]),
    (["walker", "add", "walk", "--tag", ""], ["short\\ one", "dull"]),
    (["walker", "add", "walk", "--tag", "sh"], ["short\\ one"]),
    (["walker", "add", "walk", "--tag", "=", "du"], ["dull"]),
    (["walker", "--color", "a"], ["auto", "always"]),
    (["walker", "--color", "="], ["auto", "always", "never"]),
    (["walker", "add", "--colour", "=", "n"], ["never"]),
    (["walker", "add", "walk", "--pace", ""], []),
    (["walker", "--file", ""], ["inner", "b.walks"]),
    (["walker", "join", "--into", ""], ["inner"]),
    (["walker", "join", ""], ["near\\ walk", "far"]),
    (["walker", "join", "-", "a"], ["a.txt"]),
    (["walker", "join", "--", "-33", "a"], ["a.txt"]),
    (["walker", "help", ""], ["add", "list", "join", "tags", "help"]),
    (["walker", "help", "add", ""], ["walk", "break"]),
    (["walker", "tags", ""], ["rename"]),
    (["walker", "tags", "--c"], ["--count", "--color", "--colour"]),
  ])
  func offers(words: [String], expected: [String]) throws {
    let directory = try TemporaryDirectory()
    try directory.write("", to: "a.txt")
    try directory.write("", to: "b.walks")
    try FileManager.default.createDirectory(
      atPath: directory.path("inner"), withIntermediateDirectories: true)
    let quoted = words.map { "'\($0)'" }.joined(separator: " ")
    let script = """
      cd '\(directory.url.path)'
      compopt() { :; }
      walker() {
        case "$*" in
          'candidates tags -- add walk'*) printf '%s\\n' 'short one' dull ;;
          'candidates walks -- join') printf '%s\\n' 'near walk' far ;;
        esac
      }
      \(sample.completionScript(for: .bash))
      COMP_WORDS=(\(quoted))
      COMP_CWORD=\(words.count - 1)
      _walker
      ((${#COMPREPLY[@]} == 0)) || printf '%s\\n' "${COMPREPLY[@]}"
      """
    let (_, output) = try Self.bash([], script: script)
    #expect(output.split(separator: "\n").map(String.init) == expected)
  }

  @Test(
    "Several candidates show their descriptions, and a single one is inserted without it",
    arguments: [
      ("", ["1a  (Buy bread)", "2b  (Call; Anna)", "2c"]), ("1", ["1a"]), ("2", ["2b  (Call; Anna)", "2c"]),
    ])
  func descriptions(current: String, expected: [String]) throws {
    let script = """
      compopt() { :; }
      walker() { printf '%s\\n' $'1a\\tBuy bread' $'2b\\tCall; Anna' 2c; }
      \(sample.completionScript(for: .bash))
      COMP_WORDS=(walker join '\(current)')
      COMP_CWORD=2
      _walker
      ((${#COMPREPLY[@]} == 0)) || printf '%s\\n' "${COMPREPLY[@]}"
      """
    let (_, output) = try Self.bash([], script: script)
    #expect(output.split(separator: "\n").map(String.init) == expected)
  }

  static func bash(_ arguments: [String], script: String) throws -> (status: Int32, output: String) {
    let directory = try TemporaryDirectory()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments = ["--norc"] + arguments + [try directory.write(script, to: "script.bash")]
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: data, as: UTF8.self))
  }
}
