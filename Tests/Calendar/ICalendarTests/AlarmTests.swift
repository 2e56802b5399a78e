import FencepostCalendarModel
import FencepostGeodesy
import FencepostICalendar
import Testing

@Suite struct AlarmTests {
  private func alarms(_ body: String, of item: String = "") throws -> [Alarm] {
    let text = todo("\(item)\nBEGIN:VALARM\n\(body)\nEND:VALARM".drop { $0 == "\n" }.description)
    return try #require(try read(text).items.first).alarms
  }

  @Test(arguments: [
    ("TRIGGER:-PT15M", Alarm.Trigger.relative(CalendarDuration(seconds: -900), to: .start)),
    ("TRIGGER;RELATED=END:-P1D", .relative(CalendarDuration(days: -1), to: .end)),
    ("TRIGGER;VALUE=DURATION;RELATED=start:PT0S", .relative(.zero, to: .start)),
    ("TRIGGER;VALUE=DATE-TIME:20260101T000000Z", .absolute(Instant(seconds: 1_767_225_600))),
    ("TRIGGER:20260101T000000Z", .absolute(Instant(seconds: 1_767_225_600))),
    ("TRIGGER;VALUE=DATE-TIME:19760401T005545Z", .none),
    ("TRIGGER:soon", .none),
    ("X-NO-TRIGGER:1", .none),
  ])
  func readsTriggers(line: String, trigger: Alarm.Trigger) throws {
    #expect(try alarms("ACTION:DISPLAY\n\(line)").first?.trigger == trigger)
  }

  @Test(arguments: [
    ("ACTION:DISPLAY", Alarm.Action.display), ("ACTION:display", .display),
    ("ACTION:AUDIO\nATTACH;VALUE=URI:Basso", .audio(soundName: "Basso")),
    ("ACTION:AUDIO", .audio(soundName: nil)),
    ("ACTION:EMAIL\nATTENDEE:mailto:a@b\nATTENDEE:mailto:c@d", .email(to: ["mailto:a@b", "mailto:c@d"])),
    ("ACTION:PROCEDURE\nATTACH:file:///x", .procedure(url: "file:///x")), ("ACTION:NONE", .other("NONE")),
  ])
  func readsActions(lines: String, action: Alarm.Action) throws {
    #expect(try alarms("TRIGGER:-PT1M\n\(lines)").first?.action == action)
  }

