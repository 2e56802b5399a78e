import FencepostGeodesy
import FencepostPositionFeeds
import FencepostSpatiotemporal
import FencepostTestSupport
import Foundation
import Testing

@Suite("Files that are not traces")
struct BadInputTests {
  @Test(
    "Each gives one line that says what it is and what to do",
    arguments: [
      ("", "is empty"),
      (" \r\n\n", "is empty"),
      ("\u{FEFF}", "is empty"),
      (
        "Dear Sir, thank you, yours",
        "is not a readable trace; supported are GPX, KML, TCX, FIT, IGC, NMEA 0183, CSV with a header line, GeoJSON and the JSON of OwnTracks, Overland, Traccar, Google, Polarsteps and gpsd, also in gzip and ZIP"
      ),
      ("%PDF-1.4 …", "is a PDF document, not a trace"),
      ("SQLite format 3\u{0}", "is an SQLite database, not a trace"),
      ("BEGIN:VCALENDAR\r\n", "is an iCalendar file; name it with --reminders, or import it"),
      (
        "{\"lat\": 1, \"lon\": 2, \"time\": 0}",
        "is JSON of an unknown kind; convert it to GeoJSON with times in its features, or to CSV"
      ),
      (
        "\n[{\"lat\": 1, \"lon\": 2}]",
        "is JSON of an unknown kind; convert it to GeoJSON with times in its features, or to CSV"
      ),
      (
        "<?xml version='1.0'?>\n<kml xmlns='http://www.opengis.net/kml/2.2'/>",
        "has no positions"
      ),
      (
        "<TrainingCenterDatabase/>", "has no track"
      ),
      ("<!DOCTYPE html>\n<html>", "is a web page, not a trace"),
      ("<osm version='0.6'/>", "is XML, but not GPX, KML or TCX: its first element is <osm>, not a trace"),
      ("<!-- nothing -->", "is XML without an element, not a trace"),
      ("<gpx", "is XML without an element, not a trace"),
      (
        "<gpx><wpt lat='1' lon='2'/><rte><rtept lat='1' lon='2'/><rtept lat='1' lon='3'/></rte></gpx>",
        "has no track, only 1 waypoint and 2 route points; these describe a plan, not where a device was"
      ),
      (
        "<gpx><wpt lat='1' lon='2'/></gpx>",
        "has no track, only 1 waypoint; these describe a plan, not where a device was"
      ),
      (
        "time,lat,lon\r1,1,2\r2,1,2\r",
        "has lines that end in CR alone; convert it: tr '\\r' '\\n'"
      ),
      (
        "lat,lon,time\r1,2,3\r1,2,4",
        "has lines that end in CR alone; convert it: tr '\\r' '\\n'"
      ),
      ("<gpx></gpx>", "has no track"),
      (
        "<gpx><trk><trkseg><trkpt lat='1' lon='2'/><trkpt lat='1' lon='3'/></trkseg></trk></gpx>",
        "has no times (2 points without one); a trace needs the time of each position"
      ),
      ("lat,lon,time\n1,2,\n", "has no times (1 point without one); a trace needs the time of each position"),
      (
        "$GPGGA,080000,4800.000,N,01100.000,E,1,05,,,M,,M,,\n",
        "has times of day but no date (1 position); let the receiver write the date too, NMEA 0183 in RMC or ZDA sentences and IGC in HFDTE"
      ),
    ])
  func messages(content: String, problem: String) {
    #expect(message(content, name: "some.file") == "some.file: \(problem)")
  }

