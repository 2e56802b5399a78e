import FencepostPositionFeeds
import FencepostSpatiotemporal
import Testing

@Suite("GPX")
struct GPXTests {
  /// A document with `body`.
  private func gpx(_ body: String, creator: String = "test") -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <gpx version="1.1" creator="\(creator)" xmlns="http://www.topografix.com/GPX/1/1">
    \(body)
    </gpx>
    """
  }

  /// A track of one segment with `points`.
  private func track(_ points: String, creator: String = "test") -> String {
    gpx("<trk><trkseg>\n\(points)\n</trkseg></trk>", creator: creator)
  }

  @Test(
    "Track names are device names only in our own files", arguments: ["fencepost", "Fencepost 2", "test"])
  func trackNames(creator: String) throws {
    let point = #"<trkpt lat="1" lon="2"><time>2026-05-01T08:00:00Z</time><name>no</name></trkpt>"#
    let names = [
      "<name> phone </name>", "", "<name/>", "<name>watch</name>", "<name>phone</name><name>no</name>",
    ]
    let text = gpx(
      names.map { "<trk>\($0)<trkseg>\(point)</trkseg><name>late</name></trk>" }.joined(separator: "\n"),
      creator: creator)
    for limit in [1, 4_096] {
      let registry = DeviceRegistry()
      let reader = try TraceReader(bytes: Array(text.utf8), name: "walk.gpx", devices: registry)
      let devices = try reader.rest(limit: limit).map { registry.name(of: $0.device) }
      let expected =
        creator == "fencepost"
        ? ["phone", "walk", "walk", "watch", "phone"] : .init(repeating: "walk", count: 5)
      #expect(devices == expected)
    }
  }

  @Test("The points of a track keep its segments")
  func segments() throws {
    let reading = try Reading(
      gpx(
        """
        <metadata><time>2026-05-01T07:00:00Z</time></metadata>
        <wpt lat="1" lon="2"><time>2026-05-01T07:00:00Z</time></wpt>
        <trk><name>A</name><trkseg>
        <trkpt lat="52.5200066" lon="13.404954"><ele>34.5</ele><time>2026-05-01T08:00:00Z</time></trkpt>
        <trkpt lat="52.52" lon="13.41"><time>2026-05-01T10:00:01.25+02:00</time></trkpt>
        </trkseg><trkseg>
        <trkpt lat="-33.85" lon="-180"><time> 1901-12-13T20:45:52Z
        </time><ele> -3e1 </ele></trkpt>
        </trkseg></trk>
        <rte><rtept lat="1" lon="2"><time>2026-05-01T07:00:00Z</time></rtept></rte>
        <trk><trkpt lat="0" lon="180"><time>2026-05-01T08:00:03</time></trkpt></trk>
        """), name: "tracks/walk.gpx")
    #expect(
      reading.lines == [
        "| 2026-05-01T08:00:00Z 52.5200066,13.404954 alt 34.5",
        "2026-05-01T08:00:01.250Z 52.52,13.41",
        "| 1901-12-13T20:45:52Z -33.85,-180.0 alt -30.0",
        "| 2026-05-01T08:00:03Z 0.0,180.0",
      ])
    #expect(reading.devices == ["walk"])
    #expect(reading.report.format == .gpx)
    #expect(reading.report.fixes == 4)
    #expect(reading.report.segments == 3)
    #expect(reading.report.rejections.isEmpty)
    #expect(reading.report.bytesRead == reading.report.totalBytes)
  }

  @Test(
    "Accuracy, speed and course where recorders write them",
    arguments: [
      ("<hdop>1.2</hdop>", " ±6.0"),
      ("<speed>1.5</speed><course>270</course>", " v 1.5 to 270.0"),
      (
        """
        <extensions><gpxtpx:TrackPointExtension xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v2">
        <gpxtpx:hr>99</gpxtpx:hr><gpxtpx:speed>2.5</gpxtpx:speed><gpxtpx:course>90.5</gpxtpx:course>
        </gpxtpx:TrackPointExtension></extensions>
        """, " v 2.5 to 90.5"
      ),
      ("<hdop>2</hdop><extensions><accuracy>17</accuracy></extensions>", " ±17.0"),
      ("<extensions><x:accuracy_horizontal xmlns:x=\"x\">4</x:accuracy_horizontal></extensions>", " ±4.0"),
      ("<extensions><bearing>45</bearing><speed><![CDATA[3]]></speed></extensions>", " v 3.0 to 45.0"),
      ("<speed>-1</speed><course>-1</course><hdop>0</hdop>", ""),
      ("<speed>fast</speed><course>361</course><hdop>nan</hdop><ele></ele>", ""),
      ("<extensions><time>2000-01-01T00:00:00Z</time><ele>5</ele></extensions>", ""),
      ("<speed>&#49;&#x32;</speed>", " v 12.0"),
    ])
  func measurements(inner: String, expected: String) throws {
    let reading = try Reading(
      track("<trkpt lat=\"1\" lon=\"2\"><time>2026-05-01T08:00:00Z</time>\(inner)</trkpt>"))
    #expect(reading.lines == ["| 2026-05-01T08:00:00Z 1.0,2.0" + expected])
  }

  @Test(
    "Recorders that write metres as dilution are recognised by their names",
    arguments: ["OsmAnd 4.7.9", "Locus Map, Android"])
  func dilutionInMetres(creator: String) throws {
    let reading = try Reading(
      track(
        "<trkpt lat=\"1\" lon=\"2\"><time>2026-05-01T08:00:00Z</time><hdop>12</hdop></trkpt>",
        creator: creator))
    #expect(reading.lines == ["| 2026-05-01T08:00:00Z 1.0,2.0 ±12.0"])
  }

  @Test("Broken points are skipped and counted, with the line of the first of each kind")
  func rejections() throws {
    let time = "<time>2026-05-01T08:00:00Z</time>"
    let reading = try Reading(
      track(
        """
        <trkpt lat="91" lon="2">\(time)</trkpt>
        <trkpt lat="1" lon="181">\(time)</trkpt>
        <trkpt lat="nan" lon="2">\(time)</trkpt>
        <trkpt lon="2">\(time)</trkpt>
        <trkpt lat="" lon="2">\(time)</trkpt>
        <trkpt lat="1" lon="2"/>
        <trkpt lat="1" lon="2"><time></time></trkpt>
        <trkpt lat="1" lon="2"><time>yesterday</time></trkpt>
        <trkpt lat="1" lon="2"><time>2026-02-30T08:00:00Z</time></trkpt>
        <trkpt lat="1" lon="2">\(time)<fix>none</fix></trkpt>
        <trkpt lat="3" lon="4">\(time)<fix>3d</fix></trkpt>
        """))
    #expect(reading.lines == ["| 2026-05-01T08:00:00Z 3.0,4.0"])
    #expect(reading.rejections == ["bad_coordinate:5@4", "bad_time:2@11", "no_fix:1@13", "no_time:2@9"])
    #expect(reading.report.rejected == 10)
  }

  @Test(
    "A truncated file keeps its points and reports the truncation",
    arguments: Array(stride(from: 300, to: 420, by: 7)))
  func truncated(length: Int) throws {
    let whole = track(
      (0..<5).map { "<trkpt lat=\"\($0)\" lon=\"2\"><time>2026-05-01T08:00:0\($0)Z</time></trkpt>" }.joined(
        separator: "\n"))
    let reading = try Reading(String(whole.prefix(length)), name: "cut.gpx")
    let points = whole.prefix(length).components(separatedBy: "</trkpt>") - 1
    #expect(reading.fixes.count == points)
    #expect(reading.rejections == ["truncated:1@\(whole.prefix(length).components(separatedBy: "\n"))"])
    #expect(reading.report.interruption?.problem == .truncated)
    #expect(
      reading.report.interruption?.description.hasSuffix("ends in the middle: the file is truncated") == true)
  }

  @Test("An error in the middle ends the trace there")
  func brokenInTheMiddle() throws {
    let point = "<trkpt lat=\"1\" lon=\"2\"><time>2026-05-01T08:00:00Z</time></trkpt>"
    let reading = try Reading(track("\(point)\n<a></b>\n\(point)"), name: "broken.gpx")
    #expect(reading.fixes.count == 1)
    #expect(reading.rejections == ["malformed:1@5"])
    #expect(
      reading.report.interruption?.description
        == "broken.gpx:5: is not well-formed XML: Opening and ending tag mismatch: a line 5 and b")
  }

  @Test("Endless nesting and endless names are refused")
  func bounds() throws {
    let point = "<trkpt lat=\"1\" lon=\"2\"><time>2026-05-01T08:00:00Z</time></trkpt>"
    let deep = try Reading(track(point + String(repeating: "<a>", count: 300)))
    #expect(deep.report.interruption?.problem == .excessiveXML("nests more than 256 elements"))
    #expect(deep.fixes.count == 1)
    let names = try Reading(track(point + (0..<40_000).map { "<n\($0)/>" }.joined()))
    #expect(names.report.interruption?.problem == .excessiveXML("has more than 20000 names of elements"))
    #expect(names.fixes.count == 1)
  }

  @Test("A value longer than any number or time is invalid")
  func longText() throws {
    let long = String(repeating: "2", count: 200_000)
    let reading = try Reading(
      track(
        "<trkpt lat=\"1\" lon=\"2\"><ele>\(long)</ele><time>2026-05-01T08:00:00Z</time><name>\(long)</name></trkpt>"
      ))
    #expect(reading.lines == ["| 2026-05-01T08:00:00Z 1.0,2.0"])
  }

  @Test("Blank lines, a byte order mark and a missing declaration are accepted")
  func beginnings() throws {
    let text = track("<trkpt lat=\"1\" lon=\"2\"><time>2026-05-01T08:00:00Z</time></trkpt>")
    for beginning in ["\u{FEFF}", "\r\n  \n", "\u{FEFF}\n"] {
      #expect(try Reading(beginning + text).fixes.count == 1)
    }
    let bare = String(text.drop { $0 != "\n" })
    #expect(try Reading(bare).fixes.count == 1)
    #expect(try Reading("<!-- <kml> --><!DOCTYPE gpx SYSTEM \"gpx.dtd\">" + bare).fixes.count == 1)
    #expect(
      try Reading(text.replacing("<gpx", with: "<g:gpx xmlns:g=\"x\"").replacing("</gpx", with: "</g:gpx"))
        .fixes.count == 1)
  }

  @Test("UTF-16, as some editors save it")
  func utf16() throws {
    let text = track("<trkpt lat=\"1\" lon=\"2\"><time>2026-05-01T08:00:00Z</time></trkpt>")
      .replacing("UTF-8", with: "UTF-16")
    var bytes: [UInt8] = [0xFF, 0xFE]
    for unit in text.utf16 { bytes += [UInt8(unit & 0xFF), UInt8(unit >> 8)] }
    #expect(try Reading(bytes: bytes).fixes.count == 1)
  }

  @Test("A track without points is a trace without fixes")
  func emptyTrack() throws {
    #expect(try Reading(track("")).fixes.isEmpty)
  }
}

extension StringProtocol {
  /// The number of pieces into which `separator` cuts this text.
  fileprivate func components(separatedBy separator: String) -> Int {
    var count = 1
    var rest = self[...]
    while let range = rest.firstRange(of: separator) {
      count += 1
      rest = rest[range.upperBound...]
    }
    return count
  }
}
