/// The API's requests and answers, as JSON Schemas.
enum APIDescription {}

extension APIDescription {
  /// The schemas with a name.
  static let schemas: KeyValuePairs<String, JSONSchema> = [
    "Problem": problem, "Item": item, "ItemChange": itemChange, "Alarm": alarm, "AlarmChange": alarmChange,
    "Place": place, "PlaceChange": placeChange, "List": list, "Brief": brief, "Firing": firing,
    "Device": device,
    "AgendaEntry": agendaEntry, "PushSubscription": pushSubscription, "Fields": fields, "Source": source,
    "Subscription": subscription, "Suggestion": suggestion, "JSCalendar": jsCalendar,
  ]

  /// RFC 8984 has the rest.
  private static let jsCalendar = JSONSchema.object(
    ["@type": .words("Event", "Task"), "uid?": .text, "title": .text, "start?": .text], isOpen: true)

  private static let color = JSONSchema.text.orNull
  private static let kind = JSONSchema.words("enter", "leave", "dwell", "absolute", "relative")

  private static let problem = JSONSchema.object([
    "type": .text, "title": .text, "status": .integer, "detail": .text, "pointer?": .text,
    "current?": .named("Item"),
  ])

  private static let item = JSONSchema.object([
    "type": .words("reminder", "event"), "id": .text, "title": .text, "list": .text, "start?": .time,
    "end?": .time,
    "all_day?": .flag, "cancelled?": .flag, "due?": JSONSchema.time.orNull, "next_due?": .time,
    "completed?": .flag,
    "completed_at?": .time, "priority": .integer(0...9), "location?": .text, "place?": .named("Place"),
    "tags?": .list(.text), "notes?": .text, "url?": .text,
    "conferences?": .list(.object(["url": .text, "label?": .text, "features?": .list(.text)])),
    "travel_time?": .integer, "repeat?": .list(.text), "occurrence?": .time, "alarms": .list(.named("Alarm")),
    "implied_alarm?": .named("Alarm"), "will_not_ring?": .list(.text),
    "parent?": .text,
    "attachments?": .list(.text), "uid": .text, "created_at?": .time, "modified_at?": .time, "list_id": .text,
    "color": color, "writable": .flag, "time_zone": JSONSchema.text.orNull, "repeat_text?": .list(.text),
    "availability?": .words("unsupported", "busy", "free", "tentative", "unavailable"),
    "organizer?": participant,
    "attendees?": .list(participant), "etag": .text, "subtasks?": .integer, "unread?": .text,
  ])

  private static let participant = JSONSchema.object([
    "name": JSONSchema.text.orNull, "address": JSONSchema.text.orNull, "status": .text, "role": .text,
  ])

  private static let itemChange = JSONSchema.object([
    "type?": .words("reminder", "event"), "title?": .text, "text?": .text, "now?": .moment, "uid?": .text,
    "list_id?": .text, "start?": JSONSchema.text.orNull, "end?": JSONSchema.text.orNull,
    "due?": JSONSchema.text.orNull,
    "all_day?": .flag, "time_zone?": JSONSchema.text.orNull, "notes?": JSONSchema.text.orNull,
    "url?": JSONSchema.text.orNull, "location?": JSONSchema.text.orNull,
    "place?": JSONSchema.named("PlaceChange").orNull,
    "priority?": JSONSchema.integer(0...9).orNull, "tags?": JSONSchema.list(.text).orNull,
    "parent?": JSONSchema.text.orNull, "repeat?": JSONSchema.list(.text).orNull,
    "alarms?": JSONSchema.list(.named("AlarmChange")).orNull,
    "implied_alarm?": JSONSchema.named("AlarmChange").orNull, "completed?": .flag, "cancelled?": .flag,
    "availability?": .words("busy", "free", "tentative", "unavailable"),
    "travel_time?": JSONSchema.integer(0...604_800).orNull,
    "conferences?": JSONSchema.list(
      .object(["url": .text, "label?": .text, "features?": .list(.text)])
    ).orNull,
  ])

  private static let alarm = JSONSchema.object([
    "id": .text, "at?": .moment, "offset?": .text, "from?": .words("start", "end"),
    "proximity?": .words("enter", "leave", "dwell"), "seconds?": .number, "place?": .named("Place"),
    "if_inside?": .flag,
    "passing?": .flag, "frequency?": frequency, "hours?": JSONSchema.text.orNull, "weekdays?": .list(weekday),
    "first_day?": JSONSchema.day.orNull, "last_day?": JSONSchema.day.orNull, "devices?": .list(.text),
    "acknowledged?": .moment, "snooze_of?": .text,
  ])