  @Test(
    "An error on a line names the line",
    arguments: [
      ("<gpx><trk>\n<trkseg>", 2, "ends in the middle: the file is truncated"),
      (
        "<gpx>\n<trk></trkseg></gpx>", 2,
        "is not well-formed XML: Opening and ending tag mismatch: trk line 2 and trkseg"
      ),
      ("<gpx>\n<trk>&nbsp;</trk></gpx>", 2, "is not well-formed XML: Entity 'nbsp' not defined"),
      (
        "0,52.5,13.4\n1,52.5,13.4\n", 1,
        "has no header; put a first line above the rows that names the columns, such as time,latitude,longitude,accuracy"
      ),
      (
        "time,lat,note\n", 1,
        "has no column for longitude among time, lat, note; name it in the header, such as time,latitude,longitude,accuracy"
      ),
      (
        "lat,lon,time\n1,2,08:00\n", 2,
        "has no time that can be read (1 point); write times as 2026-05-01T08:30:00Z or as seconds since 1970"
      ),
      (
        "# by hand\nlat,lon\n1,2\n", 2,
        "has no column for time among lat, lon; name it in the header, such as time,latitude,longitude,accuracy"
      ),
    ])
  func lines(content: String, line: Int, problem: String) {
    #expect(message(content, name: "some.file") == "some.file:\(line): \(problem)")
  }

