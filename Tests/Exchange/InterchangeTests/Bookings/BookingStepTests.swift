import Testing

@testable import FencepostInterchange

@Suite("What is done with a reservation")
struct BookingStepTests {
  /// `k`nown, `s`een, of a `p`age, a `f`ragment, `c`overed; and what is done.
  private static let table: [(String, BookingStep)] = [
    ("", .propose), ("p", .propose), ("c", .propose), ("f", .remember), ("pf", .remember), ("fc", .leave),
    ("s", .leave), ("sp", .leave), ("sf", .leave), ("sfc", .leave),
    ("k", .update), ("kp", .update), ("kf", .update), ("kfc", .update),
    ("ks", .confirm), ("ksf", .confirm), ("ksp", .update), ("kspf", .update),
  ]

  @Test("follows from what is known of it", arguments: table)
  func step(flags: String, expected: BookingStep) {
    let step = BookingStep(
      isKnown: flags.contains("k"), isSeen: flags.contains("s"), isPage: flags.contains("p"),
      isFragment: flags.contains("f"), isCovered: flags.contains("c"))
    #expect(step == expected)
  }
}
