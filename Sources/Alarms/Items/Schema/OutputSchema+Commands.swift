extension OutputSchema {
  /// What `explain-trace`, `replay` and `traces` say of positions.
  static let traceLines = [
    Line(
      "summary", as: "Summary", "the last line of `replay`",
      .line(
        "summary",
        [
          "fixes": .integer, "admitted": .integer, "rejected": .counts, "crossings": .integer,
          "transitions": .integer, "firings": .integer, "seconds": .number,
        ])),
    Line(
      "trace", as: "Trace", "what a trace has",
      .line(
        "trace",
        [
          "trace": .text, "format": JSONSchema.text.orNull, "compressed": .flag, "bytes": .integer,
          "fixes": .integer, "devices": .list(deviceSurvey), "rejected": .anything,
          "interruption": JSONSchema.text.orNull,
        ])),
    Line(
      "fix", as: "ExplainedFix", "a position that counts later, or not",
      .line(
        "fix",
        [
          "time": .moment, "device": .text, "admission": .text, "reason?": .text,
          "accuracy": JSONSchema.number.orNull,
        ])),
    Line(
      "judgement", as: "Judgement", "what a position says of a boundary",
      .line(
        "judgement",
        [
          "time": .moment, "device": .text, "place": .text, "outcome": .text, "believed_inside": .flag,
          "depth": .number, "accuracy": .number, "gain": .number, "evidence": .number,
          "needed": JSONSchema.number.orNull, "cautious": .flag, "after_silence": .flag, "repeats": .flag,
          "lies_still": .flag, "phone_says": .flag,
        ])),
    Line(
      "crossing", as: "ExplainedCrossing", "a crossing, in `explain-trace`",
      .line(
        "crossing",
        [
          "time": .moment, "device": .text, "place": .text, "kind": kind, "crossed_at": .moment,
          "source": .text, "earliest?": .moment, "latest?": .moment,
        ])),
    Line(
      "alarm", as: "ExplainedAlarm", "an alarm that goes off, in `explain-trace`",
      .line(
        "alarm",
        [
          "time": .moment, "device": .text, "place?": .text, "kind": kind, "alarm": .text, "item": .text,
        ])),
    Line(
      "silence", as: "Silence", "an alarm that does not go off, in `explain-trace`",
      .line(
        "silence",
        [
          "time": .moment, "device": .text, "place": .text, "alarm": .text, "item": .text, "reason": .text,
        ])),
  ]

  private static let deviceSurvey = JSONSchema.object([
    "device": .text, "fixes": .integer, "segments": .integer, "first": JSONSchema.moment.orNull,
    "last": JSONSchema.moment.orNull, "median_interval": JSONSchema.number.orNull,
    "longest_gap": JSONSchema.number.orNull, "longest_gap_start": JSONSchema.moment.orNull, "gaps": .integer,
    "median_accuracy": JSONSchema.number.orNull, "worst_accuracy": JSONSchema.number.orNull,
    "top_speed": JSONSchema.number.orNull, "metres": .number, "duplicates": .integer,
    "out_of_order": .integer, "jumps": .integer,
  ])

  static let commandLines = [
    Line(
      "setting", as: "Setting", "a setting, and where it comes from",
      .line(
        "setting",
        [
          "name": .text, "value": .text, "origin": .words("option", "environment", "file", "default"),
          "option?": .text, "variable?": .text, "file?": .text, "line?": .integer,
        ])),
    Line(
      "forget", as: "Forget", "devices whose data was erased",
      .line("forget", ["devices": .list(.text), "log": .flag])),
    Line(
      "pause", "resume", "reload", as: "Order", "what the daemon did",
      .object(["type": .words("pause", "resume", "reload")])),
    Line(
      "status", as: "Status", "the state of the daemon and the store",
      .line(
        "status",
        [
          "running": .flag, "store": .text, "process?": .integer, "started?": .moment, "memory?": .integer,
          "paused?": .flag, "store_failure?": JSONSchema.text.orNull,
          "feeds?": .list(
            .object([
              "address": .text, "state": .text, "fixes": .integer, "rejected": .integer,
              "dated_ahead": JSONSchema.integer.orNull, "last_arrival": JSONSchema.moment.orNull,
              "failure": JSONSchema.text.orNull, "next_attempt": JSONSchema.moment.orNull,
            ])),
          "channels": .list(
            .object([
              "address": .text, "pending": .integer, "given_up": .integer,
              "given_up_reason": JSONSchema.text.orNull,
              "failure": JSONSchema.text.orNull, "next_attempt": JSONSchema.moment.orNull,
            ])),
          "devices": .list(
            .object([
              "name": .text, "time": JSONSchema.moment.orNull, "latitude": JSONSchema.number.orNull,
              "longitude": JSONSchema.number.orNull, "accuracy": JSONSchema.number.orNull,
              "battery?": .integer, "places": .list(.text), "perhaps": .list(.text),
              "held?": .object([
                "time": .moment, "latitude": .number, "longitude": .number,
                "accuracy": JSONSchema.number.orNull, "reason": .text,
              ]),
            ])),
          "next": .list(.object(["time": .moment, "item": .named("Brief")])),
          "will_not_ring": .named("SilentAlarms"), "accounts": .list(.object(accountMembers)),
          "history_from": JSONSchema.moment.orNull, "zone": .text, "tzdata": JSONSchema.text.orNull,
        ])),
  ]
}
