import Testing

@testable import fencepost

@Suite("The help of phrases")
struct PhraseHelpTests {
  private let fixture: CommandFixture

  init() throws { fixture = try CommandFixture() }

  @Test("It says what each example means now, and how a phrase is made")
  func phraseHelp() {
    let lines = fixture.run("help", "phrases").lines
    for (example, meaning) in [
      ("tomorrow 9-10", "Sat 2 May 09:00 to 10:00"), ("friday evening", "Fri 8 May 18:00"),
      ("every mon, wed and fri at 7", "every week on Monday, Wednesday, Friday, from Mon 4 May 07:00"),
      ("every tuesday 5 times", "every week on Tuesday, 5 times, from Tue 5 May"),
      ("morgen 9 Uhr", "Sat 2 May 09:00"), ("end of june", "Tue 30 Jun"),
      ("near the station within 300m", "arriving at station within 300 m"),
    ] {
      #expect(
        lines.contains { $0.hasPrefix("  \(example) ") && $0.hasSuffix("  \(meaning)") },
        "\(example): \(lines.filter { $0.contains(example) })")
    }
    #expect(!lines.contains { $0.hasPrefix("  ") && $0.hasSuffix("  ") }, "an example without a meaning")
    #expect(lines.contains { $0.hasPrefix("A repetition: every DAY") })
  }
}
