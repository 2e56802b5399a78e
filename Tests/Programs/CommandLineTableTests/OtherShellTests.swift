import FencepostCommandLineTable
import FencepostTestSupport
import Foundation
import Testing

/// The scripts run if fish and zsh are installed.
@Suite("Completion in fish and zsh") struct OtherShellTests {
  private static func isInstalled(_ shell: String) -> Bool {
    ["/usr/bin/", "/bin/"].contains { FileManager.default.isExecutableFile(atPath: $0 + shell) }
  }

  /// A program that offers candidates with descriptions.
  private static let walker = """
    #!/bin/sh
    case "$*" in
      "candidates walks -- join"*) printf '1a\\tBuy bread\\n2b\\tIt is [late] (now)\\n' ;;
      "candidates tags -- add walk"*) printf 'short one\\ndull\\n' ;;
    esac
    """

  private static func run(_ shell: String, _ script: String, in directory: TemporaryDirectory) throws
    -> String
  {
    let program = try directory.write(walker, to: "walker")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [shell] + (shell == "zsh" ? ["-f"] : ["--no-config"]) + ["-c", script]
    process.environment = [
      "PATH": "\(directory.url.path):/usr/bin:/bin", "HOME": directory.url.path, "TERM": "xterm",
      "LANG": "C.UTF-8",
    ]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self)
  }

  @Test(
    "Fish offers commands, values, and candidates with descriptions", .enabled(if: isInstalled("fish")),
    arguments: [
      ("walker add w", ["walk"]), ("walker --color a", ["always", "auto"]),
      ("walker ls ", ["name", "start"]),
      ("walker join ", ["1a\tBuy bread", "2b\tIt is [late] (now)"]),
      ("walker join 2", ["2b\tIt is [late] (now)"]),
      ("walker add walk --tag s", ["short one"]), ("walker help add ", ["break", "walk"]),
    ])
  func fish(line: String, expected: [String]) throws {
    let directory = try TemporaryDirectory()
    let script = try directory.write(sample.completionScript(for: .fish), to: "walker.fish")
    let output = try Self.run("fish", "source '\(script)'; complete -C '\(line)'", in: directory)
    let lines = output.split(separator: "\n").map(String.init)
    let offered = lines.map { line in
      expected.contains(line) ? line : line.split(separator: "\t").first.map(String.init) ?? ""
    }
    #expect(offered.sorted() == expected.sorted(), "\(output)")
  }

  /// Runs zsh in a terminal, which its completion needs.
  private static let terminal = #"""
    zmodload zsh/zpty
    zpty z zsh -f -i
    zpty -w z "PS1='READY> '; fpath=($HOME \$fpath); autoload -Uz compinit; compinit -u -d $HOME/dump; stty columns 120; print up"
    zpty -r z shown '*up*READY*'
    zpty -w -n z "$LINE"$'\t\t'
    zpty -w -n z $'\x15print done\n'
    zpty -r z shown '*done*READY*'
    print -r -- "$shown"
    zpty -d z
    """#

  @Test(
    "Zsh offers candidates with descriptions", .enabled(if: isInstalled("zsh")),
    arguments: [
      ("walker join ", ["1a  -- Buy bread", "2b  -- It is [late] (now)"]),
      ("walker help add ", ["break", "walk"]),
    ])
  func zsh(line: String, expected: [String]) throws {
    let directory = try TemporaryDirectory()
    try directory.write(sample.completionScript(for: .zsh), to: "_walker")
    let output = try Self.run("zsh", "LINE='\(line)'\n" + Self.terminal, in: directory)
    #expect(expected.allSatisfy(output.contains), "\(output)")
  }
}
