import FencepostGeodesy
import FencepostPositionFeeds
import FencepostSpatiotemporal
import Testing

@Suite("CSV")
struct CSVTests {
  private func lines(_ text: String) throws -> [String] { try Reading(text).lines }

  @Test("All columns at once")
  func allColumns() throws {
    let reading = try Reading(
      """
      time,latitude,longitude,accuracy,altitude,speed,course,device,note
      2026-05-01T08:00:00.250Z,52.5,13.4,12.5,34,1.5,270,phone,"said ""hi"", left"
      2026-05-01T10:00:01+02:00,-52.5,-13.4,,,,,bike,
      2026-05-01 08:00:02,52.5,13.4,0,,-1,-1,phone,
      2026-05-01T08:00:03Z,52.5,13.4,7,,,,,

      # a comment
      2026-05-01T08:00:04Z,52.5,13.4
      """, name: "/home/me/day.csv")
    #expect(
      reading.lines == [
        "| 2026-05-01T08:00:00.250Z 52.5,13.4 ±12.5 alt 34.0 v 1.5 to 270.0",
        "| 2026-05-01T08:00:01Z -52.5,-13.4",
        "2026-05-01T08:00:02Z 52.5,13.4",
        "| 2026-05-01T08:00:03Z 52.5,13.4 ±7.0",
      ])
    #expect(reading.devices == ["day", "phone", "bike"])
    #expect(reading.fixes.map(\.device.rawValue) == [1, 2, 1, 0])
    #expect(reading.report.segments == 3)
    // The last line has no line end and fewer columns, so its last value may be cut off.
    #expect(reading.rejections == ["truncated:1@8"])
  }

  @Test(
    "Names of columns, as programs and people write them",
    arguments: [
      ("tracked_at,user_id,lat,lng", "2026-05-01 08:00:00,jane,52.5,13.4"),
      ("Start Time,End Time,Latitude,Longitude", "2026-05-01T08:00:00Z,2026-05-01T09:00:00Z,52.5,13.4"),
      ("local_time,time,lat,lon", "2026-05-01T10:00:00,2026-05-01T08:00:00Z,52.5,13.4"),
      ("local_time,lat,lon", "2026-05-01 08:00:00,52.5,13.4"),
      ("sent_at,lat,lon", "1777622400,52.5,13.4"),
      ("timestamp,position_lat,position_long", "2026-05-01T08:00:00Z,626349397,159868227"),
      ("timestamp,position_lat,position_long", "2026-05-01T08:00:00Z,52.5,13.4"),
      (
        "event-id,visible,timestamp,location-long,location-lat,individual-local-identifier",
        "1,true,2026-05-01 08:00:00.000,13.4,52.5,Ada"
      ),
      ("Zeit;Breitengrad;Längengrad", "01.05.2026 08:00:00;52,5;13,4"),
      ("Datum;Uhrzeit;Breite;Länge", "01.05.2026;8:00:00;52,5;13,4"),
      ("horodatage;latitude;longitude", "2026-05-01T08:00:00Z;52,5;13,4"),
      ("fecha,hora,latitud,longitud", "2026-05-01,08:00:00.,52.5,13.4"),
    ])
  func names(header: String, row: String) throws {
    let reading = try Reading("\(header)\n\(row)\n")
    let fix = try #require(reading.fixes.first)
    #expect(fix.time.rfc3339() == "2026-05-01T08:00:00Z")
    #expect(abs(fix.coordinate.latitude - 52.5) < 1e-6 && abs(fix.coordinate.longitude - 13.4) < 1e-6)
    if header.contains("user_id") { #expect(reading.devices.last == "jane") }
    if header.contains("individual") { #expect(reading.devices.last == "Ada") }
  }

  @Test(
    "Columbus' loggers: letters after the degrees, short dates, kilometres per hour, padding with zeros")
  func columbus() throws {
    let reading = try Reading(
      """
      INDEX,TAG,DATE,TIME,LATITUDE N/S,LONGITUDE E/W,HEIGHT,SPEED,HEADING,VOX
      1\0\0\0\0\0,T,260501,080000,52.500000N,013.400000E,34\0\0\0,36\0\0,90\0,\0\0\0\0
      2\0\0\0\0\0,V,260501,080005,33.500000S,070.600000W,\0\0\0\0\0,0\0\0\0,0\0\0,VOX00001
      3     ,T,261301,080010,52.500000N,013.400000E,34   ,0   ,0  ,
      \0\0\0\0\0\0\0\0
      """)
    #expect(
      reading.lines == [
        "| 2026-05-01T08:00:00Z 52.5,13.4 alt 34.0 v 10.0 to 90.0",
        "2026-05-01T08:00:05Z -33.5,-70.6 v 0.0 to 0.0",
      ])
    #expect(reading.rejections == ["bad_time:1@4"])
  }

  @Test(
    "OpenTracks has its header in a comment, and rows without positions")
  func openTracks() throws {
    let reading = try Reading(
      """
      #time,trackpoint_type,latitude,longitude,altitude,accuracy_horizontal,accuracy_vertical,speed,heartrate
      "2026-05-01T10:00:00+02:00","SEGMENT_START_MANUAL",,,,,,,
      "2026-05-01T10:00:01+02:00","TRACKPOINT",52.5,13.4,34,6,3,36,
      "2026-05-01T10:00:02+02:00","TRACKPOINT",,,,,,36,71
      "2026-05-01T10:00:03+02:00","TRACKPOINT",52.5,13.41,34,6,3,18,71
      "2026-05-01T10:09:00+02:00","SEGMENT_END_MANUAL",,,,,,,
      "2026-05-01T10:20:00+02:00","SEGMENT_START_AUTOMATIC",52.6,13.4,34,6,3,,
      "2026-05-01T10:20:01+02:00","TRACKPOINT",95,13.4,34,6,3,,

      """)
    #expect(
      reading.lines == [
        "| 2026-05-01T08:00:01Z 52.5,13.4 ±6.0 alt 34.0 v 10.0",
        "2026-05-01T08:00:03Z 52.5,13.41 ±6.0 alt 34.0 v 5.0",
        "| 2026-05-01T08:20:00Z 52.6,13.4 ±6.0 alt 34.0",
      ])
    #expect(reading.rejections == ["bad_coordinate:1@8"])
  }

  @Test("Rows of OpenTracks that only start a segment are not broken records")
  func segmentRows() throws {
    let reading = try Reading(
      """
      # OpenTracks
      "TYPE","TIME","TRACKSEGMENT","LATITUDE","LONGITUDE","ALTITUDE","ACCURACY_HORIZONTAL","SPEED"
      "SEGMENT_START_MANUAL","2026-05-01T10:00:00+02:00"
      "TRACKPOINT","2026-05-01T10:00:05+02:00","1","52.5","13.4","10","5","36"

      """)
    #expect(reading.lines == ["| 2026-05-01T08:00:05Z 52.5,13.4 ±5.0 alt 10.0 v 10.0"])
    #expect(reading.rejections.isEmpty)
    // In another program's file, `type` has no special meaning.
    let other = try Reading("type,time,lat,lon\nrun,2026-05-01T08:00:00Z,,\n")
    #expect(other.rejections == ["bad_coordinate:1@2"])
  }

  @Test(
    "A time without a zone is local if its column's name says so, else UTC, and the report has the zone",
    arguments: [
      ("local_time", "2026-05-01 10:00:00", "08:00:00", TraceReport.AssumedZone.local),
      ("Local Time", "2026-05-01T10:00:00", "08:00:00", .local),
      ("local_time", "2026-05-01T10:00:00Z", "10:00:00", nil),
      ("time", "2026-05-01 10:00:00", "10:00:00", .utc), ("Zeit", "01.05.2026 10:00:00", "10:00:00", .utc),
      ("time", "2026-05-01 10:00:00 UTC", "10:00:00", nil), ("time", "20260501100000", "10:00:00", .utc),
      ("time", "1777629600", "10:00:00", nil), ("time_utc", "2026-05-01 10:00:00", "10:00:00", nil),
      ("local_date,time", "2026-05-01,10:00:00", "08:00:00", .local),
      ("date,time", "2026-05-01,10:00:00", "10:00:00", .utc),
      ("date,time", "2026-05-01,10:00:00Z", "10:00:00", nil),
    ])
  func zones(columns: String, time: String, expected: String, zone: TraceReport.AssumedZone?) throws {
    let text = "\(columns),lat,lon\n\(time),52.5,13.4\n"
    let reader = try TraceReader(
      bytes: Array(text.utf8), name: "t.csv", devices: DeviceRegistry(),
      localTime: { $0.adding(seconds: -7_200) })
    #expect(try reader.rest().map { $0.time.rfc3339() } == ["2026-05-01T\(expected)Z"])
    #expect(reader.report.assumedZone == zone)
  }

  @Test("A real header overrides a comment about columns")
  func commentedHeader() throws {
    let reading = try Reading(
      """
      # lat, lon, time
      # made by hand
      time,lat,lon
      2026-05-01T08:00:00Z,52.5,13.4
      """)
    #expect(reading.lines == ["| 2026-05-01T08:00:00Z 52.5,13.4"])
    #expect(reading.rejections.isEmpty)
  }

  @Test("UTF-16 in either byte order, as spreadsheets save it", arguments: [true, false])
  func utf16(isBigEndian: Bool) throws {
    let text =
      "\u{FEFF}time\tlatitude\tlongitude\tdevice\r\n2026-05-01T08:00:00Z\t52.5\t13.4\tAnkes 📱 für Ü\r\n"
    var bytes = text.utf16.flatMap { unit -> [UInt8] in
      let halves = [UInt8(unit >> 8), UInt8(unit & 0xFF)]
      return isBigEndian ? halves : halves.reversed()
    }
    let reading = try Reading(bytes: bytes)
    #expect(reading.lines == ["| 2026-05-01T08:00:00Z 52.5,13.4"])
    #expect(reading.devices.last == "Ankes 📱 für Ü")
    // Half of a surrogate pair alone, and half a unit at the end.
    bytes += isBigEndian ? [0xD8, 0x3D, 0x00, 0x41, 0x00] : [0x3D, 0xD8, 0x41, 0x00, 0x41]
    #expect(try Reading(bytes: bytes).fixes.count == 1)
  }

  @Test(
    "Headers of all sorts",
    arguments: [
      ("lat,lon,time", "52.5,13.4,2026-05-01T08:00:00Z"),
      ("Latitude;Longitude;Timestamp", "52,5;13,4;1777622400"),
      ("y\tx\ttst", "52.5\t13.4\t1777622400"),
      ("lat|lng|datetime", "52.5|13.4|2026/05/01 08:00:00"),
      ("\"lat\",\"long\",\"time\"", "\"52.5\",\"13.4\",\"1777622400000\""),
      ("LAT , LON , TIME", " 52.5 , 13.4 , 2026-05-01 08:00:00 UTC "),
      ("latitudeE7,longitudeE7,timestampMs", "525000000,134000000,1777622400000"),
      ("latE7,lngE7,timestamp", "525000000,134000000,2026-05-01T08:00:00Z"),
      ("date,time,lat,lon", "2026-05-01,08:00:00,52.5,13.4"),
      ("lat,lon,utc_d,utc_t", "52.5,13.4,2026/05/01,08:00:00"),
      ("Date;Time;Lat;Lon", "01.05.2026;080000;52.5;13.4"),
      ("DATE,TIME,LATITUDE,N/S,LONGITUDE,E/W", "2026/05/01,08:00:00.000,52.5,N,13.4,E"),
      ("date,lat,lon", "2026-05-01 08:00:00,52.5,13.4"),
      ("lat,lon,time", "52.5N,E 13.4,2026-05-01 08:00"),
      ("lat,lon,time", "52.5°,+13.4°,1.7776224e9"),
      ("Latitude (deg),Longitude [deg],Epoch", "52.5,13.4,1777622400.000000"),
      ("gps_latitude,gps_longitude,unix_time", "52.5,13.4,1777622400000000"),
      ("id,lat,lon,time", "1,52.5,13.4,1777622400"),
      ("time_utc,local_time,lat,lon", "2026-05-01T08:00:00Z,10:00,52.5,13.4"),
      ("Exported by somebody\nlat,lon,time", "52.5,13.4,1777622400"),
      ("\u{FEFF}\"lat\",lon,time", "52.5,13.4,1777622400"),
      ("# made by hand\n\nlat,lon,time", "52.5,13.4,1777622400"),
    ])
  func headers(header: String, row: String) throws {
    for end in ["\n", "\r\n"] {
      let reading = try Reading((header + "\n" + row + "\n").replacing("\n", with: end))
      #expect(reading.lines == ["| 2026-05-01T08:00:00Z 52.5,13.4"])
      #expect(reading.report.format == .csv)
      #expect(reading.devices == ["trace"])
    }
  }

  @Test(
    "Units",
    arguments: [
      ("speed", "36", " v 36.0"), ("speed_kmh", "36", " v 10.0"), ("Speed (km/h)", "36", " v 10.0"),
      ("speed_knots", "3600", " v 1852.0"), ("speed_mph", "10", " v 4.4704"), ("hdop", "2", " ±10.0"),
      ("acc", "2", " ±2.0"),
      ("horizontalAccuracy", "2.5", " ±2.5"), ("heading", "90", " to 90.0"), ("bearing", "360", " to 360.0"),
      ("alt", "-3", " alt -3.0"), ("ele", "3.5", " alt 3.5"), ("altitude_ft", "100", " alt 30.48"),
      ("speed", "", ""),
    ])
  func units(column: String, value: String, expected: String) throws {
    #expect(
      try lines("lat,lon,tst,\(column)\n1,2,0,\(value)\n") == ["| 1970-01-01T00:00:00Z 1.0,2.0" + expected])
  }

  @Test("Accuracy comes before dilution, and the plainest name for a value comes first")
  func precedence() throws {
    #expect(try lines("lat,lon,tst,hdop,accuracy\n1,2,0,1,9\n") == ["| 1970-01-01T00:00:00Z 1.0,2.0 ±9.0"])
    #expect(try lines("y,x,lat,lon,tst\n9,9,1,2,0\n") == ["| 1970-01-01T00:00:00Z 1.0,2.0"])
    #expect(try lines("lat,lon,time,timestamp\n1,2,noon,0\n") == ["| 1970-01-01T00:00:00Z 1.0,2.0"])
  }

  @Test("A column named id holds devices, unless it counts rows")
  func identifiers() throws {
    let named = try Reading("id,lat,lon,tst\ncar,1,2,0\nbus,1,2,0\n")
    #expect(named.devices == ["trace", "car", "bus"])
    let counted = try Reading("id,lat,lon,tst\n1,1,2,0\n2,1,2,0\n")
    #expect(counted.devices == ["trace"])
    #expect(counted.report.segments == 1)
    let numbered = try Reading("dev,lat,lon,tst\n7,1,2,0\n8,1,2,0\n7,1,2,1\n")
    #expect(numbered.devices == ["trace", "7", "8"])
    #expect(numbered.fixes.map(\.startsSegment) == [true, true, false])
    let quoted = try Reading("user,lat,lon,tst\n\"the \"\"big\"\" one, red\",1,2,0\n")
    #expect(quoted.devices == ["trace", "the \"big\" one, red"])
  }

  @Test(
    "Broken rows",
    arguments: [
      ("91,2,0", "bad_coordinate"), ("1,180.1,0", "bad_coordinate"), (",2,0", "bad_coordinate"),
      ("nan,2,0", "bad_coordinate"),
      ("1,2N3,0", "bad_coordinate"), ("1e400,2,0", "bad_coordinate"), ("-1S,2,0", "bad_coordinate"),
      ("N,2,0", "bad_coordinate"),
      ("1,2,", "no_time"), ("1,2", "no_time"), ("1,2,noon", "bad_time"),
      ("1,2,2026-02-30T00:00:00Z", "bad_time"),
      ("1,2,99999999999999999999", "bad_time"), ("1,2,05/01/2026 08:00", "bad_time"),
      ("1,2,08:00", "bad_time"),
      ("1,2,20260230080000", "bad_time"), ("1,2,20260501086000", "bad_time"), ("1,2,:00:00", "bad_time"),
      ("1,2,2026-05-01", "bad_time"), ("1,2,-", "bad_time"), ("garbage", "malformed"),
      ("\"1,2,0", "malformed"),
      (String(repeating: "1", count: 70_000), "malformed"),
    ])
  func brokenRows(row: String, reason: String) throws {
    let reading = try Reading("lat,lon,time\n5,6,0\n\(row)\n7,8,1\n")
    #expect(reading.lines == ["| 1970-01-01T00:00:00Z 5.0,6.0", "1970-01-01T00:00:01Z 7.0,8.0"])
    #expect(reading.rejections == ["\(reason):1@3"])
  }

  @Test("Times before 1970, after a column of dates, and at the limits of integers")
  func extremeTimes() throws {
    #expect(try lines("lat,lon,time\n1,2,-1.5\n") == ["| 1969-12-31T23:59:58.500Z 1.0,2.0"])
    #expect(try lines("lat,lon,time\n1,2,1777622400123456789\n") == ["| 2026-05-01T08:00:00.123456Z 1.0,2.0"])
    #expect(try lines("lat,lon,time\n1,2,1777622400123.5\n") == ["| 2026-05-01T08:00:00.123500Z 1.0,2.0"])
    for text in [
      "9223372036854775807", "-9223372036854775808", "9223372036854775808", "9999999999999999999", "1e18",
      "-1e300",
    ] {
      // Anything but a crash is fine.
      _ = try Reading("lat,lon,time\n5,6,0\n1,2,\(text)\n")
      _ = try Reading("lat,lon,timestampMs\n5,6,0\n1,2,\(text)\n")
    }
  }

  @Test(
    "An equal sign and hemisphere count once, and opposite ones make the value unknown",
    arguments: [
      ("-33.85,S,-70.5,W", "-33.85,-70.5"), ("33.85,S,70.5,W", "-33.85,-70.5"),
      ("33.85,N,70.5,E", "33.85,70.5"), ("33.85S,S,70.5,E", "-33.85,70.5"),
      ("-33.85,,-70.5,", "-33.85,-70.5"),
      ("0,S,-0,W", "-0.0,-0.0"), ("-33.85,N,70.5,E", nil), ("33.85,N,-70.5,E", nil),
    ])
  func hemispheres(row: String, expected: String?) throws {
    let reading = try Reading("lat,ns,lon,ew,tst\n\(row),0\n1,N,2,E,1\n")
    #expect(
      reading.lines
        == (expected.map { ["| 1970-01-01T00:00:00Z \($0)", "1970-01-01T00:00:01Z 1.0,2.0"] }
          ?? ["| 1970-01-01T00:00:01Z 1.0,2.0"]))
    #expect(reading.rejections == (expected == nil ? ["bad_coordinate:1@2"] : []))
  }

  @Test(
    "Times as people and loggers write them",
    arguments: [
      ("20260501080000", "2026-05-01T08:00:00Z"), ("2026-05-01 8:00:00", "2026-05-01T08:00:00Z"),
      ("2026/05/01 8:00", "2026-05-01T08:00:00Z"), ("2026-05-01T8:00:00.5", "2026-05-01T08:00:00.500Z"),
      ("1777622400000", "2026-05-01T08:00:00Z"),
    ])
  func looseTimes(text: String, expected: String) throws {
    #expect(try lines("time,lat,lon\n\(text),1,2\n") == ["| \(expected) 1.0,2.0"])
  }

  @Test("A time with a one-digit hour beside its date")
  func shortHour() throws {
    #expect(
      try lines("date,time,lat,lon\n2026-05-01,8:05:00,1,2\n") == ["| 2026-05-01T08:05:00Z 1.0,2.0"])
  }

  @Test("Google's E7 numbers without their sign")
  func overflownE7() throws {
    #expect(
      try lines("latitudeE7,longitudeE7,tst\n-338500000,4160967296,0\n3956467296,1512000000,0\n") == [
        "| 1970-01-01T00:00:00Z -33.85,-13.4", "1970-01-01T00:00:00Z -33.85,151.2",
      ])
  }

  @Test("An unclosed quote breaks only its row")
  func openQuote() throws {
    let reading = try Reading("time,lat,lon,note\n0,1,2,\"two\nlines\"\n1,3,4,x\n")
    #expect(reading.lines == ["| 1970-01-01T00:00:00Z 1.0,2.0", "1970-01-01T00:00:01Z 3.0,4.0"])
    #expect(reading.rejections == ["malformed:1@3"])
  }
}
