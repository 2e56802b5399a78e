import FencepostGeodesy
import FencepostSpatiotemporal
import Testing

@testable import FencepostPositionFeeds

@Suite("KML")
struct KMLTests {
  private func kml(_ body: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2"><Document>
    \(body)
    </Document></kml>
    """
  }

  @Test("Each moment of a track has its coordinate, in any interleaving")
  func tracks() throws {
    let reading = try Reading(
      kml(
        """
        <Placemark><gx:MultiTrack><gx:Track>
        <when>2026-05-01T08:00:00Z</when>
        <when>2026-05-01T10:00:01+02:00</when>
        <gx:coord>13.4 52.5 34</gx:coord>
        <gx:coord> 13.5  52.5 </gx:coord>
        </gx:Track><gx:Track>
        <gx:coord>13.6 52.5 0</gx:coord><when>2026-05-01T08:00:09Z</when>
        <when>2026-05-01T08:00:03Z</when><gx:angles>9 0 0</gx:angles><gx:coord>13.7 52.5 0</gx:coord>
        </gx:Track></gx:MultiTrack></Placemark>
        """), name: "walk.kml")
    #expect(
      reading.lines == [
        "| 2026-05-01T08:00:00Z 52.5,13.4 alt 34.0", "2026-05-01T08:00:01Z 52.5,13.5",
        // Time goes back: the order of the trace stays.
        "| 2026-05-01T08:00:09Z 52.5,13.6 alt 0.0", "2026-05-01T08:00:03Z 52.5,13.7 alt 0.0",
      ])
    #expect(reading.report.format == .kml)
    #expect(reading.rejections.isEmpty)
    #expect(reading.devices == ["walk"])
  }

  @Test("Arrays of accuracy and speed, moment by moment, if the schema declares them")
  func arrays() throws {
    let schema =
      "<Schema id=\"s\"><gx:SimpleArrayField name=\"accuracy_horizontal\" type=\"float\"/></Schema>"
    let track = """
      <gx:Track><when>2026-05-01T08:00:00Z</when><when>soon</when><when>2026-05-01T08:00:02Z</when>
      <gx:coord>13.4 52.5</gx:coord><gx:coord>13.5 52.5</gx:coord><gx:coord>13.6 52.5</gx:coord>
      <ExtendedData><SchemaData schemaUrl="#s">
      <gx:SimpleArrayData name="heart_rate"><gx:value>99</gx:value></gx:SimpleArrayData>
      <gx:SimpleArrayData name="accuracy_horizontal"><gx:value>5</gx:value><gx:value>6</gx:value>
      <gx:value>7.5</gx:value><gx:value>8</gx:value></gx:SimpleArrayData>
      <gx:SimpleArrayData name="speed"><gx:value>1.5</gx:value></gx:SimpleArrayData>
      </SchemaData></ExtendedData></gx:Track>
      """
    let plain = ["| 2026-05-01T08:00:00Z 52.5,13.4", "2026-05-01T08:00:02Z 52.5,13.6"]
    let expected = ["| 2026-05-01T08:00:00Z 52.5,13.4 ±5.0 v 1.5", "2026-05-01T08:00:02Z 52.5,13.6 ±7.5"]
    #expect(try Reading(kml(track)).lines == plain)
    #expect(try Reading(kml(schema + track)).lines == expected)
    // Each track has its own arrays.
    let next = "<gx:Track><when>2026-05-01T09:00:00Z</when><gx:coord>13.4 52.5</gx:coord></gx:Track>"
    #expect(
      try Reading(kml(schema + track + next)).lines == expected + ["| 2026-05-01T09:00:00Z 52.5,13.4"])
    // If it breaks off before the arrays, the moments stay.
    let whole = kml(schema + track)
    let end = try #require(whole.firstRange(of: "<ExtendedData"))
    #expect(try Reading(String(whole[..<end.lowerBound])).lines == plain)
  }

  @Test("A track that is too long for its arrays is read without them, in order")
  func longArrays() throws {
    var body = "<Schema><gx:SimpleArrayField name=\"accuracy\"/></Schema><gx:Track>"
    for number in 0..<100_002 {
      body +=
        "<when>\(1_000 + number / 60)-05-01T08:00:00Z</when><gx:coord>13.4 \(Double(number) / 1e4)</gx:coord>"
    }
    body += "<gx:SimpleArrayData name=\"accuracy\"><gx:value>5</gx:value></gx:SimpleArrayData></gx:Track>"
    let fixes = try Reading(kml(body)).fixes
    #expect(fixes.map(\.coordinate.latitude) == (0..<100_002).map { Double($0) / 1e4 })
    #expect(fixes.allSatisfy { $0.horizontalAccuracy == nil })
  }

  @Test("If one value of a pair is missing, the pairs before it stay")
  func mismatch() throws {
    let reading = try Reading(
      kml(
        """
        <gx:Track><when>2026-05-01T08:00:00Z</when><when>2026-05-01T08:00:01Z</when>
        <when>2026-05-01T08:00:02Z</when><gx:coord>13.4 52.5 0</gx:coord></gx:Track>
        <gx:Track><when>2026-05-01T08:01:00Z</when><gx:coord>13.4 52.5 0</gx:coord>
        <gx:coord>13.4 52.6 0</gx:coord>
        </gx:Track>
        <gx:Track><when>2026-05-01T08:02:00Z</when><when>2026-05-01T08:02:01Z</when><when/><when>soon</when>
        <when>2026-05-01T08:02:02Z</when>
        <gx:coord/><gx:coord>13.4 91 0</gx:coord><gx:coord>1 2 3</gx:coord><gx:coord>1 2 3</gx:coord>
        <gx:coord>13.4 52.5</gx:coord></gx:Track>
        """))
    #expect(
      reading.lines == [
        "| 2026-05-01T08:00:00Z 52.5,13.4 alt 0.0", "| 2026-05-01T08:01:00Z 52.5,13.4 alt 0.0",
        "| 2026-05-01T08:02:02Z 52.5,13.4",
      ])
    #expect(reading.rejections == ["bad_coordinate:4@3", "bad_time:1@8", "no_time:2@6"])
  }

  @Test("A placemark with a time is a fix, at both ends of a span")
  func placemarks() throws {
    let reading = try Reading(
      kml(
        """
        <Placemark><name>when</name><TimeStamp><when>2026-05-01T08:00:00Z</when></TimeStamp>
        <Point><coordinates>13.4,52.5,30</coordinates></Point></Placemark>
        <Placemark><Point><coordinates>
          13.5,52.5
        </coordinates></Point>
        <TimeSpan><begin>2026-05-01T09:00:00Z</begin><end>2026-05-01T10:00:00Z</end></TimeSpan></Placemark>
        <Placemark><Point><coordinates>13.6,52.5</coordinates></Point></Placemark>
        <Placemark><LineString><coordinates>13.6,52.5 13.7,52.5</coordinates></LineString></Placemark>
        """))
    #expect(
      reading.lines == [
        "| 2026-05-01T08:00:00Z 52.5,13.4 alt 30.0", "2026-05-01T09:00:00Z 52.5,13.5",
        "2026-05-01T10:00:00Z 52.5,13.5",
      ])
    #expect(reading.rejections == ["no_time:2@9"])
  }

  @Test("The time of a view is not the time of a fix")
  func views() throws {
    let view =
      "<gx:TimeStamp><when>2020-01-01T00:00:00Z</when></gx:TimeStamp><gx:TimeSpan><begin>2020</begin></gx:TimeSpan>"
    for element in ["LookAt", "Camera"] {
      let reading = try Reading(
        kml(
          """
          <Placemark><\(element)><longitude>1</longitude>\(view)</\(element)>
          <TimeStamp><when>2026-05-01T08:00:00Z</when></TimeStamp>
          <Point><coordinates>13.4,52.5</coordinates></Point></Placemark>
          """))
      #expect(reading.lines == ["| 2026-05-01T08:00:00Z 52.5,13.4"])
      #expect(reading.rejections.isEmpty)
    }
  }

  @Test("Arrays beside a track of broken moments stay bounded")
  func brokenMoments() throws {
    var arrays = KMLArrays()
    arrays.begin(arrayCalled: "accuracy", isDeclaration: true)
    arrays.beginTrack()
    for _ in 0..<(2 * KMLArrays.maximumHeld) { arrays.skipMoment() }
    arrays.begin(arrayCalled: "accuracy", isDeclaration: false)
    for _ in 0..<(2 * KMLArrays.maximumHeld) { arrays.append(5) }
    #expect(arrays.heldValues == KMLArrays.maximumHeld)
  }

  @Test("Places without a time, and truncated documents")
  func bad() throws {
    let timeless = kml("<Placemark><Point><coordinates>1,2</coordinates></Point></Placemark>")
    #expect(
      message(timeless, name: "a.kml")
        == "a.kml: has no times (1 point without one); a trace needs the time of each position")
    let cut = try Reading(
      "<kml><gx:Track><when>2026-05-01T08:00:00Z</when><gx:coord>1 2 3</gx:coord>\n<when>2026", name: "b.kml")
    #expect(cut.fixes.count == 1)
    #expect(
      cut.report.interruption?.description == "b.kml:2: ends in the middle: the file is truncated")
  }

  @Test("All points of a placemark and of its lines are fixes at its time")
  func geometries() throws {
    let reading = try Reading(
      """
      <kml><Document>
        <Placemark><MultiGeometry><Point><coordinates>13.4,52.5,10</coordinates></Point>
            <Point><coordinates>13.5,52.5</coordinates></Point>
            <LineString><coordinates>
              13.6,52.5,12   13.7,52.5
              13.8,nonsense
            </coordinates></LineString></MultiGeometry>
          <TimeStamp><when>2026-05-01T08:00:00Z</when></TimeStamp></Placemark>
        <Placemark><TimeSpan><begin>2026-05-01T09:00:00Z</begin><end>2026-05-01T10:00:00Z</end></TimeSpan>
          <LineString><coordinates>13.1,52.5 13.2,52.5 13.3,52.5</coordinates></LineString></Placemark>
        <Placemark><LineString><coordinates>13.1,52.5 13.2,52.5</coordinates></LineString></Placemark>
      </Document></kml>
      """)
    #expect(
      reading.lines == [
        "| 2026-05-01T08:00:00Z 52.5,13.4 alt 10.0", "2026-05-01T08:00:00Z 52.5,13.5",
        "2026-05-01T08:00:00Z 52.5,13.6 alt 12.0", "2026-05-01T08:00:00Z 52.5,13.7",
        "2026-05-01T09:00:00Z 52.5,13.1", "2026-05-01T10:00:00Z 52.5,13.3",
      ])
    #expect(reading.rejections == ["bad_coordinate:1@4", "no_time:1@11"])
  }

  @Test("A line may have any length")
  func longLine() throws {
    let points = (0..<5000).map { "13.\(10_000 + $0),52.5" }.joined(separator: " ")
    let reading = try Reading(
      "<kml><Placemark><TimeStamp><when>2026-05-01T08:00:00Z</when></TimeStamp>"
        + "<LineString><coordinates>\(points)</coordinates></LineString></Placemark></kml>")
    #expect(reading.fixes.count == 5000)
    #expect(reading.fixes.last?.coordinate.longitude == 13.14999)
  }
}
