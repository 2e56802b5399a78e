import FencepostCommandLineTable
import FencepostTestSupport
import Testing

@Suite("Outputs of a table") struct SnapshotTests {
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
    try Snapshot.expect(help, toBe: name)
    // Examples don't wrap, so that users can copy them; everything else fits the width.
    #expect(help.split(separator: "\n").allSatisfy { $0.count <= width || $0.hasPrefix("    $ ") })
  }

  @Test func styledHelp() throws {
    let node = try sample.node(at: ["add", "walk"])
    let styled = node.help(.long, width: 80, style: .ansi)
    try Snapshot.expect(styled, toBe: "help-add-walk-ansi.txt")
    #expect(styled.contains("\u{1B}[1mUsage:\u{1B}[0m walker add walk [OPTIONS] TITLE\n"))
  }

  @Test func manualPages() throws {
    try Snapshot.expect(sample.manualPage(Self.details), toBe: "walker.1")
    let page = try sample.node(at: ["add", "walk"]).manualPage(Self.details)
    try Snapshot.expect(page, toBe: "walker-add-walk.1")
    let group = try sample.node(at: ["add"]).manualPage(Self.details)
    try Snapshot.expect(group, toBe: "walker-add.1")
  }

  @Test(arguments: Shell.allCases) func completions(shell: Shell) throws {
    let script = sample.completionScript(for: shell)
    try Snapshot.expect(script, toBe: "walker.\(shell.rawValue)")
  }
}
