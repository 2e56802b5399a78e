import CommandLineTable
import Testing

@Suite("Reading a command line") struct ParserTests {
  @Test func nestedCommand() throws {
    let parsed = try sample.parse(["add", "walk", "Sea", "--start", "-33.86,151.2", "-vv"])
    #expect(parsed.name == "add walk")
    #expect(parsed.value("start") == "-33.86,151.2")
    #expect(parsed.count("verbose") == 2)
  }
}