  private static let alarmChange = JSONSchema.object([
    "id?": .text, "at?": JSONSchema.text.orNull, "offset?": .text, "from?": .words("start", "end"),
    "proximity?": .words("enter", "leave", "dwell"), "seconds?": .number, "place?": .named("PlaceChange"),
    "if_inside?": .flag, "passing?": .flag, "frequency?": frequency, "hours?": JSONSchema.text.orNull,
    "weekdays?": .list(weekday), "first_day?": JSONSchema.text.orNull, "last_day?": JSONSchema.text.orNull,
    "devices?": .list(.text), "acknowledged?": .anything, "snooze_of?": .anything,
  ])

  private static let frequency = JSONSchema.words("always", "once-per-day", "once")
  private static let weekday = JSONSchema.words("MO", "TU", "WE", "TH", "FR", "SA", "SU")

  private static let place = JSONSchema.object([
    "title": .text, "latitude": JSONSchema.number(-90...90).orNull,
    "longitude": JSONSchema.number(-180...180).orNull,
    "radius": .number, "polygons?": polygons, "address?": .text, "from?": .text,
    "alarms?": .integer, "alarms_moved?": .integer,
  ])

  private static let placeChange = JSONSchema.object([
    "title?": .text, "latitude?": JSONSchema.number(-90...90).orNull,
    "longitude?": JSONSchema.number(-180...180).orNull, "radius?": .number(1...20_000_000),
    "address?": JSONSchema.text.orNull, "polygons?": polygons.orNull, "alarms?": .anything,
    "from?": .anything,
  ])

  /// The coordinates of a MultiPolygon of GeoJSON (RFC 7946).
  private static let polygons = JSONSchema.list(.list(.list(.list(.number))))

  private static let list = JSONSchema.object([
    "type": .words("list"), "id": .text, "title": .text, "color": color, "source": JSONSchema.text.orNull,
    "kind": .text,
    "events": .flag, "reminders": .flag, "writable": .flag, "immutable": .flag, "subscribed": .flag,
    "default_alarm": JSONSchema.text.orNull, "all_day_hour": JSONSchema.text.orNull, "rings_when_due": .flag,
    "open?": .integer, "total?": .integer,
  ])

  private static let source = JSONSchema.object([
    "type": .words("source"), "id": .text, "title": .text, "kind": .text, "writable": .flag,
    "lists": .list(.text),
  ])

  private static let subscription = JSONSchema.object([
    "type": .words("subscription"), "id": .text, "title": JSONSchema.text.orNull, "address": .text,
    "items": .integer, "refresh_seconds": .integer, "checked": JSONSchema.moment.orNull,
    "succeeded": JSONSchema.moment.orNull, "next": .moment, "failure": JSONSchema.text.orNull,
    "changed?": .flag,
  ])

  /// The fields of a booking depend on its kind.
  private static let suggestion = JSONSchema.object(
    [
      "type": .words("suggestion"), "id": .text, "kind": .text, "state": .text,
      "reference": JSONSchema.text.orNull, "provider": JSONSchema.text.orNull, "title": .text,
      "start": JSONSchema.text.orNull, "end": JSONSchema.text.orNull, "sender?": .text, "signed?": .flag,
      "app?": .text, "item?": .text, "replaces?": .text, "found_at": .moment,
    ], isOpen: true)

  private static let brief = JSONSchema.object([
    "id": .text, "type": .words("reminder", "event"), "title": .text, "list": JSONSchema.text.orNull,
  ])

  private static let firing = JSONSchema.object([
    "type": .words("firing"), "kind": kind, "time": .moment, "confirmed_at": .moment, "alarm": .text,
    "item": .object([
      "id": .text, "type": .words("reminder", "event"), "title": .text, "list": .text, "start?": .time,
      "end?": .time,
      "due?": .time, "location?": .text, "notes?": .text, "url?": .text,
    ]),
    "conference?": .text, "occurrence?": .moment, "place?": .named("Place"), "device?": .text,
    "position?": .object(["latitude": .number, "longitude": .number, "accuracy": JSONSchema.number.orNull]),
    "interpolated?": .flag, "source?": .text, "earliest?": .moment, "latest?": .moment, "late": .flag,
    "folded?": .integer, "id": .text, "message?": .text,
    "snoozed?": .object([
      "kind": kind, "time?": .moment, "id?": .text, "place?": .object(["title": .text]), "device?": .text,
    ]),
    "acknowledged?": .moment, "color?": .text,
  ])

  private static let device = JSONSchema.object([
    "name": .text, "time?": .moment, "latitude?": .number, "longitude?": .number,
    "accuracy?": JSONSchema.number.orNull,
    "speed?": JSONSchema.number.orNull, "course?": JSONSchema.number.orNull, "places?": .list(.text),
  ])

  private static let agendaEntry = JSONSchema.object([
    "start": .time, "end": .time, "all_day": .flag, "current": .flag, "occurrence?": .time, "day": .integer,
    "days": .integer, "item": .named("Item"),
  ])

  private static let pushSubscription = JSONSchema.object([
    "type": .words("push-subscription"), "id": .text, "endpoint": .text, "created": .moment,
  ])

  private static let fields = JSONSchema.list(.object(["name": .text, "value": .text]))
}
