import FencepostTestSupport
import Glibc
import Testing

@testable import FencepostSystem

@Suite("Lines of a descriptor")
struct LineInputTests {
  @Test(
    "Lines have a limit, and the next line follows a longer one",
    arguments: [
      ("", []), ("a", ["a"]), ("a\n", ["a"]), ("a\n\nb", ["a", "", "b"]), ("abcd\nb\n", ["abcd", "b"]),
      ("abcdefgh\nb\n", ["abcde", "b"]), ("abcdefgh", ["abcde"]),
      (String(repeating: "x", count: 200_000) + "\ny", ["xxxxx", "y"]),
    ] as [(String, [String])])
  func lines(_ text: String, _ lines: [String]) throws {
    let directory = try TemporaryDirectory()
    let descriptor = open(try directory.write(text, to: "lines"), O_RDONLY | O_CLOEXEC)
    defer { close(descriptor) }
    let input = LineInput(descriptor, maximum: 4)
    var found: [String] = []
    while let line = input.line() { found.append(line) }
    #expect(found == lines)
  }
}
