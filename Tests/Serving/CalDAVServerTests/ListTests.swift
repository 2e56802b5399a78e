import FencepostCalDAV
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostWebServer
import FencepostXML
import Testing

@testable import FencepostCalDAVServer

@Suite("Lists that clients make and change")
struct ListTests {
  private static func creation(
    _ method: CollectionCreation.Method, _ components: [String], _ more: [XMLElement] = []
  ) -> CollectionCreation {
    CollectionCreation(
      method,
      properties: (method == .mkcol
        ? [
          XMLElement(.dav("resourcetype"), [XMLElement(.dav("collection")), XMLElement(.caldav("calendar"))])
        ]
        : []) + [
          XMLElement(
            .caldav("supported-calendar-component-set"),
            components.map { XMLElement(.caldav("comp"), attributes: [XMLName("name"): $0]) })
        ] + more)
  }

  private static let color = XMLElement(
    .apple("calendar-color"), attributes: [XMLName("symbolic-color"): "red"], text: "#FF2968FF")

  @Test("iOS makes a list, and finds it as it made it")
  func mkcalendar() throws {
    let fixture = try CalDAVFixture()
    let path = fixture.home + "7C9E6679-7425-40DE-944B-E07FC1F90AE7/"
    let creation = Self.creation(
      .mkcalendar, ["VTODO"],
      [
        XMLElement(.dav("displayname"), text: "Groceries"), Self.color,
        XMLElement(.apple("calendar-order"), text: "4"),
        XMLElement(.caldav("calendar-free-busy-set"), [XMLElement(.caldav("NO"))]),
      ])
    #expect(try fixture.ask("MKCALENDAR", path, creation.document).status == 201)
    let list = try #require(try fixture.store.read { try $0.calendars(titled: "Groceries") }.first)
    #expect(list.entities == .reminders && list.color == Color(hexadecimal: "#FF2968FF"))
    let found = try fixture.propfind(
      path,
      [
        .dav("displayname"), .apple("calendar-color"), .apple("calendar-order"),
        .caldav("calendar-free-busy-set"),
      ])
    let response = try #require(try found.response(path))
    #expect(response.property(.apple("calendar-color")) == Self.color)
    #expect(response.property(.apple("calendar-order"))?.text == "4")
    #expect(response.property(.caldav("calendar-free-busy-set"))?.has(.caldav("NO")) == true)
    #expect(try fixture.ask("MKCALENDAR", path, creation.document).status == 405)
    #expect(try fixture.put(path + "a.ics", Sample.calendar(Sample.todo("a"))).status == 201)

    #expect(try fixture.ask("DELETE", path).status == 204)
    #expect(try fixture.propfind(path, [.dav("displayname")]).status == 404)
    try fixture.store.write { _ = try $0.undo() }
    #expect(try fixture.ask("GET", path + "a.ics").text == Sample.calendar(Sample.todo("a")))
  }

