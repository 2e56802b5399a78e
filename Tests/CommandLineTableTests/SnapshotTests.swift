import CommandLineTable
import TestSupport
import Testing

@Suite("What is made of a table") struct SnapshotTests {
  static let details = ManualDetails(
    date: "May 1, 2026",
    files: [.init("~/walks.walks", "Where walks are kept unless `--file` says otherwise.")],
    exitStatuses: [
      .init("0", "All went well."), .init("1", "Something failed."), .init("2", "The command line is wrong."),
    ],
    seeAlso: [.init("make", 1)])

  @Test(arguments: [
    ("help-walker.txt", [], HelpForm.long, 80), ("help-walker-short.txt", [], .short, 80),
    ("help-walker-narrow.txt", [], .long, 40), ("help-add.txt", ["add"], .long, 80),
    ("help-add-walk.txt", ["add", "walk"], .long, 80),
    ("help-add-walk-short.txt", ["add", "walk"], .short, 72),
    ("help-join.txt", ["join"], .long, 120), ("help-tags.txt", ["tags"], .short, 80),
  ])
  func help(name: String, path: [String], form: HelpForm, width: Int) throws {
    let help = try sample.node(at: path).help(form, width: width, style: .plain)
    #expect(try Snapshot.difference(of: help, from: name) == nil)
    // An example is never broken, so that it can be copied; nothing else leaves the page.
    #expect(help.split(separator: "\n").allSatisfy { $0.count <= width || $0.hasPrefix("    $ ") })
  }

  @Test func styledHelp() throws {
    let node = try sample.node(at: ["add", "walk"])
    let styled = node.help(.long, width: 80, style: .ansi)
    #expect(try Snapshot.difference(of: styled, from: "help-add-walk-ansi.txt") == nil)
    #expect(styled.contains("\u{1B}[1mUsage:\u{1B}[0m walker add walk [OPTIONS] TITLE\n"))
  }

  @Test func manualPages() throws {
    #expect(try Snapshot.difference(of: sample.manualPage(Self.details), from: "walker.1") == nil)
    let page = try sample.node(at: ["add", "walk"]).manualPage(Self.details)
    #expect(try Snapshot.difference(of: page, from: "walker-add-walk.1") == nil)
    let group = try sample.node(at: ["add"]).manualPage(Self.details)
    #expect(try Snapshot.difference(of: group, from: "walker-add.1") == nil)
  }

  @Test(arguments: Shell.allCases) func completions(shell: Shell) throws {
    let script = sample.completionScript(for: shell)
    #expect(try Snapshot.difference(of: script, from: "walker.\(shell.rawValue)") == nil)
  }

  @Test func dump() throws {
    #expect(try Snapshot.difference(of: sample.json(), from: "walker.json") == nil)
  }
}
