extension OutputSchema {
  /// What `explain ITEM` and `doctor` say, and the API's routes of the same.
  static let diagnosisLines = [
    Line(
      "explanation", as: "Explanation", "why an item's alarms rang, or did not",
      .line(
        "explanation",
        [
          "item": .named("Brief"), "from": .moment, "until": .moment,
          "recorded_from": JSONSchema.moment.orNull, "rang": .flag, "answer": .text,
          "notes": .list(
            .object([
              "kind": .text, "from": .moment, "until": JSONSchema.moment.orNull,
              "device": JSONSchema.text.orNull, "place": JSONSchema.text.orNull, "text": .text,
              "details": .list(.text),
            ])),
        ])),
    Line(
      "finding", as: "Finding", "what `doctor` found",
      .line(
        "finding",
        [
          "level": .words("ok", "warning", "wrong"), "subject": .text, "name": JSONSchema.text.orNull,
          "text": .text, "advice": JSONSchema.text.orNull,
        ])),
  ]
}
