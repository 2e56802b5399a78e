extension APIDescription {
  /// What a route takes and answers. Without an answer it is 204.
  struct Operation: Sendable {
    var body: JSONSchema?
    var answer: JSONSchema?
    /// The status of success.
    var status: Int
    /// The media type of the answer, and of a body if it is JSCalendar.
    var type: String

    init(
      _ answer: JSONSchema? = nil, body: JSONSchema? = nil, status: Int? = nil,
      type: String = "application/json"
    ) {
      self.answer = answer
      self.body = body
      self.status = status ?? (answer == nil ? 204 : 200)
      self.type = type
    }
  }

  private static func each(_ name: String, _ schema: JSONSchema) -> Operation {
    Operation(.object([name: .list(schema)]))
  }
  private static let client = JSONSchema.object([
    "type": .words("client"), "name": .text, "user": .text, "rights": .list(.text), "lists?": .list(.text),
    "created": .moment, "used": JSONSchema.moment.orNull,
  ])
  private static let undone = Operation(
    .object(["label": .text, "step": .text, "effects": .integer]), body: .object(["step?": .text]))
  private static let answered = Operation(.named("Firing"))

  /// The whole table, by method and path.
  static let operations: [String: Operation] = [
    "GET /items": Operation(.object(["items": .list(.named("Item")), "total": .integer])),
    "POST /items": Operation(.named("Item"), body: .named("ItemChange"), status: 201),
    "GET /items/{id}": Operation(.named("Item")),
    "PATCH /items/{id}": Operation(.named("Item"), body: .named("ItemChange")),
    "PUT /items/{id}": Operation(.named("JSCalendar"), body: .named("JSCalendar"), type: WebApp.jsCalendar),
    "DELETE /items/{id}": Operation(),
    "POST /items/{id}/complete": Operation(.named("Item")),
    "POST /items/{id}/reopen": Operation(.named("Item")),
    "GET /read": Operation(
      .object([
        "title": .text, "due": JSONSchema.time.orNull, "repeat": .list(.text),
        "repeat_text": JSONSchema.text.orNull, "tags": .list(.text), "priority": JSONSchema.integer.orNull,
        "place": JSONSchema.text.orNull, "unread": JSONSchema.text.orNull,
      ])),
    "GET /agenda": Operation(
      .object([
        "from": .day, "to": .day, "overdue": .list(.named("AgendaEntry")), "overdue_total": .integer,
        "days": .list(
          .object([
            "day": .day, "entries": .list(.named("AgendaEntry")), "total": .integer,
            "omitted": .list(.object(["title": .text, "count": .integer])),
          ])),
      ])),

    "GET /lists": each("lists", .named("List")),
    "POST /lists": Operation(
      .named("List"),
      body: .object([
        "title": .text, "color?": JSONSchema.text.orNull, "events?": .flag, "reminders?": .flag,
      ]), status: 201),
    "PATCH /lists/{id}": Operation(
      .named("List"),
      body: .object([
        "title?": .text, "color?": JSONSchema.text.orNull, "default_alarm?": JSONSchema.text.orNull,
        "all_day_hour?": JSONSchema.text.orNull, "rings_when_due?": .flag,
      ])),
    "DELETE /lists/{id}": Operation(),

    "GET /sources": each("sources", .named("Source")),
    "POST /sources": Operation(.named("Source"), body: .object(["title": .text]), status: 201),
    "PATCH /sources/{id}": Operation(.named("Source"), body: .object(["title": .text])),
    "DELETE /sources/{id}": Operation(),
    "GET /subscriptions": each("subscriptions", .named("Subscription")),
    "POST /subscriptions": Operation(
      .named("Subscription"),
      body: .object(["address": .text, "title?": .text, "refresh_seconds?": .integer]), status: 201),
    "POST /subscriptions/{id}/refresh": Operation(.named("Subscription")),
    "DELETE /subscriptions/{id}": Operation(),
    "GET /suggestions": each("suggestions", .named("Suggestion")),
    "POST /suggestions/{id}/accept": Operation(.named("Suggestion"), body: .object(["list_id?": .text])),
    "POST /suggestions/{id}/reject": Operation(.named("Suggestion")),
    "POST /suggestions/{id}/reopen": Operation(.named("Suggestion")),
    "GET /conflicts": each(
      "conflicts",
      .object([
        "type": .words("conflict"), "list": .text, "uid": .text, "item": JSONSchema.text.orNull,
        "title": .text,
        "occurrence": JSONSchema.text.orNull, "property": .text, "loser": .words("local", "remote"),
        "kept": .list(.text), "lost": .list(.text), "found": .moment,
      ])),
    "DELETE /conflicts": Operation(),
    "GET /conferences": each("providers", .object(["id": .text, "name": .text])),
    "GET /conferences/{provider}": each("room_types", .object(["id": .text, "title": .text])),
    "POST /conferences/{provider}": Operation(
      .object([
        "type": .words("room"), "details?": .text,
        "conferences": .list(.object(["url": .text, "label?": .text, "features?": .list(.text)])),
      ]), body: .object(["room_type": .text]), status: 201),

    "GET /alarms": each(
      "alarms",
      .object([
        "type": .words("due"), "kind": .words("absolute", "relative"), "time": .moment, "alarm": .text,
        "item": .named("Brief"), "color": JSONSchema.text.orNull,
      ])),
    "GET /firings": each("firings", .named("Firing")),
    "POST /firings/{id}/acknowledge": answered,
    "POST /firings/{id}/complete": answered,
    "POST /firings/{id}/snooze": Operation(
      .named("Firing"), body: .object(["until?": .moment, "minutes?": .integer(1...525_600)])),

    "GET /places": each("places", .named("Place")),
    "PUT /places/{name}": Operation(.named("Place"), body: .named("PlaceChange")),
    "DELETE /places/{name}": Operation(),
    "GET /places/find": each("found", .named("Place")),
    "GET /fences": each(
      "fences",
      .object([
        "alarm": .text, "item": .named("Brief"), "color": JSONSchema.text.orNull,
        "event": .words("enter", "leave", "dwell"), "place": .named("Place"),
      ])),

    "GET /devices": each("devices", .named("Device")),
    "POST /positions": Operation(
      body: .object([
        "latitude": .number(-90...90), "longitude": .number(-180...180),
        "accuracy?": JSONSchema.number(0...1e7).orNull, "speed?": JSONSchema.number(0...1_000).orNull,
        "course?": JSONSchema.number(0...360).orNull, "altitude?": JSONSchema.number(-20_000...1e6).orNull,
        "time?": .moment,
      ])),
    "GET /days/{day}": Operation(
      .object([
        "day": .day, "device": .text, "fixes": .integer,
        "notes": .list(
          .object([
            "time": .moment, "place": JSONSchema.text.orNull, "text": .text, "kind": .text,
            "latitude": JSONSchema.number.orNull, "longitude": JSONSchema.number.orNull,
          ])),
      ])),
    "GET /tracks": Operation(
      .object([
        "device": JSONSchema.text.orNull, "day": .day, "from": .moment, "until": .moment, "fixes": .integer,
        "points": .list(.list(JSONSchema.number.orNull)),
      ])),

    "GET /undo": each("steps", .object(["label": .text, "step": .text, "time": .moment, "undone": .flag])),
    "POST /undo": undone,
    "POST /redo": undone,

    "GET /push": Operation(
      .object(["type": .words("push"), "key": .text, "subscriptions": .list(.named("PushSubscription"))])),
    "POST /push/subscriptions": Operation(
      .named("PushSubscription"),
      body: .object([
        "endpoint": .text, "expirationTime?": .anything, "keys": .object(["p256dh": .text, "auth": .text]),
      ]), status: 201),
    "DELETE /push/subscriptions/{id}": Operation(),
    "POST /push/subscriptions/{id}/test": Operation(),
    "POST /phones": Operation(
      .object([
        "type": .words("phone"), "user": JSONSchema.text.orNull, "link": .text, "svg": JSONSchema.text.orNull,
        "fields": .named("Fields"),
      ]),
      body: .object([
        "app": .words("owntracks", "overland", "traccar", "caldav"), "name": .text, "broker?": .text,
      ]), status: 201),

    "GET /session": Operation(
      .object([
        "type": .words("session"), "name": .text, "rights": .list(.text), "zone": .text, "now": .moment,
        "password": .flag,
        "tiles": JSONSchema.object([
          "url": .text, "attribution": .text, "zooms?": .list(.integer), "bounds?": .list(.number),
        ]).orNull, "history": .flag, "version": .text,
      ])),
    "DELETE /session": Operation(),
    "GET /settings": each("settings", .object(["name": .text, "value": .text, "origin": .text])),
    "GET /sessions": each(
      "sessions",
      .object([
        "type": .words("session"), "browser": .text, "created": .moment, "used": .moment, "current?": .flag,
      ])),
    "DELETE /sessions": Operation(),
    "GET /clients": each("clients", client),
    "POST /clients": Operation(
      .object([
        "type": .words("client"), "name": .text, "user": .text, "password": .text, "positions": .text,
        "api": .text,
      ]),
      body: .object(["name": .text, "rights?": .list(.words("positions", "read", "write"))]), status: 201),
    "DELETE /clients/{user}": Operation(),

    "GET /page": Operation(.anything),
    "POST /page/selection": Operation(body: .object(["calendars": .list(.text)])),
    "POST /page/end": Operation(body: .object(["outcome": .words("done", "canceled", "left")])),

    "GET /events": Operation(.text, type: "text/event-stream"),
    "GET /openapi.json": Operation(.anything),
  ]
}
