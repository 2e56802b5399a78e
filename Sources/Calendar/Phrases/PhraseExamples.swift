/// What a line may say, by kind, with examples: for help, and for tests that each example is understood.
public enum PhraseExamples {
  /// A kind of phrase.
  public struct Group: Sendable {
    /// What the examples say.
    public let title: String
    /// Ends of a line, such as `tomorrow 9am`.
    public let examples: [String]
  }

  /// All kinds. Case does not matter, and German words work as well.
  public static let groups = [
    Group(
      title: "A day",
      examples: [
        "today", "tomorrow", "the day after tomorrow", "friday", "on monday", "next week", "2026-12-24",
        "24.12.",
        "24 december", "dec 24", "on the 15th", "first monday of december", "end of month",
        "friday next week",
      ]),
    Group(
      title: "A time, alone or beside a day",
      examples: [
        "9am", "at 9", "14:30", "at noon", "half past 8", "quarter to 7", "tonight at 10", "tomorrow @ 3pm",
        "friday evening", "tomorrow morning at 8", "sunday 14.30", "this morning", "tonight at 1am",
      ]),
    Group(
      title: "A while from now",
      examples: [
        "in 20 minutes", "in an hour", "in 2 weeks", "in 3 days at 9", "a week from monday",
        "in 2 hours and 30 minutes", "monday in a week",
      ]),
    Group(
      title: "A repetition",
      examples: [
        "daily", "every day at 8", "every evening at 9", "mondays at 9", "every mon-fri 9:00",
        "every other friday",
        "every 2 weeks on thursday", "on the 1st of every month", "monthly on the last friday",
        "yearly on 24 december", "every day at 8 and 20",
      ]),
    Group(
      title: "Its start and end",
      examples: [
        "daily 7am until 14 august", "weekly until 2026-12-31", "every day for 2 weeks",
        "every tuesday 5 times",
        "every sunday from 7 june to 26 july", "every monday at 7 until christmas",
      ]),
    Group(
      title: "A span, which makes an event",
      examples: [
        "tomorrow 9-10", "friday from 2 to 3:30pm", "tomorrow at 3pm for 2 hours", "10-14 august",
        "tomorrow noon-1pm", "dec 28 - jan 3", "28. bis 30. Dezember", "friday to monday",
      ]),
    Group(
      title: "A place",
      examples: [
        "@Bakery", "when I get home", "when leaving the office", "when I arrive at the harbour",
        "near the station within 300m",
      ]),
    Group(title: "Tags and priority", examples: ["#shopping", "!high", "!medium", "!low", "!!!"]),
  ]
}
