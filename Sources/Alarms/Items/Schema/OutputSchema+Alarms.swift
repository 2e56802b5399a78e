extension OutputSchema {
  static let frequency = JSONSchema.words("always", "once-per-day", "once")
  static let weekday = JSONSchema.words("MO", "TU", "WE", "TH", "FR", "SA", "SU")

  static let alarm = JSONSchema.object([
    "id": .text, "at?": .moment, "offset?": .text, "from?": .words("start", "end"),
    "repeats?": .integer(0...100), "repeat_every?": .text,
    "proximity?": .words("enter", "leave", "dwell"), "seconds?": .number, "place?": .named("Place"),
    "if_inside?": .flag, "passing?": .flag, "frequency?": frequency, "hours?": JSONSchema.text.orNull,
    "weekdays?": .list(weekday), "first_day?": JSONSchema.day.orNull, "last_day?": JSONSchema.day.orNull,
    "devices?": .list(.text), "acknowledged?": .moment, "snooze_of?": .text,
  ])

  /// What each form of a place has.
  private static let placeMembers: KeyValuePairs<String, JSONSchema> = [
    "title": .text, "latitude": JSONSchema.number(-90...90).orNull,
    "longitude": JSONSchema.number(-180...180).orNull, "radius": .number, "polygons?": polygons,
    "address?": .text,
  ]

  /// A place in something else.
  static let place = JSONSchema.object(placeMembers)

  /// The coordinates of a MultiPolygon of GeoJSON (RFC 7946).
  public static let polygons = JSONSchema.list(.list(.list(.list(.number))))

  /// An item in something else.
  static let brief = JSONSchema.object([
    "id": .text, "type": .words("reminder", "event"), "title": .text, "list": JSONSchema.text.orNull,
  ])

  private static let position = JSONSchema.object([
    "latitude": .number, "longitude": .number, "accuracy": JSONSchema.number.orNull,
  ])

  static let alarmLines = [
    Line(
      "firing", as: "Firing", "an alarm that went off",
      .line(
        "firing",
        [
          "kind": kind, "time": .moment, "confirmed_at": .moment, "alarm": .text,
          "item": .object([
            "id": .text, "type": .words("reminder", "event"), "title": .text, "list": .text, "start?": .time,
            "end?": .time, "due?": .time, "location?": .text, "notes?": .text, "url?": .text,
          ]),
          "conference?": .text, "occurrence?": .moment, "place?": .named("Place"), "device?": .text,
          "position?": position, "interpolated?": .flag, "source?": .text, "earliest?": .moment,
          "latest?": .moment, "late": .flag, "folded?": .integer, "id?": .text, "message?": .text,
          "snoozed?": .object([
            "kind": kind, "time?": .moment, "id?": .text, "place?": .object(["title": .text]),
            "device?": .text,
          ]),
          "acknowledged?": .moment, "generation?": .integer, "sequence?": .integer, "test?": .flag,
          "trial?": .flag, "color?": .text,
        ])),
    Line(
      "transition", as: "Transition", "a crossing of a boundary",
      .line(
        "transition",
        [
          "kind": kind, "time": .moment, "confirmed_at": .moment, "item": .named("Brief"),
          "place": .named("Place"), "device": .text, "position": position, "interpolated": .flag,
          "source": .text, "earliest?": .moment, "latest?": .moment,
        ])),
    Line(
      "due", as: "Due", "an alarm that comes next",
      .line(
        "due",
        [
          "kind": .words("absolute", "relative", "dwell"), "time": .moment, "alarm": .text,
          "item": .named("Brief"), "device?": .text, "color": color,
        ])),
    Line(
      "test", as: "Test", "whether a channel took a test alarm",
      .line("test", ["channel": .text, "failure": JSONSchema.text.orNull])),
    Line(
      "trial", as: "Trial", "what became of an alarm that was tried",
      .line(
        "trial",
        [
          "place": .named("Place"), "rang": .flag,
          "alarms": .list(
            .object([
              "title": .text,
              "channels": .list(.object(["channel": .text, "state": .text, "error?": .text])),
            ])),
        ])),
    Line(
      "place", as: "NamedPlace", "a place with a name",
      .line(
        "place", placeMembers,
        and: [
          "alarms?": .integer, "alarms_moved?": .integer, "from?": .text, "kind?": .text,
          "opening_hours?": .text,
        ])),
    Line(
      "map", as: "Map", "a map whose places are found by searching",
      .line("map", ["name": .text, "imported": .moment, "places": .integer])),
    Line(
      "position", as: "Position", "a position of a device",
      .line(
        "position",
        [
          "device": .text, "time": .moment, "latitude": .number, "longitude": .number,
          "accuracy": JSONSchema.number.orNull, "altitude": JSONSchema.number.orNull,
          "speed": JSONSchema.number.orNull, "course": JSONSchema.number.orNull,
        ])),
  ]
}