  @Test(
    "XML with any declaration is refused, so no entity is ever expanded",
    arguments: [
      "<!ENTITY a 'ha'>\n<!ENTITY b '&a;&a;&a;&a;'>", "<!ENTITY x SYSTEM 'file:///etc/passwd'>",
      "<!ENTITY % p SYSTEM 'http://example.com/p.dtd'> %p;", "<!ATTLIST trkpt lat CDATA '1'>",
      "<!ELEMENT gpx ANY>",
      "<!NOTATION n SYSTEM 'n'>",
    ])
  func entities(declaration: String) {
    let text = """
      <?xml version="1.0"?>
      <!DOCTYPE gpx [\(declaration)]>
      <gpx><trk><trkseg><trkpt lat="1" lon="2"><ele>&b;&x;</ele><time>2026-05-01T08:00:00Z</time></trkpt></trkseg></trk></gpx>
      """
    #expect(
      message(text, name: "bomb.gpx")
        == "bomb.gpx:2: declares XML entities, which are never expanded; remove its document type declaration"
    )
    // The name of the document type may differ from the root.
    let other = text.replacingOccurrences(of: "DOCTYPE gpx", with: "DOCTYPE a")
    #expect(message(other, name: "bomb.gpx") == message(text, name: "bomb.gpx"))
  }

  @Test(
    "Binary files",
    arguments: [
      ([0xFF, 0xD8, 0xFF, 0xE0, 0, 16], "is a JPEG image, not a trace"),
      ([0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10], "is a PNG image, not a trace"),
      ([0x23, 0x0A, 0, 1, 2, 3], "is binary data, not a trace"),
      (
        Array("# a log\n".utf8) + [0xA0, 0xA2, 0, 2, 1, 2, 0, 3, 0xB0, 0xB3, 0xA0, 0xA2, 0],
        "is SiRF binary; convert it to NMEA 0183 with gpsdecode or gpsbabel first, or let the receiver write NMEA"
      ),
      (
        [0xB5, 0x62, 0x01, 0x07, 92, 0],
        "is u-blox UBX binary; convert it to NMEA 0183 first, or let the receiver write NMEA"
      ),
    ] as [([UInt8], String)])
  func binary(bytes: [UInt8], problem: String) {
    #expect(message(bytes, name: "some.file") == "some.file: \(problem)")
  }

  @Test(
    "Control characters in a file or its name never reach a terminal",
    arguments: [
      ("<a\u{1B}[2Jb/>", "x: is XML, but not GPX, KML or TCX: its first element is <a [2Jb>, not a trace"),
      (
        "la\u{1B}[2Jt,lat,note\u{9B}1m\n",
        "x:1: has no column for longitude or time among la [2Jt, lat, note 1m; name it in the header, such as time,latitude,longitude,accuracy"
      ),
    ])
  func controlCharacters(content: String, expected: String) {
    #expect(message(content, name: "x") == expected)
  }

  @Test("A name with a line break is shown on one line")
  func nameWithLineBreak() { #expect(message("", name: "a\u{1B}[2J\n\tb.csv") == "a [2J  b.csv: is empty") }

  @Test("Paths that are not files")
  func paths() throws {
    let directory = try TemporaryDirectory()
    func failure(_ path: String) -> String? {
      do {
        _ = try Reading(path: path)
        return nil
      } catch { return "\(error)" }
    }
    let here = directory.url.path
    #expect(failure(here) == "\(here): is a directory; name the traces in it")
    #expect(failure(here + "/none.gpx") == "\(here)/none.gpx: cannot be opened: No such file or directory")
    let empty = try directory.write("", to: "empty.csv")
    #expect(failure(empty) == "\(empty): is empty")
  }

  @Test("Random bytes never crash", arguments: 0..<8)
  func noise(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let samples = [
      "<gpx><trk><trkseg><trkpt lat='1' lon='2'><ele>3</ele><time>2026-05-01T08:00:00Z</time></trkpt></trkseg></trk></gpx>",
      "$GPRMC,080000,A,4800.000,N,01100.000,E,,,010526,,*2B\r\n$GPGGA,080000,4800.000,N,01100.000,E,1,05,,,M,,M,,*5E\n",
      "time,lat,lon,acc,device\n2026-05-01T08:00:00Z,52.5,13.4,5,a\n1777622400,52.5N,13.4,5,\"b\"\n",
      "<kml><gx:Track><when>2026-05-01T08:00:00Z</when><gx:coord>13.4 52.5 30</gx:coord></gx:Track></kml>",
      "{\"features\":[{\"geometry\":{\"type\":\"Point\",\"coordinates\":[13.4,52.5]},\"properties\":{\"time\":1777622400}}]}",
      "{\"semanticSegments\":[{\"startTime\":\"2026-05-01T08:00:00Z\",\"timelinePath\":[{\"point\":\"geo:1,2\",\"durationMinutesOffsetFromStartTime\":\"3\"}]}]}",
    ]
    for _ in 0..<150 {
      var bytes = Array(samples[Int.random(in: samples.indices, using: &random)].utf8)
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let index = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.remove(at: index)
        default: bytes.insert(contentsOf: bytes[index..<min(index + 9, bytes.count)], at: index)
        }
        if bytes.isEmpty { bytes = [0] }
      }
      do {
        let reading = try Reading(bytes: bytes)
        #expect(!reading.fixes.contains { !$0.coordinate.isValid }, "seed \(seed)")
      } catch {
        #expect(error is FeedError, "seed \(seed)")
      }
    }
  }

  @Test(
    "A device's name before binary data is not a gpsd log",
    arguments: [
      ([0x10, 0x8F, 0x20, 0x00, 0x10, 0x03], "a receiver's binary data; convert it to NMEA 0183"),
      ([0xA0, 0xA2, 0x00, 0x01, 0x02, 0xB0, 0xB3, 0xA0, 0xA2], "SiRF binary"),
      ([0xB5, 0x62, 0x01, 0x07, 0x0A], "UBX"),
    ] as [([UInt8], String)])
  func deviceBeforeBinary(binary: [UInt8], what: String) {
    let header = Array("# a receiver\n{\"class\":\"DEVICE\",\"path\":\"/dev/ttyUSB0\"}\n".utf8)
    let problem = message(header + binary + binary, name: "log")
    #expect(problem?.hasPrefix("log: is ") == true && problem?.contains(what) == true, "\(problem ?? "read")")
  }

  @Test("A gpsd log may name its devices first")
  func deviceBeforeReports() throws {
    let reading = try Reading(
      """
      {"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/ttyUSB0"}]}
      {"class":"TPV","mode":3,"time":"2026-05-01T08:00:00Z","lat":52.5,"lon":13.4}
      """)
    #expect(reading.report.format == .gpsd)
    #expect(reading.fixes.count == 1)
  }
}
