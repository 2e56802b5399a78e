import FencepostSystem
import FencepostTestSupport
import Foundation
import Glibc
import Testing

@Suite("Child programs")
struct ChildProgramTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  @Test("A launched program leaves no zombie")
  func launched() throws {
    let file = directory.path("process")
    try ChildProgram(path: "/bin/sh", arguments: ["-c", "echo $$ > \"$0\"", file]).launch()
    #expect(eventually { (try? String(contentsOfFile: file, encoding: .utf8))?.hasSuffix("\n") ?? false })
    let text = try String(contentsOfFile: file, encoding: .utf8).trimmingCharacters(in: .newlines)
    let process = try #require(pid_t(text))
    #expect(eventually { kill(process, 0) < 0 && errno == ESRCH })
  }
}
