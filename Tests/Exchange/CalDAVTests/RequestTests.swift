import FencepostCalendarModel
import FencepostXML
import Testing

@testable import FencepostCalDAV

@Suite("Requests of CalDAV")
struct RequestTests {
  private static let range = TimeRange(
    start: Instant(seconds: 1_767_225_600), end: Instant(seconds: 1_767_312_000))

  @Test(
    "PROPFIND asks for some, all or the names",
    arguments: [
      PropertyRequest(.all(including: [])), PropertyRequest(.all(including: [.caldav("calendar-timezone")])),
      PropertyRequest(.names),
      .listed([.dav("getetag"), XMLName("none"), XMLName(namespace: "urn:x", "Own")]),
    ])
  func propfind(request: PropertyRequest) throws {
    #expect(try PropertyRequest(propfind: request.propfind) == request)
  }

  @Test("PROPFIND without a body asks for all")
  func emptyPropfind() throws {
    #expect(try PropertyRequest(propfind: []) == PropertyRequest(.all(including: [])))
  }

  @Test(
    "PROPFIND that asks for nothing, or for two kinds, is an error",
    arguments: [
      "<propfind xmlns='DAV:'/>", "<propfind xmlns='DAV:'><prop/><allprop/></propfind>",
      "<prop xmlns='DAV:'/>",
      "<propfind/>", "<propfind xmlns='DAV:'><prop/><propname/>",
    ])
  func brokenPropfind(text: String) {
    #expect(throws: CalDAVSyntaxError.self) { try PropertyRequest(propfind: Array(text.utf8)) }
  }

  @Test("PROPPATCH keeps the order of its changes, and the language of outer elements")
  func proppatch() throws {
    let update = PropertyUpdate([
      .set(XMLElement(.dav("displayname"), text: "Zuhause")), .remove(.apple("calendar-order")),
      .set(
        XMLElement(.apple("calendar-color"), attributes: [XMLName("symbolic-color"): "red"], text: "#FF2968")),
    ])
    #expect(try PropertyUpdate(parsing: update.document) == update)
    let text = """
      <propertyupdate xmlns='DAV:' xml:lang='de'><set><prop><a xmlns='urn:x'>1</a></prop></set>
      <set><prop xml:lang='fr'><a xmlns='urn:x'>2</a><b xmlns='urn:x' xml:lang='en'/></prop></set></propertyupdate>
      """
    let languages = try PropertyUpdate(parsing: Array(text.utf8)).changes.map { change in
      guard case .set(let property) = change else { return "" }
      return property.attributes[XMLName(namespace: XMLName.xmlNamespace, "lang")] ?? ""
    }
    #expect(languages == ["de", "fr", "en"])
    #expect(throws: CalDAVSyntaxError.self) {
      try PropertyUpdate(parsing: Array("<propertyupdate xmlns='DAV:'/>".utf8))
    }
  }

  @Test("A new calendar comes with its properties, by both methods")
  func creation() throws {
    let components = XMLElement(
      .caldav("supported-calendar-component-set"),
      [XMLElement(.caldav("comp"), attributes: [XMLName("name"): "VTODO"])])
    let calendar = CollectionCreation(.mkcalendar, properties: [components])
    #expect(try CollectionCreation(.mkcalendar, parsing: calendar.document) == calendar)
    #expect(calendar.makesCalendar)
    let type = XMLElement(
      .dav("resourcetype"), [XMLElement(.dav("collection")), XMLElement(.caldav("calendar"))])
    let extended = CollectionCreation(.mkcol, properties: [type, components])
    #expect(try CollectionCreation(.mkcol, parsing: extended.document) == extended)
    #expect(extended.makesCalendar)
    #expect(try !CollectionCreation(.mkcol, parsing: []).makesCalendar)
    #expect(throws: CalDAVSyntaxError.self) { try CollectionCreation(.mkcol, parsing: calendar.document) }
  }

  private static var query: CalendarQuery {
    var summary = PropertyFilter("SUMMARY")
    summary.textMatch = TextMatch("Übung", collation: "i;unicode-casemap", isNegated: true)
    var attendee = PropertyFilter("ATTENDEE")
    attendee.parameters = [ParameterFilter("PARTSTAT")]
    attendee.parameters[0].textMatch = TextMatch("NEEDS-ACTION")
    var completed = PropertyFilter("COMPLETED")
    completed.isNotDefined = true
    var due = PropertyFilter("DUE")
    due.timeRange = TimeRange(start: nil, end: range.end)
    var todo = ComponentFilter("VTODO")
    todo.timeRange = range
    todo.properties = [summary, attendee, completed, due]
    var alarm = ComponentFilter("VALARM")
    alarm.isNotDefined = true
    todo.components = [alarm]
    var calendar = ComponentFilter("VCALENDAR")
    calendar.components = [todo]
    var query = CalendarQuery(
      calendar,
      properties: PropertyRequest(
        .listed([.dav("getetag"), .caldav("calendar-data")]),
        calendarData: CalendarDataRequest(
          component: .init(
            "VCALENDAR", properties: ["VERSION"],
            components: [.init("VTODO", properties: nil, components: nil)]),
          recurrences: .expanded(range))))
    query.timeZone = "BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n"
    query.limit = 5
    return query
  }

  @Test(
    "A report that is written is read as the same",
    arguments: [
      .syncCollection(SyncCollection(token: "", properties: .listed([.dav("getetag")]))),
      .syncCollection(SyncCollection(token: "urn:7", limit: 100, properties: .listed([.dav("getetag")]))),
      .multiget(CalendarMultiget(["/a%20b.ics", "/c"], properties: .listed([.caldav("calendar-data")]))),
      .query(query), .freeBusy(range), .freeBusy(TimeRange(start: nil, end: range.end)),
      .expandProperty([
        ExpandedProperty(.calendarServer("calendar-proxy-read-for"), [ExpandedProperty(.dav("displayname"))])
      ]),
      .other(XMLElement(.dav("principal-search-property-set"))),
    ] as [Report])
  func reports(report: Report) throws { #expect(try Report(parsing: report.document) == report) }

  @Test("Occurrences can be limited to a range")
  func limitedRecurrences() throws {
    let request = PropertyRequest(
      .listed([.caldav("calendar-data")]),
      calendarData: CalendarDataRequest(recurrences: .limited(Self.range)))
    #expect(try PropertyRequest(propfind: request.propfind) == request)
  }

  @Test(
    "A report that lacks what it needs is an error",
    arguments: [
      "<C:calendar-query xmlns:C='urn:ietf:params:xml:ns:caldav'/>",
      "<C:calendar-query xmlns:C='urn:ietf:params:xml:ns:caldav'><C:filter><C:comp-filter/></C:filter></C:calendar-query>",
      "<C:free-busy-query xmlns:C='urn:ietf:params:xml:ns:caldav'/>",
      "<C:free-busy-query xmlns:C='urn:ietf:params:xml:ns:caldav'><C:time-range/></C:free-busy-query>",
      "<C:free-busy-query xmlns:C='urn:ietf:params:xml:ns:caldav'><C:time-range start='2026'/></C:free-busy-query>",
      "<C:free-busy-query xmlns:C='urn:ietf:params:xml:ns:caldav'><C:time-range start='20260102T000000Z' end='20260101T000000Z'/></C:free-busy-query>",
      "<sync-collection xmlns='DAV:'><limit><nresults>0</nresults></limit></sync-collection>",
    ])
  func brokenReports(text: String) {
    #expect(throws: CalDAVSyntaxError.self) { try Report(parsing: Array(text.utf8)) }
  }
}
