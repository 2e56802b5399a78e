import Testing

@testable import FencepostReservations

@Suite("Generated lines among the user's notes")
struct NotesTests {
  @Test(
    "are brought up to date, and the user's stay",
    arguments: [
      ("a\nb", "a\nb", "a\nc", "a\nc"), ("a\nb\nmine", "a\nb", "a\nc", "a\nc\nmine"),
      ("mine\na\nb", "a\nb", "a\nc", "mine\na\nc"), ("mine", "a\nb", "a\nc", "mine"),
      ("a\nmine\nb", "a\nb", "a\nb\nc", "a\nmine\nb\nc"), ("a\nmine", "a\nb", "x\na\ny", "x\na\ny\nmine"),
      ("a", "a\nb", "a\nb", "a"), ("mine\na", "a", "b", "mine\nb"),
    ] as [(String, String, String, String)])
  func merging(mine: String, base: String, new: String, result: String) {
    #expect(GeneratedNotes.merged(mine, since: base, with: new) == result)
  }

  @Test("are left out without a text")
  func empty() {
    #expect(GeneratedNotes.merged("a", since: "a", with: nil) == nil)
    #expect(GeneratedNotes.merged(nil, since: "a", with: "b") == nil)
    #expect(GeneratedNotes.merged("mine", since: nil, with: "b") == "mine\nb")
  }
}
