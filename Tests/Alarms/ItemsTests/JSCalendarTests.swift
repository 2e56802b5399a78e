import FencepostCalendarModel
import FencepostGeodesy
import FencepostICalendar
import FencepostJSON
import FencepostRecurrence
import FencepostTestSupport
import Testing

@testable import FencepostItems

@Suite("Items as JSCalendar")
struct JSCalendarTests: JSCalendarFixture {
  /// An object without what the server decides.
  private func content(_ object: JSONValue) -> JSONValue {
    ["updated", "created", "uid", "recurrenceId", "recurrenceIdTimeZone"]
      .reduce(object) { $0.setting([$1], to: nil) ?? $0 }
  }

  /// The properties that differ in two objects.
  private func differences(_ a: JSONValue, _ b: JSONValue) -> [String] {
    let (a, b) = (content(a), content(b))
    return Set((a.members ?? []).map(\.key) + (b.members ?? []).map(\.key)).sorted().compactMap { key in
      if let mine = a[key], let other = b[key], mine.says(other) { return nil }
      return "\(key): \(a[key]?.json ?? "-") / \(b[key]?.json ?? "-")"
    }
  }

  // MARK: What is read

  @Test("An event is read: times, place, people, alarms")
  func event() throws {
    let item = try read(
      #"""
      {"@type":"Event","uid":"a1","updated":"2026-01-02T18:23:04Z","title":"Choir","description":"Bring water",
       "start":"2026-05-07T19:00:00","timeZone":"Europe/Berlin","duration":"PT1H30M","status":"tentative",
       "freeBusyStatus":"free","privacy":"secret","priority":3,"sequence":2,"keywords":{"music":true},
       "locations":{"x":{"@type":"Location","name":"Hall","description":"1 High Street","coordinates":"geo:52.5,13.4",
         "fencepost:radius":80}},
       "virtualLocations":{"v":{"@type":"VirtualLocation","name":"Room","uri":"https://meet.example.org/r","features":{"video":true}}},
       "links":{"l":{"@type":"Link","href":"https://example.org/"}},
       "participants":{
         "o":{"@type":"Participant","name":"Anna","email":"anna@example.org","roles":{"owner":true,"chair":true},"participationStatus":"accepted"},
         "b":{"@type":"Participant","sendTo":{"imip":"mailto:bob@example.org"},"kind":"individual","roles":{"attendee":true,"optional":true}}},
       "replyTo":{"imip":"mailto:anna@example.org"},
       "alerts":{"one":{"@type":"Alert","trigger":{"@type":"OffsetTrigger","offset":"-PT15M","relativeTo":"end"}},
                 "two":{"@type":"Alert","trigger":{"@type":"AbsoluteTrigger","when":"2026-05-07T12:00:00Z"},"action":"email"}}}
      """#
    ).item
    let details = try #require(item.event)
    let zone = TimeZoneID(rawValue: "Europe/Berlin")
    #expect(details.start == .zoned(CivilDateTime(year: 2026, month: 5, day: 7, hour: 19), zone))
    #expect(details.end == .zoned(CivilDateTime(year: 2026, month: 5, day: 7, hour: 20, minute: 30), zone))
    #expect(details.status == .tentative && details.availability == .free && item.timeZone == zone)
    #expect(item.uid == "a1" && item.title == "Choir" && item.notes == "Bring water" && item.sequence == 2)
    #expect(item.classification == .confidential && item.priority == 3 && item.categories == ["music"])
    #expect(item.url == "https://example.org/" && item.location == "Hall")
    let place = try #require(item.structuredLocation)
    #expect(place.coordinate == Coordinate(latitude: 52.5, longitude: 13.4) && place.radius == 80)
    #expect(place.title == "Hall" && place.address == "1 High Street")
    #expect(
      item.conferences == [
        Conference(address: "https://meet.example.org/r", label: "Room", features: ["VIDEO"])
      ])
    #expect(item.organizer?.url == "mailto:anna@example.org" && item.organizer?.name == "Anna")
    #expect(item.attendees.map(\.url) == ["mailto:anna@example.org", "mailto:bob@example.org"])
    #expect(item.attendees.map(\.role) == [.chair, .optional])
    #expect(item.attendees.map(\.status) == [.accepted, .unknown] && item.attendees[1].kind == .person)
    #expect(item.alarms.map(\.id.rawValue) == ["one", "two"])
    #expect(item.alarms[0].trigger == .relative(CalendarDuration(seconds: -900), to: .end))
    #expect(item.alarms[1].trigger == .absolute(Instant(seconds: 1_778_155_200)))
    #expect(item.alarms[1].action == .email(to: []))
  }

  @Test("Tasks are read: due times, progress, whole days")
  func task() throws {
    let done = try read(
      #"{"@type":"Task","uid":"t","title":"Milk","due":"2026-05-01T09:00:00","progress":"completed","progressUpdated":"2026-05-01T06:00:00Z","percentComplete":100}"#
    ).item
    #expect(done.reminder?.due == .floating(CivilDateTime(year: 2026, month: 5, day: 1, hour: 9)))
    #expect(done.reminder?.isCompleted == true)
    #expect(done.reminder?.completed == Instant(rfc3339: "2026-05-01T06:00:00Z"))
    let day = try read(
      #"{"@type":"Task","uid":"t","title":"Milk","due":"2026-05-01T00:00:00","showWithoutTime":true}"#
    ).item
    #expect(day.reminder?.due == .date(CivilDay(year: 2026, month: 5, day: 1)))
    let event = try read(
      #"{"@type":"Event","uid":"t","title":"Trip","start":"2026-05-01T00:00:00","showWithoutTime":true,"duration":"P3D"}"#
    ).item
    #expect(event.event?.end == .date(CivilDay(year: 2026, month: 5, day: 4)))
    let utc = try read(
      #"{"@type":"Event","uid":"t","title":"Call","start":"2026-05-01T10:00:00","timeZone":"Etc/UTC"}"#
    ).item
    #expect(utc.event?.start == .utc(CivilDateTime(year: 2026, month: 5, day: 1, hour: 10)))
    #expect(utc.event?.end == utc.event?.start)
  }

  @Test("A series is read with all its overrides, and changes by them")
  func series() throws {
    let text = #"""
      {"@type":"Event","uid":"s","title":"Calculus","start":"2026-01-08T09:00:00","timeZone":"Europe/London","duration":"PT1H30M",
       "recurrenceRules":[{"@type":"RecurrenceRule","frequency":"weekly","until":"2026-06-25T09:00:00","byDay":[{"@type":"NDay","day":"th"}]}],
       "recurrenceOverrides":{
         "2026-01-07T14:00:00":{"title":"Introduction"},
         "2026-01-10T09:00:00":{},
         "2026-01-11T09:00:00":{"duration":"PT2H"},
         "2026-01-15T09:00:00":{"duration":"PT2H"},
         "2026-04-02T09:00:00":{"excluded":true},
         "2026-06-25T09:00:00":{"title":"Exam","start":"2026-06-25T10:00:00","duration":"PT2H",
           "locations":{"a":{"@type":"Location","name":"Big Hall"}}}}}
      """#
    let (item, occurrences) = try read(text)
    let zone = TimeZoneID(rawValue: "Europe/London")
    func time(_ month: Int, _ day: Int, _ hour: Int) -> CalendarTime {
      .zoned(CivilDateTime(year: 2026, month: month, day: day, hour: hour), zone)
    }
    let recurrence = try #require(item.recurrence)
    #expect(recurrence.rules.map(\.byDay) == [[.init(.thursday)]])
    #expect(recurrence.rules[0].end == .until(CalendarTime(resolver.instant(of: time(6, 25, 9)))))
    #expect(
      recurrence.dates
        == [.init(start: time(1, 10, 9)), .init(start: time(1, 11, 9), end: time(1, 11, 11))])
    #expect(recurrence.exceptionDates == [time(4, 2, 9)])
    #expect(
      occurrences.map { $0.detachment?.occurrence } == [time(1, 7, 14), time(1, 15, 9), time(6, 25, 9)])
    #expect(occurrences.map(\.title) == ["Introduction", "Calculus", "Exam"])
    #expect(occurrences[0].event?.start == time(1, 7, 14) && occurrences[0].location == nil)
    #expect(occurrences[2].event?.start == time(6, 25, 10) && occurrences[2].event?.end == time(6, 25, 12))
    #expect(occurrences[2].location == "Big Hall" && occurrences[2].recurrence == nil)
    #expect(differences(written(item, occurrences), try value(text)) == [])

    // The exam moves, the introduction goes, and one more is cancelled.
    var changed = item
    let later = try value(
      text.replacing(#""2026-01-07T14:00:00":{"title":"Introduction"},"#, with: "")
        .replacing(
          #""2026-04-02T09:00:00":{"excluded":true}"#,
          with: #""2026-04-02T09:00:00":{"excluded":true},"2026-04-09T09:00:00":{"excluded":true}"#
        )
        .replacing("T10:00:00", with: "T11:00:00"))
    let changes = try JSCalendarPatch(later, resolver: resolver)
      .apply(to: &changed, occurrences: occurrences, at: now)
    #expect(changes.removed == [occurrences[0]])
    #expect(changes.saved.map(\.id) == [occurrences[2].id])
    #expect(changes.saved.first?.event?.start == time(6, 25, 11))
    #expect(changed.recurrence?.exceptionDates == [time(4, 2, 9), time(4, 9, 9)])
  }

  @Test("A patch can reach into an object")
  func pointers() throws {
    let (_, occurrences) = try read(
      #"""
      {"@type":"Event","uid":"s","title":"Choir","start":"2026-05-07T19:00:00","timeZone":"Europe/Berlin","duration":"PT1H",
       "recurrenceRules":[{"frequency":"weekly"}],
       "locations":{"h":{"@type":"Location","name":"Hall"}},
       "alerts":{"x":{"@type":"Alert","trigger":{"@type":"OffsetTrigger","offset":"-PT5M"}}},
       "recurrenceOverrides":{"2026-05-14T19:00:00":{"locations/h/name":"Yard","alerts/x/trigger/offset":"-PT10M"},
                              "2026-05-21T19:00:00":{"locations":null,"alerts/x":null}}}
      """#)
    #expect(occurrences.map(\.location) == ["Yard", nil])
    #expect(occurrences[0].alarms.map(\.trigger) == [.relative(CalendarDuration(seconds: -600), to: .start)])
    #expect(occurrences[1].alarms.isEmpty)
  }

  // MARK: What is kept

  @Test("Unknown properties and the client's own words come back, also by way of a file")
  func kept() throws {
    let text = #"""
      {"@type":"Event","uid":"k","title":"Choir","start":"2026-05-07T19:00:00","timeZone":"Europe/Berlin","duration":"PT60M",
       "color":"green","example.com:mood":{"high":[1,2.5,null,"ü\n\";,"]},"freeBusyStatus":"busy",
       "locations":{"h":{"@type":"Location","name":"Hall"},"bus":{"@type":"Location","name":"Bus stop","relativeTo":"start"}},
       "participants":{"p":{"@type":"Participant","name":"Room 1","kind":"resource","roles":{"attendee":true},"sendTo":{"imip":"mailto:r@example.org"},"expectReply":true}}}
      """#
    let item = try read(text).item
    #expect(differences(written(item), try value(text)) == [])
    let file = ICalendarWriter().text(of: ICalendarDocument(items: [item]))
    let again = try #require(
      try ICalendarReader(calendar: item.calendar).read(Array(file.utf8)).items.first)
    #expect(differences(written(again), try value(text)) == [])

    // What was written changes nothing.
    var same = item
    _ = try JSCalendarPatch(written(item), resolver: resolver).apply(to: &same, occurrences: [], at: now)
    #expect(same == item)

    // Words that no longer say what the item says go; others stay.
    var changed = item
    changed.location = "Yard"
    let words = written(changed)
    #expect(words["locations"]?.members?.map { $0.value["name"]?.text } == ["Yard"])
    #expect(words["color"]?.text == "green" && words["duration"]?.text == "PT60M")
  }

  @Test("Control characters come back in values; a name with one is refused, because no file can hold it")
  func unprintable() throws {
    let item = try read(#"{"@type":"Task","uid":"k","title":"Call","e f":"\u007f\u0001"}"#).item
    #expect(item.jsProperties.map(\.name) == ["e f"])
    let file = ICalendarWriter().text(of: ICalendarDocument(items: [item]))
    let again = try ICalendarReader(calendar: item.calendar).read(Array(file.utf8)).items
    #expect(again.first?.jsProperties == item.jsProperties)
    for name in [#"a\u0001b"#, #"c\u007fd"#, String(repeating: "n", count: 201)] {
      #expect(throws: ItemPatchError.self) { try read(#"{"@type":"Task","title":"Call","\#(name)":1}"#) }
    }
  }

  @Test("A long property comes back; one that is too long to keep is refused")
  func long() throws {
    func task(_ length: Int) -> String {
      #"{"@type":"Task","uid":"k","title":"Call","localizations":{"de":{"title":"\#(String(repeating: "a", count: length))"}}}"#
    }
    let item = try read(task(70_000)).item
    #expect(try differences(written(item), value(task(70_000))) == [#"progress: "needs-action" / -"#])
    let error = #expect(throws: ItemPatchError.self) { try read(task(600_000)) }
    #expect(error?.pointer == "/localizations")
  }

  @Test("A patch of what an override can't change is ignored, also deep inside")
  func ignoredPatches() throws {
    let (item, occurrences) = try read(
      #"""
      {"@type":"Event","uid":"s","title":"Choir","start":"2026-05-07T19:00:00","replyTo":{"imip":"mailto:a@example.org"},
       "recurrenceRules":[{"frequency":"weekly"}],
       "recurrenceOverrides":{"2026-05-14T19:00:00":{"replyTo/imip":"mailto:b@example.org","recurrenceRules/0/count":1,
                                "relatedTo/x":{},"privacy":"secret","title":"Concert"},
                              "2026-05-16T19:00:00":{"uid":"other","timeZones/x":{}}}}
      """#)
    #expect(occurrences.map(\.title) == ["Concert"])
    #expect(occurrences.map(\.organizer?.url) == ["mailto:a@example.org"])
    #expect(occurrences.map(\.classification) == [.public] && item.recurrence?.dates.count == 1)
  }

  @Test("Words of others are kept, and mean what the RFC says")
  func unknownWords() throws {
    let event =
      #"{"@type":"Event","uid":"k","title":"Call","start":"2026-05-07T19:00:00","duration":"PT1.5S","status":"example.org:maybe","freeBusyStatus":"example.org:out","privacy":"example.org:team","alerts":{"x":{"@type":"Alert","trigger":{"@type":"OffsetTrigger","offset":"-PT0.5S"},"action":"example.org:sing"}}}"#
    let item = try read(event).item
    #expect(try differences(written(item), value(event)) == [])
    #expect(item.event?.status == EventDetails.Status.none && item.event?.availability == .busy)
    #expect(
      item.classification == .private
        && item.event?.end == item.event?.start.advanced(by: CalendarDuration(seconds: 1)))
    let task = #"{"@type":"Task","uid":"k","title":"","progress":"example.org:stuck"}"#
    #expect(try differences(written(read(task).item), value(task)) == [])
    #expect(try read(task).item.reminder?.isCompleted == false)
  }

  @Test("People without an organizer have addresses, but no way to send to them")
  func noOrganizer() throws {
    var item = try read(#"{"@type":"Task","uid":"k","title":"Call"}"#).item
    item.attendees = [Participant(url: "mailto:a@example.org"), Participant(url: "https://example.org/b")]
    let people = try #require(written(item)["participants"]?.members).map(\.value)
    #expect(people.compactMap { $0["email"]?.text } == ["a@example.org"])
    var same = item
    _ = try JSCalendarPatch(written(item), resolver: resolver).apply(to: &same, occurrences: [], at: now)
    #expect(same == item)
    item.organizer = Participant(url: "mailto:o@example.org")
    #expect(written(item)["participants"]?.members?.allSatisfy { $0.value["sendTo"] != nil } == true)
  }

  @Test("A trigger of another type is kept, also when another alert is acknowledged")
  func otherTriggers() throws {
    let text =
      #"{"@type":"Task","uid":"k","title":"Call","due":"2026-05-07T19:00:00","alerts":{"a":{"@type":"Alert","trigger":{"@type":"OffsetTrigger","offset":"PT0S"},"example.org:tune":"bell"},"b":{"@type":"Alert","trigger":{"@type":"example.org:Tide","level":3}}}}"#
    var item = try read(text).item
    item.alarms[0].acknowledged = now
    var alerts = try #require(written(item)["alerts"])
    #expect(alerts["a"]?["acknowledged"]?.text == "2026-05-01T01:46:40Z")
    alerts = try #require(alerts.setting(["a", "acknowledged"], to: nil))
    #expect(try alerts.says(#require(value(text)["alerts"])))
    var same = item
    _ = try JSCalendarPatch(written(item), resolver: resolver).apply(to: &same, occurrences: [], at: now)
    #expect(written(same)["alerts"]?["b"]?["trigger"]?["level"]?.integer == 3 && same.alarms == item.alarms)
  }

  @Test("What a file says twice is written once")
  func twice() throws {
    var item = try read(#"{"@type":"Task","uid":"k","title":"Call"}"#).item
    item.jsProperties = ["1", "2", "[", "null"].map { JSProperty(name: "color", json: $0) }
    item.jsProperties.append(JSProperty(name: "title", json: #""Call""#))
    item.jsProperties.append(JSProperty(name: "title", json: #""Call""#))
    #expect(written(item)["color"]?.integer == 1 && written(item)["title"]?.text == "Call")
    #expect(written(item).members?.filter { ["color", "title"].contains($0.key) }.count == 2)
  }

  @Test("A file of JSCalendar is read, without its broken entries")
  func document() throws {
    let text = #"""
      {"@type":"Group","uid":"g","updated":"2026-01-01T00:00:00Z","title":"Home","entries":[
       {"@type":"Task","uid":"a","updated":"2026-02-01T00:00:00Z","title":"Call"},
       {"@type":"Event","uid":"b","updated":"2026-02-01T00:00:00Z","title":"Choir","start":"2026-05-07T19:00:00",
        "recurrenceRules":[{"frequency":"weekly"}],"recurrenceOverrides":{"2026-05-14T19:00:00":{"title":"Concert"}}},
       {"@type":"Task","title":"nameless"},{"@type":"Task","uid":"c","priority":12},5]}
      """#
    let document = try JSCalendarDocument(reading: Array(text.utf8), resolver: resolver, at: now)
    #expect(document.title == "Home" && document.items.map(\.title) == ["Call", "Choir", "Concert"])
    #expect(document.items[0].lastModified == Instant(rfc3339: "2026-02-01T00:00:00Z"))
    #expect(document.problems.map(\.pointer) == ["/entries/2/uid", "/entries/3/priority", "/entries/4"])
    let one = try JSCalendarDocument(
      reading: Array(#"{"@type":"Task","uid":"a","title":"Call"}"#.utf8), resolver: resolver, at: now)
    #expect(one.items.count == 1 && one.title == nil)
    for bad in ["[]", "{", #"{"@type":"Group","entries":5}"#, #"{"@type":"Group"}"#] {
      #expect(throws: (any Error).self) {
        try JSCalendarDocument(reading: Array(bad.utf8), resolver: resolver, at: now)
      }
    }
  }

  @Test("A coordinate near zero has no exponent")
  func smallCoordinate() throws {
    var item = try read(#"{"@type":"Task","uid":"k","title":"Buoy"}"#).item
    item.structuredLocation = StructuredLocation(
      title: "Buoy", coordinate: Coordinate(latitude: 0.00001, longitude: -0.00002))
    let place = try #require(written(item)["locations"]?.members?.first?.value)
    #expect(place["coordinates"]?.text == "geo:0.00001,-0.00002")
  }

  @Test("A group was updated when the last of its objects was")
  func group() throws {
    var items = try ["a", "b"].map { try read(#"{"@type":"Task","uid":"\#($0)","title":"Call"}"#).item }
    items[0].lastModified = Instant(seconds: 1_800_000_000)
    items[1].lastModified = now
    let group = JSCalendarWriter(resolver: resolver).group(items.map { ($0, []) }, uid: "g").value
    #expect(group["updated"]?.text == "2027-01-15T08:00:00Z")
  }

  @Test(
    "Moments are written without zeros at the end of a fraction",
    arguments: [
      (0, "1970-01-01T00:00:00Z"), (120_000, "1970-01-01T00:00:00.12Z"), (1, "1970-01-01T00:00:00.000001Z"),
    ])
  func moments(microseconds: Int64, text: String) {
    #expect(Instant(microseconds: microseconds).jsCalendarText == text)
  }

  @Test("A meeting without a name of its own stays without one")
  func namelessMeeting() throws {
    let text =
      #"{"@type":"Task","uid":"k","title":"Call","keywords":{"a":true},"color":"red","virtualLocations":{"v":{"uri":"https://meet.whereby.com/r"}}}"#
    let item = try read(text).item
    #expect(
      written(item)["virtualLocations"]?.says(try #require(try value(text)["virtualLocations"])) == true)
    var same = item
    _ = try JSCalendarPatch(written(item), resolver: resolver).apply(to: &same, occurrences: [], at: now)
    #expect(same == item)
  }

  @Test("What JSCalendar has no form for stays when a client changes something else")
  func untouched() throws {
    let other = TimeZoneID(rawValue: "Asia/Tokyo")
    var item = CalendarItem(
      calendar: Identifier(rawValue: "c"), uid: "u", title: "Flight",
      details: .event(
        EventDetails(
          start: .zoned(
            CivilDateTime(year: 2026, month: 5, day: 1, hour: 10), TimeZoneID(rawValue: "Europe/Berlin")),
          end: .zoned(CivilDateTime(year: 2026, month: 5, day: 2, hour: 8), other), availability: .tentative))
    )
    item.preserved.properties = ["ATTACH:https://example.org/ticket.pdf"]
    item.alarms = [
      Alarm(
        trigger: .none,
        proximity: ProximityTrigger(
          .dwell(seconds: 300),
          at: StructuredLocation(title: "Gate", coordinate: Coordinate(latitude: 52, longitude: 13)),
          frequency: .once, devices: ["phone"]))
    ]
    let object = try #require(
      written(item).setting(["title"], to: JSONValue(line: 1, content: .text("Flight home"))))
    var changed = item
    _ = try JSCalendarPatch(object, resolver: resolver).apply(to: &changed, occurrences: [], at: now)
    var expected = item
    expected.title = "Flight home"
    expected.lastModified = now
    #expect(changed == expected)
    #expect(object["duration"]?.text == "PT15H")
  }

  // MARK: Properties

  /// A random item that JSCalendar can hold: overrides on the clock of the series.
  private func item(_ model: inout RandomModel) -> CalendarItem {
    var item = model.item(in: Identifier(rawValue: "c"))
    (item.title, item.uid, item.detachment) = ("Title " + item.title, "uid", nil)
    let added = item.recurrence?.dates.map { Recurrence.AdditionalOccurrence(start: $0.start) } ?? []
    item.recurrence?.dates = added
    // A task that is newly done gets the time of the change.
    if item.reminder?.isCompleted == true, item.reminder?.completed == nil { item.reminder?.completed = now }
    return item
  }

  @Test("What is written is read as an item that is written the same", arguments: 0..<400)
  func roundTrip(seed: UInt64) throws {
    var model = RandomModel(seed: seed)
    let item = item(&model)
    let object = written(item)
    // A random task may start after it is due, a random series have no start, and a random place no
    // coordinate.
    guard let copy = try? JSCalendarPatch(object, resolver: resolver).newItem(at: now) else { return }
    #expect(differences(written(copy.item, copy.occurrences), object) == [], "seed \(seed)")
    var same = item
    _ = try JSCalendarPatch(object, resolver: resolver).apply(to: &same, occurrences: [], at: now)
    #expect(same == item, "seed \(seed)")
  }

  @Test("An item becomes what an object says, whatever it was before", arguments: 0..<400)
  func replacement(seed: UInt64) throws {
    var model = RandomModel(seed: seed)
    let (item, other) = (item(&model), item(&model))
    guard item.isEvent == other.isEvent else { return }
    let object = written(other)
    var changed = item
    let patch = try JSCalendarPatch(object, resolver: resolver)
    guard (try? patch.apply(to: &changed, occurrences: [], at: now)) != nil else { return }
    #expect(differences(written(changed), object) == [], "seed \(seed)")
  }

  // MARK: Bad input

  @Test(
    "Bad objects are refused, with the position",
    arguments: [
      ("[]", ""), ("{}", "/@type"), (#"{"@type":"Group"}"#, "/@type"),
      (#"{"@type":"Event","title":"a"}"#, "/start"),
      (#"{"@type":"Task","title":5}"#, "/title"), (#"{"@type":"Task","title":"a","uid":5}"#, "/uid"),
      (#"{"@type":"Task","title":"a","created":"yesterday"}"#, "/created"),
      (#"{"@type":"Event","title":"a","start":"2026-05-01T09:00"}"#, "/start"),
      (#"{"@type":"Event","title":"a","start":"2026-05-01T09:00:00."}"#, "/start"),
      (#"{"@type":"Event","title":"a","start":"2026-05-01T09:00:00,5"}"#, "/start"),
      (#"{"@type":"Event","title":"a","start":"2026-05-01T09:00:00","status":5}"#, "/status"),
      (#"{"@type":"Event","title":"a","start":"2026-05-01T09:00:00","duration":"PT1.H"}"#, "/duration"),
      (#"{"@type":"Task","title":"a","replyTo":{"imip":5}}"#, "/replyTo/imip"),
      (#"{"@type":"Task","title":"a","participants":{"a/b":{"name":5}}}"#, "/participants/a~1b/name"),
      (#"{"@type":"Task","title":"a","participants":{"p":{"roles":["owner"]}}}"#, "/participants/p/roles"),
      (#"{"@type":"Task","title":"a","participants":{"p":{"sendTo":"x"}}}"#, "/participants/p/sendTo"),
      (
        #"{"@type":"Task","title":"a","alerts":{"x":{"trigger":{"when":"2026-05-01T09:00:00+02:00"}}}}"#,
        "/alerts/x/when"
      ),
      (
        #"{"@type":"Task","title":"a","due":"2026-05-01T09:00:00","recurrenceRules":[{"frequency":"daily;COUNT=5"}]}"#,
        "/recurrenceRules/0/frequency"
      ),
      (
        #"{"@type":"Task","title":"a","due":"2026-05-01T09:00:00","recurrenceRules":[{"frequency":"weekly","byDay":"mo"}]}"#,
        "/recurrenceRules/0/byDay"
      ),
      (
        #"{"@type":"Task","title":"a","due":"2026-05-01T09:00:00","recurrenceRules":[{"frequency":"weekly","byDay":[{"day":"mo,tu"}]}]}"#,
        "/recurrenceRules/0/byDay/0/day"
      ),
      (
        #"{"@type":"Task","title":"a","due":"2026-05-01T09:00:00","recurrenceRules":[{"frequency":"monthly","byMonthDay":["1;COUNT=3"]}]}"#,
        "/recurrenceRules/0/byMonthDay/0"
      ),
      (
        #"{"@type":"Task","title":"a","due":"2026-05-01T09:00:00","recurrenceRules":[{"frequency":"daily","interval":"2"}]}"#,
        "/recurrenceRules/0/interval"
      ),
      (
        #"{"@type":"Task","title":"a","due":"2026-05-01T09:00:00","recurrenceRules":[{"frequency":"daily","skip":5}]}"#,
        "/recurrenceRules/0/skip"
      ),
      (
        #"{"@type":"Task","title":"a","due":"2026-05-01T09:00:00","recurrenceOverrides":{"2026-05-02T09:00:00":{"excluded":5}}}"#,
        "/recurrenceOverrides/2026-05-02T09:00:00/excluded"
      ),
      (
        #"{"@type":"Task","title":"a","due":"2026-05-01T09:00:00","recurrenceOverrides":{"2026-05-02T09:00:00.5":{}}}"#,
        "/recurrenceOverrides/2026-05-02T09:00:00.5"
      ),
      (
        #"{"@type":"Task","title":"a","due":"2026-05-01T09:00:00","keywords":{"a":true},"recurrenceOverrides":{"2026-05-02T09:00:00":{"keywords":{},"keywords/a":null}}}"#,
        "/recurrenceOverrides/2026-05-02T09:00:00/keywords~1a"
      ),
      (
        #"{"@type":"Task","title":"a","due":"2026-05-01T09:00:00","recurrenceId":"2026-05-01T09:00:00","recurrenceRules":[{"frequency":"daily"}]}"#,
        "/recurrenceRules"
      ),
      (#"{"@type":"Event","title":"a","start":"2026-05-01"}"#, "/start"),
      (#"{"@type":"Event","title":"a","start":"2026-05-01T09:00:00Z"}"#, "/start"),
      (#"{"@type":"Event","title":"a","start":"2026-13-01T09:00:00"}"#, "/start"),
      (#"{"@type":"Event","title":"a","start":5}"#, "/start"),
      (#"{"@type":"Event","title":"a","start":"2026-05-01T09:00:00","timeZone":"Mars/Base"}"#, "/timeZone"),
      (#"{"@type":"Event","title":"a","start":"2026-05-01T09:00:00","duration":"-PT1H"}"#, "/duration"),
      (#"{"@type":"Event","title":"a","start":"2026-05-01T09:00:00","duration":"soon"}"#, "/duration"),
      (#"{"@type":"Task","title":"a","priority":12}"#, "/priority"),
      (#"{"@type":"Task","title":"a\u0000"}"#, "/title"),
      (#"{"@type":"Task","title":"a","keywords":["x"]}"#, "/keywords"),
      (#"{"@type":"Task","title":"a","progress":true}"#, "/progress"),
      (
        #"{"@type":"Task","title":"a","locations":{"x":{"coordinates":"geo:95,13"}}}"#,
        "/locations/x/coordinates"
      ),
      (
        #"{"@type":"Task","title":"a","alerts":{"x":{"trigger":{"@type":"OffsetTrigger","offset":"-PT5M"}}}}"#,
        "/alerts/x/trigger"
      ),
      (
        #"{"@type":"Task","title":"a","alerts":{"x":{"trigger":{"@type":"AbsoluteTrigger","when":"noon"}}}}"#,
        "/alerts/x/when"
      ),
      (
        #"{"@type":"Task","title":"a","due":"2026-05-01T09:00:00","recurrenceRules":[{"frequency":"often"}]}"#,
        "/recurrenceRules/0"
      ),
      (#"{"@type":"Task","title":"a","recurrenceRules":[{"frequency":"daily"}]}"#, "/recurrenceRules"),
      (
        #"{"@type":"Task","title":"a","due":"2026-05-01T09:00:00","recurrenceRules":[{"frequency":"daily","count":2,"until":"2026-06-01T09:00:00"}]}"#,
        "/recurrenceRules/0/until"
      ),
      (#"{"@type":"Task","title":"a","start":"2026-05-02T09:00:00","due":"2026-05-01T09:00:00"}"#, "/start"),
      (
        #"{"@type":"Task","title":"a","due":"2026-05-01T09:00:00","recurrenceOverrides":{"monday":{}}}"#,
        "/recurrenceOverrides/monday"
      ),
      (
        #"{"@type":"Task","title":"a","due":"2026-05-01T09:00:00","recurrenceOverrides":{"2026-05-02T09:00:00":{"a/b":1}}}"#,
        "/recurrenceOverrides/2026-05-02T09:00:00/a~1b"
      ),
      (
        #"{"@type":"Task","title":"a","virtualLocations":{"v":{"uri":"javascript:alert(1)"}}}"#,
        "/virtualLocations/v/uri"
      ),
    ])
  func bad(text: String, pointer: String) throws {
    let error = #expect(throws: ItemPatchError.self) { try read(text) }
    #expect(error?.pointer == pointer, "\(error?.sentence ?? "")")
  }
}