  /// RFC 9074's form alone, with only a UID, and the default radius.
  @Test func readsProximityWithAComponent() throws {
    let alarm = try #require(
      try alarms(
        "UID:x\nTRIGGER;VALUE=DATE-TIME:19760401T005545Z\nPROXIMITY:DEPART\nBEGIN:VLOCATION\nUID:p\nNAME:Off\\,ice\n"
          + "URL:geo:40.443,-79.945;u=10\nEND:VLOCATION"
      ).first)
    #expect(alarm.id.rawValue == "x")
    #expect(alarm.trigger == .none)
    #expect(alarm.proximity?.event == .leave)
    #expect(
      alarm.proximity?.location
        == StructuredLocation(
          title: "Off,ice", coordinate: Coordinate(latitude: 40.443, longitude: -79.945), radius: 10))
  }

  /// The model has one place for each alarm: each place gets an alarm with its own identifier.
  @Test func makesAnAlarmOfEachPlace() throws {
    let place = "BEGIN:VLOCATION\nUID:p\nNAME:%\nURL:geo:4%,8\nEND:VLOCATION\n"
    let body = ["1", "2", "3"].map { place.replacing("%", with: $0) }.joined()
    let alarms = try alarms("UID:x\nTRIGGER:PT0S\nPROXIMITY:ARRIVE\n" + body.dropLast())
    #expect(alarms.map(\.id.rawValue) == ["x", "x/2", "x/3"])
    #expect(alarms.map { $0.proximity?.location.title } == ["1", "2", "3"])
    #expect(alarms.allSatisfy { $0.preserved.components.count == 1 })
  }

  /// A car's Bluetooth is not a place: the alarm is kept, and never goes off at a place.
  @Test func keepsConnectAndDisconnect() throws {
    for value in ["CONNECT", "DISCONNECT"] {
      let alarm = try #require(
        try alarms("TRIGGER;VALUE=DATE-TIME:19760401T005545Z\nPROXIMITY:\(value)").first)
      #expect(alarm.proximity == nil)
      #expect(alarm.trigger == .none)
      #expect(alarm.preserved.properties == ["PROXIMITY:\(value)"])
    }
  }

  @Test func readsKDEsRadius() throws {
    let alarm = try #require(
      try alarms("TRIGGER:PT0S\nX-LOCATION-RADIUS:250", of: "GEO:50.1;8.6\nLOCATION:Here").first)
    #expect(alarm.proximity?.event == .enter)
    #expect(
      alarm.proximity?.location
        == StructuredLocation(
          title: "Here", coordinate: Coordinate(latitude: 50.1, longitude: 8.6), radius: 250))
  }

  @Test func readsSnoozeAndAcknowledgement() throws {
    let item = try #require(
      try read(
        todo(
          "BEGIN:VALARM\nUID:a\nTRIGGER:-PT5M\nACKNOWLEDGED:20260101T000000Z\nEND:VALARM\n"
            + "BEGIN:VALARM\nUID:b\nTRIGGER:20260101T001000Z\nRELATED-TO;RELTYPE=SNOOZE:a\nEND:VALARM")
      ).items.first)
    #expect(item.alarms[0].acknowledged == Instant(seconds: 1_767_225_600))
    #expect(item.alarms[1].snoozeOf == item.alarms[0].id)
  }

  /// Reading the same file again gives the same identifiers. Otherwise the alarms would fire again.
  @Test func identifiersFollowFromTheFile() throws {
    let text = todo("BEGIN:VALARM\nTRIGGER:-PT5M\nEND:VALARM\nBEGIN:VALARM\nTRIGGER:-PT1M\nEND:VALARM")
    let (first, second) = (try read(text), try read(text))
    #expect(first.items == second.items)
    #expect(first.items.first?.alarms.map(\.id.rawValue) == ["t#0", "t#1"])
    let nameless = text.replacing("UID:t\n", with: "")
    #expect(try read(nameless).items.first?.uid == (try read(nameless).items.first?.uid))
    #expect(try read(nameless).warnings.count == 1)
  }

  /// Thunderbird records acknowledgement and snooze in the item.
  @Test func mozilla() throws {
    let text = event(
      "DTSTART:20260105T090000Z\nX-MOZ-LASTACK:20260105T084600Z\nX-MOZ-SNOOZE-TIME:20260105T090500Z\n"
        + "BEGIN:VALARM\nACTION:DISPLAY\nDESCRIPTION:E\nTRIGGER:-PT15M\nEND:VALARM")
    var item = try #require(try read(text).items.first)
    func written() -> [String] { contentLines(ICalendarWriter().text(of: ICalendarDocument(items: [item]))) }
    let (seen, later) = (
      Instant(seconds: CivilDateTime(year: 2026, month: 1, day: 5, hour: 8, minute: 46).secondsSinceEpoch),
      Instant(seconds: CivilDateTime(year: 2026, month: 1, day: 5, hour: 9, minute: 5).secondsSinceEpoch)
    )
    #expect(item.alarms.map(\.acknowledged) == [seen, nil])
    #expect(item.alarms.map(\.trigger).last == .absolute(later))
    #expect(item.alarms.last?.snoozeOf == item.alarms.first?.id)
    #expect(written().filter { $0 == "BEGIN:VALARM" }.count == 1)
    #expect(written().contains("X-MOZ-SNOOZE-TIME:20260105T090500Z"))
    #expect(!written().contains { $0.hasPrefix("ACKNOWLEDGED") })
    // Snoozed again in Fencepost: RFC 9074's form replaces the line.
    item.alarms[1].trigger = .absolute(later.adding(seconds: 600))
    #expect(!written().contains { $0.hasPrefix("X-MOZ-SNOOZE-TIME") })
    #expect(written().contains("RELATED-TO;RELTYPE=SNOOZE:e#0"))
    // Acknowledged in Fencepost: the snooze goes, and the time is also in RFC 9074's form.
    item.alarms.removeLast()
    item.alarms[0].acknowledged = later
    #expect(!written().contains { $0.hasPrefix("X-MOZ-SNOOZE-TIME") })
    #expect(written().contains("ACKNOWLEDGED:20260105T090500Z"))
    #expect(written().contains("X-MOZ-LASTACK:20260105T084600Z"))
  }

  /// jtx Board has a geofence on the item.
  @Test func geofenceRadius() throws {
    var item = try #require(try read(todo("GEO:48.2;16.4\nX-GEOFENCE-RADIUS:250")).items.first)
    func written() -> [String] { contentLines(ICalendarWriter().text(of: ICalendarDocument(items: [item]))) }
    let trigger = try #require(item.alarms.first?.proximity)
    #expect(trigger.event == .enter && trigger.firesIfInside && trigger.location.radius == 250)
    #expect(written().contains("X-GEOFENCE-RADIUS:250") && !written().contains("BEGIN:VALARM"))
    item.alarms.append(Alarm(id: .init(rawValue: "t#1"), trigger: .relative(.zero, to: .start)))
    let again = try #require(try read(written().joined(separator: "\n") + "\n").items.first)
    #expect(again.alarms.map(\.id.rawValue).sorted() == ["t#1", "t#geofence"])
    item.alarms[0].proximity?.location.radius = 100
    #expect(!written().contains { $0.hasPrefix("X-GEOFENCE-RADIUS") })
    #expect(written().contains("X-APPLE-PROXIMITY:ARRIVE"))
    item.alarms.removeAll()
    #expect(!written().contains { $0.hasPrefix("X-GEOFENCE-RADIUS") })
  }

  @Test func optionsAreReadAndBrokenOnesKept() throws {
    let place = "X-APPLE-PROXIMITY:ARRIVE\nX-APPLE-STRUCTURED-LOCATION;VALUE=URI;X-TITLE=P:geo:1,2"
    let options =
      "X-FENCEPOST-DWELL:PT5M\nX-FENCEPOST-FIRE-IF-INSIDE:TRUE\nX-FENCEPOST-FREQUENCY:DAILY\n"
      + "X-FENCEPOST-WINDOW:HOURS=080000-240000\\;WEEKDAYS=MO\\,FR\\;FROM=20260101\\;UNTIL=20260201\n"
      + "X-FENCEPOST-DEVICES:phone,my\\, watch\n"
      + #"X-FENCEPOST-OUTLINE:{"type":"Polygon"\,"coordinates":[[[0\,0]\,[1\,0]\,[1\,1]\,[0\,0]]]}"#
    let trigger = try #require(try alarms("TRIGGER:PT0S\n\(place)\n\(options)").first?.proximity)
    #expect(trigger.event == .dwell(seconds: 300))
    #expect(trigger.firesIfInside)
    #expect(trigger.frequency == .oncePerDay)
    #expect(trigger.devices == ["phone", "my, watch"])
    #expect(trigger.location.outline.first?.exterior.count == 3)
    #expect(trigger.window?.hours == .init(from: 28_800, until: 86_400))
    #expect(trigger.window?.weekdays == [.monday, .friday])
    #expect(trigger.window?.firstDay == CivilDay(year: 2026, month: 1, day: 1))
    for broken in [
      "X-FENCEPOST-DWELL:long", "X-FENCEPOST-FREQUENCY:OFTEN", "X-FENCEPOST-WINDOW:HOURS=9-5",
      "X-FENCEPOST-WINDOW:WEEKDAYS=XX", "X-FENCEPOST-OUTLINE:{}",
      #"X-FENCEPOST-OUTLINE:{"type":"Polygon"\,"coordinates":[[[0\,0]\,[999\,0]\,[1\,1]]]}"#,
    ] {
      let document = try read(todo("BEGIN:VALARM\nTRIGGER:PT0S\n\(place)\n\(broken)\nEND:VALARM"))
      #expect(document.warnings.count == 1, "\(broken)")
      #expect(document.items.first?.alarms.first?.preserved.properties == [broken])
    }
  }

  /// Another program's kept form of the place is dropped when the place changes.
  @Test func staleFormsAreNotWritten() throws {
    var item = try #require(
      try read(
        todo(
          "GEO:50.1;8.6\nBEGIN:VALARM\nTRIGGER:PT0S\nPROXIMITY:ARRIVE\nBEGIN:VLOCATION\nUID:p\nNAME:Old\nX-A:1\n"
            + "URL:geo:1,2\nEND:VLOCATION\nEND:VALARM")
      ).items.first)
    item.alarms[0].proximity?.location = StructuredLocation(
      title: "New", coordinate: Coordinate(latitude: 3, longitude: 4), radius: 50)
    item.structuredLocation = StructuredLocation(
      title: "Far", coordinate: Coordinate(latitude: 0, longitude: 0))
    let text = ICalendarWriter().text(of: ICalendarDocument(items: [item]))
    #expect(!text.contains("Old"))
    #expect(!text.contains("GEO:50.1"))
    #expect(text.contains("URL:geo:3,4;u=50"))
    item.structuredLocation = nil
    item.alarms[0].proximity = nil
    #expect(
      try read(ICalendarWriter().text(of: ICalendarDocument(items: [item]))).items.first?.structuredLocation
        == nil)
  }
}
