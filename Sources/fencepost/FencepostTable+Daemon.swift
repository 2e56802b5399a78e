import CommandLineTable

extension FencepostTable {
  /// The commands that run the daemon and ask it.
  static let daemonCommands: [Command] = [daemon]

  private static let daemon = Command(
    "daemon", summary: "Watch positions and the clock, and let alarms go off",
    discussion: [
      """
      Runs until it is ended. Positions come from feeds, alarms go to channels, several of each; what fails is \
      tried again. An alarm goes off once, whatever happens in between: what was missed while nothing ran goes off \
      late, and the missed occurrences of one item as one.
      """,
      """
      A feed is `-` (standard input), a file or a named pipe, `tail:PATH` for a file that grows, \
      `nmea:///dev/ttyUSB0?baud=9600` for a receiver or `gpsd://HOST:2947`.
      """,
      """
      A channel is `-` (standard output, a JSON line for each alarm) or `exec:/PATH`, a program that is started for \
      each alarm and reads it as JSON from its standard input.
      """,
      "SIGTERM ends it after delivering what is at hand; SIGHUP reads the store anew.",
    ],
    examples: [
      Example(
        "fencepost daemon --feed gpsd://localhost:2947 --deliver exec:/usr/local/bin/ring", "A receiver")
    ],
    options: [
      .value("feed", "URI", repeatable: true, "Where positions come from"),
      .value("deliver", "URI", repeatable: true, "Where alarms go"),
      .value(
        "grace", "SPAN", default: "1m", "How long after its time an alarm is not late yet"),
      .value(
        "policy", "NAME", completion: .choices(["robust", "exact"]), default: "robust",
        "Decide enter and leave as a person would, or to the letter of each fix"),
      .value(
        "log-level", "NAME", completion: .choices(["error", "warning", "notice", "info", "debug"]),
        default: "info", "How much to say on standard error"),
    ])
}