  @Test("The extended MKCOL makes a calendar too, and only that")
  func mkcol() throws {
    let fixture = try CalDAVFixture()
    let creation = Self.creation(.mkcol, ["VEVENT"], [XMLElement(.dav("displayname"), text: "Work")])
    #expect(try fixture.ask("MKCOL", fixture.home + "work/", creation.document).status == 201)
    #expect(try fixture.store.read { try $0.calendars(titled: "Work") }.map(\.entities) == [.events])
    let plain = try fixture.ask("MKCOL", fixture.home + "plain/")
    #expect(plain.status == 403 && plain.conditions.first == .dav("valid-resourcetype"))
    let journal = Self.creation(.mkcalendar, ["VJOURNAL"])
    #expect(
      try fixture.ask("MKCALENDAR", fixture.home + "j/", journal.document).conditions.first
        == .caldav("supported-calendar-component"))
    #expect(
      try fixture.ask(
        "MKCALENDAR", fixture.path(fixture.list, "inner") + "/",
        Self.creation(.mkcalendar, ["VTODO"]).document
      ).conditions
        .first
        == .caldav("calendar-collection-location-ok"))
  }

  @Test("A client renames and colours a list, and keeps what only it knows")
  func proppatch() throws {
    let fixture = try CalDAVFixture()
    let path = fixture.path(fixture.list)
    let own = XMLElement(
      XMLName(namespace: "urn:x", "Own"), attributes: [XMLName("a"): "1 & 2"], [XMLElement(XMLName("inner"))])
    let update = PropertyUpdate([
      .set(XMLElement(.dav("displayname"), text: "Einkauf")), .set(Self.color), .set(own),
    ])
    let answer = try fixture.ask("PROPPATCH", path, update.document)
    #expect(try answer.response(path)?.propstats.map(\.status) == [200])
    let list = try #require(try fixture.store.read { try $0.calendar(fixture.list.id) })
    #expect(list.title == "Einkauf")
    let found = try #require(
      try fixture.propfind(path, [own.name, .apple("calendar-color")]).response(path))
    #expect(found.property(own.name) == own)
    #expect(found.property(.apple("calendar-color")) == Self.color)
    // Another colour that is chosen here is not hidden by the client's.
    var green = list
    green.color = Color(hexadecimal: "#00FF00")
    try fixture.store.write { [green] in try $0.save(green) }
    #expect(
      try fixture.propfind(path, [.apple("calendar-color")]).response(path)?.property(
        .apple("calendar-color"))?.text
        .hasPrefix("#00FF00") == true)
    _ = try fixture.ask("PROPPATCH", path, PropertyUpdate([.remove(own.name)]).document)
    #expect(try fixture.propfind(path, [own.name]).response(path)?.propstats.map(\.status) == [404])
  }

  @Test("A change of properties is made whole or not at all")
  func protected() throws {
    let fixture = try CalDAVFixture()
    let path = fixture.path(fixture.list)
    let update = PropertyUpdate([
      .set(XMLElement(.dav("displayname"), text: "New")), .set(XMLElement(.dav("getetag"), text: "x")),
    ])
    let response = try #require(try fixture.ask("PROPPATCH", path, update.document).response(path))
    #expect(response.propstats.map(\.status) == [403, 424])
    #expect(response.propstats[0].conditions.map(\.name) == [.dav("cannot-modify-protected-property")])
    #expect(try fixture.store.read { try $0.calendar(fixture.list.id) }?.title == fixture.list.title)
  }

  @Test("A client that prefers short answers hears only of properties that could not be set")
  func minimalAnswers() throws {
    let fixture = try CalDAVFixture()
    let path = fixture.path(fixture.list)
    let rename = PropertyUpdate([.set(XMLElement(.dav("displayname"), text: "New"))]).document
    for header in ["Prefer: return=minimal", "Prefer: respond-async, Return=Minimal; x=1"] {
      let answer = try fixture.ask("PROPPATCH", path, rename, [header])
      #expect(answer.status == 204 && answer.body.isEmpty)
      #expect(answer.headers["preference-applied"] == "return=minimal")
    }
    #expect(try fixture.ask("PROPPATCH", path, rename, ["Prefer: return=representation"]).status == 207)
    let refused = PropertyUpdate([.set(XMLElement(.dav("getetag"), text: "x"))]).document
    #expect(try fixture.ask("PROPPATCH", path, refused, ["Prefer: return=minimal"]).status == 207)
  }

  @Test("A client sees and changes only what it has a right to")
  func rights() throws {
    let fixture = try CalDAVFixture()
    try fixture.signIn("Reader", rights: [.read], lists: [fixture.list.id])
    let lists = try fixture.propfind(
      fixture.home, [.dav("displayname"), .dav("current-user-privilege-set")], depth: 1)
    #expect(try lists.multistatus().responses.map(\.href) == [fixture.home, fixture.path(fixture.list)])
    let privileges = try lists.response(fixture.path(fixture.list))?.property(
      .dav("current-user-privilege-set"))
    #expect(privileges?.elements.contains { $0.has(.dav("write")) } == false)
    #expect(try fixture.propfind(fixture.path(fixture.calendar), [.dav("displayname")]).status == 404)
    let put = try fixture.put(fixture.path(fixture.list, "a.ics"), Sample.calendar(Sample.todo("a")))
    #expect(put.status == 403 && put.conditions.first == .dav("need-privileges"))

    try fixture.signIn("Writer", lists: [fixture.list.id])
    #expect(
      try fixture.put(fixture.path(fixture.list, "a.ics"), Sample.calendar(Sample.todo("a"))).status == 201)
    #expect(
      try fixture.put(fixture.path(fixture.calendar, "a.ics"), Sample.calendar(Sample.event("b"))).status
        == 404)
    let move = ["Destination: \(fixture.path(fixture.calendar, "a.ics"))"]
    #expect(try fixture.ask("MOVE", fixture.path(fixture.list, "a.ics"), [], move).status == 409)
    let creation = Self.creation(.mkcalendar, ["VTODO"])
    #expect(try fixture.ask("MKCALENDAR", fixture.home + "x/", creation.document).status == 403)
    #expect(try fixture.ask("DELETE", fixture.path(fixture.list)).status == 403)

    try fixture.signIn("Positions", rights: [.positions])
    #expect(try fixture.propfind("/dav/", [.dav("displayname")]).status == 403)
  }

  @Test("A client of some lists has the privileges that it is granted, and no other")
  func limitedPrivileges() throws {
    let fixture = try CalDAVFixture()
    let name = XMLName.dav("current-user-privilege-set")
    func privileges(_ path: String) throws -> Set<String> {
      let set = try fixture.propfind(path, [name]).response(path)?.property(name)
      return Set(set?.elements.flatMap { $0.elements.map(\.name.local) } ?? [])
    }
    let color = PropertyUpdate([.set(XMLElement(.apple("calendar-color"), text: "#112233"))]).document
    let writing: Set<String> = ["write-content", "bind", "unbind"]
    let all = writing.union(["write", "write-properties"])
    for lists in [nil, [fixture.list.id]] {
      try fixture.signIn(lists == nil ? "Whole" : "Some", lists: lists)
      let item = fixture.path(fixture.list, "a.ics")
      _ = try fixture.put(item, Sample.calendar(Sample.todo("a")))
      let paths = [fixture.home, fixture.path(fixture.list), item]
      let expected = lists == nil ? [all, all, all] : [[], writing, all]
      for (path, expected) in zip(paths, expected) {
        #expect(try privileges(path).intersection(all) == expected, "\(path)")
        let status = try fixture.ask("PROPPATCH", path, color).status
        #expect((status == 207) == expected.contains("write-properties"), "\(path)")
      }
    }
  }

  @Test("A list whose items another program keeps is read-only")
  func readOnly() throws {
    let fixture = try CalDAVFixture()
    let list = ItemCalendar(
      source: fixture.list.source, title: "Holidays", entities: .events, allowsContentModifications: false)
    try fixture.store.write { try $0.save(list) }
    let put = try fixture.put(fixture.path(list, "a.ics"), Sample.calendar(Sample.event("a")))
    #expect(put.conditions.first == .dav("need-privileges"))
    #expect(try fixture.ask("DELETE", fixture.path(list)).status == 403)
  }

  @Test("The zone of a list must be one zone, or its condition is not met")
  func timeZone() throws {
    let fixture = try CalDAVFixture()
    let zone = """
      BEGIN:VTIMEZONE
      TZID:Europe/Berlin
      BEGIN:STANDARD
      DTSTART:19701025T030000
      TZOFFSETFROM:+0200
      TZOFFSETTO:+0100
      END:STANDARD
      END:VTIMEZONE

      """
    func make(_ name: String, _ inner: String) throws -> CalDAVFixture.Answer {
      let body = """
        <C:mkcalendar xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:set><D:prop><C:calendar-timezone>\
        BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:x\n\(inner)END:VCALENDAR\n</C:calendar-timezone></D:prop></D:set></C:mkcalendar>
        """
      return try fixture.ask("MKCALENDAR", "/dav/calendars/\(fixture.user)/\(name)/", body.utf8)
    }
    #expect(try make("one", zone).status == 201)
    for inner in ["", zone + zone, zone.replacing("TZID:Europe/Berlin\n", with: "")] {
      let answer = try make("other", inner)
      #expect(answer.status == 403 && answer.conditions == [.caldav("valid-calendar-data")])
    }
  }

  @Test("The zone of a list and its name are one value, in the form that the client sets")
  func timeZoneName() throws {
    let fixture = try CalDAVFixture()
    let path = fixture.path(fixture.calendar)
    let names: [XMLName] = [.caldav("calendar-timezone"), .caldav("calendar-timezone-id")]
    func set(_ name: XMLName, _ text: String) throws -> [Int] {
      let update = PropertyUpdate([.set(XMLElement(name, text: text))])
      return try fixture.ask("PROPPATCH", path, update.document).response(path)?.propstats.map(\.status) ?? []
    }
    func found() throws -> [String?] {
      let response = try #require(try fixture.propfind(path, names).response(path))
      return names.map { response.property($0)?.text }
    }
    #expect(try found() == [nil, nil])
    let zone = "BEGIN:VCALENDAR\r\nBEGIN:VTIMEZONE\r\nTZID:Asia/Tokyo\r\nEND:VTIMEZONE\r\nEND:VCALENDAR\r\n"
    #expect(try set(names[0], zone) == [200])
    #expect(try found()[1] == "Asia/Tokyo")
    #expect(try set(names[1], "America/New_York") == [200])
    let both = try found()
    #expect(both[1] == "America/New_York" && both[0]?.contains("TZID:America/New_York") == true)
    #expect(try set(names[1], "Middle/Earth") == [403])
    #expect(try found() == both)
    let remove = PropertyUpdate([.remove(names[0])]).document
    _ = try fixture.ask("PROPPATCH", path, remove)
    #expect(try found() == [nil, nil])
  }

  @Test("What clients set on the account is kept for all of them that see all of it, and can be undone")
  func accountProperties() throws {
    let fixture = try CalDAVFixture()
    let alarm = XMLElement(
      .caldav("default-alarm-vevent-datetime"),
      text: "BEGIN:VALARM\r\nTRIGGER:-PT30M\r\nACTION:DISPLAY\r\nEND:VALARM")
    let tags = XMLElement(XMLName(namespace: "", "tags"), [XMLElement(XMLName(namespace: "urn:t", "t"))])
    for (path, property) in [(fixture.home, alarm), (fixture.principal, tags)] {
      let update = PropertyUpdate([.set(property)])
      let answer = try fixture.ask("PROPPATCH", path, update.document)
      #expect(try answer.response(path)?.propstats.map(\.status) == [200])
      #expect(try fixture.propfind(path, [property.name]).response(path)?.property(property.name) == property)
    }
    let all = try fixture.ask("PROPFIND", fixture.home, [], ["Depth: 0"])
    #expect(try all.response(fixture.home)?.property(alarm.name) == alarm)
    let name = PropertyUpdate([.set(XMLElement(.dav("displayname"), text: "Mine"))])
    #expect(
      try fixture.ask("PROPPATCH", fixture.home, name.document).response(fixture.home)?.propstats.map(
        \.status)
        == [403])
    _ = try fixture.ask("PROPPATCH", fixture.home, PropertyUpdate([.remove(alarm.name)]).document)
    #expect(
      try fixture.propfind(fixture.home, [alarm.name]).response(fixture.home)?.propstats.map(\.status) == [
        404
      ])
    try fixture.store.write { _ = try $0.undo() }
    try fixture.signIn("Anna's tablet")
    #expect(
      try fixture.propfind(fixture.home, [alarm.name]).response(fixture.home)?.property(alarm.name) == alarm)
    try fixture.signIn("Guest", lists: [fixture.list.id])
    #expect(
      try fixture.propfind(fixture.home, [alarm.name]).response(fixture.home)?.propstats.map(\.status) == [
        404
      ])
    #expect(
      try fixture.ask("PROPPATCH", fixture.home, PropertyUpdate([.remove(alarm.name)]).document).status == 403
    )
  }

  @Test("A list without a colour has one for clients, and gets none of its own by that")
  func usualColor() throws {
    let fixture = try CalDAVFixture()
    let path = fixture.path(fixture.list)
    let found = try fixture.propfind(path, [.apple("calendar-color")]).response(path)
    #expect(found?.property(.apple("calendar-color"))?.text == "#1CADF7")
    #expect(try fixture.store.read { try $0.calendar(fixture.list.id)?.color } == nil)
  }
}
