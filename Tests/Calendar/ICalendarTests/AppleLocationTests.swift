import FencepostCalendarModel
import FencepostGeodesy
import FencepostICalendar
import Testing

/// All known spellings of a place.
@Suite struct AppleLocationTests {
  struct Spelling: Sendable, CustomTestStringConvertible {
    var line: String
    var title: String
    var latitude = 46.5
    var longitude = 8.25
    var radius = 0.0
    var address: String?
    var kept: [String] = []
    var testDescription: String { line }
  }

  static let spellings: [Spelling] = [
    .init(
      line: "X-APPLE-STRUCTURED-LOCATION;VALUE=URI;X-APPLE-RADIUS=100;X-APPLE-REFERENCEFRAME=1;"
        + "X-TITLE=自宅:geo:46.500000,8.250000",
      title: "自宅", radius: 100, kept: ["X-APPLE-REFERENCEFRAME=1"]),
    .init(
      line: #"X-APPLE-STRUCTURED-LOCATION;VALUE=URI;X-ADDRESS=Via Uno 1\\n6900 Lugano\\nSwitzerland;"#
        + #"X-TITLE=Via Uno 1:geo:46.5\,8.25"#,
      title: "Via Uno 1", address: "Via Uno 1\n6900 Lugano\nSwitzerland"),
    .init(line: #"X-APPLE-STRUCTURED-LOCATION;X-TITLE="A, B; C: D":geo:46.5,8.25"#, title: "A, B; C: D"),
    .init(line: #"X-APPLE-STRUCTURED-LOCATION;VALUE=URI;X-TITLE=A\, B\; C:geo:46.5,8.25"#, title: "A, B; C"),
    .init(
      line: "X-APPLE-STRUCTURED-LOCATION;VALUE=URI;X-TITLE=Bar: open; late:geo:46.5,8.25",
      title: "Bar: open; late"),
    .init(line: #"X-APPLE-STRUCTURED-LOCATION;VALUE=URI;X-TITLE=Q:"geo:46.5, 8.25""#, title: "Q"),
    .init(line: "X-APPLE-STRUCTURED-LOCATION;VALUE=URI;X-TITLE=Q:\"geo:46.5,\\n 8.25\"", title: "Q"),
    .init(
      line: "X-APPLE-STRUCTURED-LOCATION;VALUE=URI;X-APPLE-RADIUS=49.91307222863458;X-TITLE=F:geo:46.5,8.25",
      title: "F", radius: 49.91307222863458),
    .init(
      line: "X-APPLE-STRUCTURED-LOCATION;VALUE=URI;X-APPLE-RADIUS=0;X-TITLE=Z:geo:46.5,8.25", title: "Z",
      kept: ["X-APPLE-RADIUS=0"]),
    .init(
      line: "X-APPLE-STRUCTURED-LOCATION;VALUE=URI;X-APPLE-RADIUS=nan;X-TITLE=Z:geo:46.5,8.25", title: "Z",
      kept: ["X-APPLE-RADIUS=nan"]),
    .init(line: "X-APPLE-STRUCTURED-LOCATION;X-TITLE=U:geo:46.5,8.25?u=150", title: "U", radius: 150),
    .init(
      line: "X-APPLE-STRUCTURED-LOCATION;X-TITLE=U:geo:46.5,8.25,400;crs=wgs84;u=15.5", title: "U",
      radius: 15.5),
    .init(line: "x-apple-structured-location;value=uri;x-title=l:GEO:46.5,8.25", title: "l"),
    .init(
      line: #"X-APPLE-STRUCTURED-LOCATION;VALUE=URI;X-APPLE-ABUID=ab\://Work;X-TITLE=W:geo:46.5,8.25"#,
      title: "W", kept: [#"X-APPLE-ABUID=ab\://Work"#]),
    .init(
      line: "X-APPLE-STRUCTURED-LOCATION;VALUE=URI;X-APPLE-MAPKIT-HANDLE=CAES+/q==;X-TITLE=M:geo:46.5,8.25",
      title: "M", kept: ["X-APPLE-MAPKIT-HANDLE=CAES+/q=="]),
    .init(line: "X-APPLE-STRUCTURED-LOCATION;X-TITLE=He^'s^n^^:geo:46.5,8.25", title: "He\"s\n^"),
    .init(line: "X-APPLE-STRUCTURED-LOCATION:geo:46.5,8.25", title: ""),
  ]

  @Test(arguments: spellings)
  func isRead(_ spelling: Spelling) throws {
    let item = try #require(
      try read(
        todo(
          "BEGIN:VALARM\nACTION:DISPLAY\nTRIGGER:PT0S\nX-APPLE-PROXIMITY:arrive\n\(spelling.line)\nEND:VALARM"
        )
      ).items.first)
    let trigger = try #require(item.alarms.first?.proximity)
    #expect(trigger.event == .enter)
    let place = trigger.location
    #expect(place.title == spelling.title)
    #expect(place.coordinate == Coordinate(latitude: spelling.latitude, longitude: spelling.longitude))
    #expect(place.radius == spelling.radius)
    #expect(place.address == spelling.address)
    #expect(place.preservedParameters == spelling.kept)
    // It reads back from our output, and from each form alone.
    let text = ICalendarWriter().text(of: ICalendarDocument(items: [item]))
    #expect(try read(text).items.first == item)
  }

  /// Folded within a parameter, and within a character.
  @Test func isReadWhereFoldsCutIt() throws {
    var line = Array("X-APPLE-STRUCTURED-LOCATION;VALUE=URI;X-TITLE=図書館:geo:46.5,8.25".utf8)
    for cut in stride(from: line.count - 1, to: 28, by: -7) {
      line.insert(contentsOf: Array("\r\n ".utf8), at: cut)
    }
    let head = "BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\nUID:a\r\nBEGIN:VALARM\r\nX-APPLE-PROXIMITY:DEPART\r\n"
    let tail = "\r\nEND:VALARM\r\nEND:VTODO\r\nEND:VCALENDAR\r\n"
    let document = try ICalendarReader(calendar: calendarID).read(Array(head.utf8) + line + Array(tail.utf8))
    #expect(document.warnings.isEmpty)
    let trigger = try #require(document.items.first?.alarms.first?.proximity)
    #expect(trigger.event == .leave)
    #expect(trigger.location.title == "図書館")
  }

  @Test(arguments: [
    "geo:91,8", "geo:46.5", "geo:a,b", "https://example.com", "geo:46.5,8.25x", "geo:inf,8", "",
  ])
  func hasNoCoordinateWhereThereIsNone(value: String) throws {
    let item = try #require(
      try read(todo("X-APPLE-STRUCTURED-LOCATION;X-TITLE=N:\(value)")).items.first)
    #expect(item.structuredLocation == StructuredLocation(title: "N"))
  }
}
