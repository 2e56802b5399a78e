import FencepostPositionFeeds
import FencepostSpatiotemporal
import FencepostTestSupport
import Testing

@Suite("NMEA 0183")
struct NMEATests {
  /// `body` as a sentence with its checksum.
  private static func sentence(_ body: String) -> String {
    let sum = body.utf8.reduce(0, ^)
    let digits = String(sum, radix: 16, uppercase: true)
    return "$\(body)*\(digits.count < 2 ? "0" : "")\(digits)"
  }

  /// A log with one sentence per line.
  private static func log(_ bodies: [String]) -> String { bodies.map { sentence($0) + "\r\n" }.joined() }

  private func lines(_ bodies: [String]) throws -> [String] { try Reading(NMEATests.log(bodies)).lines }

  @Test("The sentences of a moment make one fix")
  func epoch() throws {
    let reading = try Reading(
      NMEATests.log([
        "GPRMC,123519.00,A,4807.038,N,01131.000,E,022.4,084.4,230326,003.1,W,A",
        "GPGGA,123519.00,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,",
        "GPGSA,A,3,04,05,,09,12,,,24,,,,,2.5,1.3,2.1",
        "GPGSV,2,1,08,01,40,083,46,02,17,308,41,12,07,344,39,14,22,228,45",
        "GPRMC,123520.50,A,3351.500,S,15112.600,W,,,230326,,",
        "GNGST,123520.50,1.0,2.0,1.0,10.0,3.0,4.0,5.0",
      ]))
    #expect(
      reading.lines == [
        "| 2026-03-23T12:35:19Z 48.1173,11.516666666666667 ±4.5 alt 545.4 v 11.523555556 to 84.4",
        "2026-03-23T12:35:20.500Z -33.858333333333334,-151.21 ±5.0",
      ])
    #expect(reading.report.format == .nmea)
    #expect(reading.report.rejections.isEmpty)
  }

  @Test(
    "All talkers, and each kind of sentence alone",
    arguments: [
      (["GNRMC,080000,A,4800.000,N,01100.000,E,,,010526,,"], "| 2026-05-01T08:00:00Z 48.0,11.0"),
      (
        ["GLZDA,080000.00,01,05,2026,00,00", "GLGGA,080000.00,4800.000,N,01100.000,E,1,05,2.0,,M,,M,,"],
        "| 2026-05-01T08:00:00Z 48.0,11.0 ±10.0"
      ),
      (
        ["GAGLL,4800.000,N,01100.000,E,080000.00,A,A", "GAZDA,080000.00,01,05,2026,,"],
        "| 2026-05-01T08:00:00Z 48.0,11.0"
      ),
      (
        ["BDRMC,080000.00,A,4800.000,N,01100.000,E,,,010526,,", "BDVTG,90.0,T,,M,3.6,N,6.7,K,A"],
        "| 2026-05-01T08:00:00Z 48.0,11.0 v 1.852 to 90.0"
      ),
      (
        ["GQRMC,080000.00,A,4800.000,N,01100.000,E,,,010526,,", "GQGSA,A,3,01,,,,,,,,,,,,2.5,1.6,2.1"],
        "| 2026-05-01T08:00:00Z 48.0,11.0 ±8.0"
      ),
      (["GIRMC,080000.00,A,4800.000,N,01100.000,E,,,010588,,"], "| 1988-05-01T08:00:00Z 48.0,11.0"),
      // Longitude should have three digits for degrees; some writers use two.
      (["GPRMC,080000.00,A,800.000,N,1100.000,E,,,010526,,"], "| 2026-05-01T08:00:00Z 8.0,11.0"),
    ])
  func kinds(bodies: [String], expected: String) throws {
    #expect(try lines(bodies) == [expected])
  }

  @Test("Midnight passes between dates, also for the fixes before the first date")
  func midnight() throws {
    func gga(_ time: String) -> String { "GPGGA,\(time),4800.000,N,01100.000,E,1,05,,,M,,M,," }
    let read = try lines([
      gga("235958"), gga("000001"), "GPRMC,000002,A,4800.000,N,01100.000,E,,,010526,,",
      gga("120000"), gga("235959"), gga("000000"), gga("000001"),
    ])
    #expect(
      read.map { String($0.drop { $0 == "|" || $0 == " " }.prefix(20)) } == [
        "2026-04-30T23:59:58Z", "2026-05-01T00:00:01Z", "2026-05-01T00:00:02Z", "2026-05-01T12:00:00Z",
        "2026-05-01T23:59:59Z", "2026-05-02T00:00:00Z", "2026-05-02T00:00:01Z",
      ])
    #expect(read[0].hasPrefix("|"))
    #expect(!read[1].hasPrefix("|"))
  }

  @Test("Fixes that wait too long for a date are dropped")
  func waiting() throws {
    var bodies = (0..<6000).map { index in
      let minutes = "\(index / 60 % 60 + 100)".dropFirst()
      let seconds = "\(index % 60 + 100)".dropFirst()
      return "GPGGA,0\(index / 3600)\(minutes)\(seconds),4800.000,N,01100.000,E,1,05,,,M,,M,,"
    }
    bodies.append("GPRMC,020000,A,4800.000,N,01100.000,E,,,010526,,")
    let reading = try Reading(NMEATests.log(bodies))
    #expect(reading.fixes.count + reading.report.rejected == 6001)
    #expect(reading.fixes.count >= 2048)
    #expect(reading.rejections == ["no_date:\(reading.report.rejected)@1"])
    #expect(reading.lines.last == "2026-05-01T02:00:00Z 48.0,11.0")
  }

  @Test("A receiver without a fix is counted once per moment")
  func noFix() throws {
    let reading = try Reading(
      NMEATests.log([
        "GPGGA,,,,,,0,,,,M,,M,,", "GPGLL,,,,,,V,N", "GPGSA,A,1,,,,,,,,,,,,,,,", "GPRMC,,V,,,,,,,,,,N",
        "GPVTG,,T,,M,,N,,K,N",
        "GPGGA,,,,,,0,,,,M,,M,,", "GPGLL,,,,,,V,N", "GPRMC,,V,,,,,,,,,,N",
        "GPGGA,080000,,,,,0,,,,M,,M,,", "GPRMC,080000,V,,,,,,,010526,,,N",
        // Void by RMC alone, and by its mode.
        "GPRMC,080001,V,4800.000,N,01100.000,E,,,010526,,",
        "GPGGA,080001,4800.000,N,01100.000,E,1,05,,,M,,M,,",
        "GPRMC,080002,A,4800.000,N,01100.000,E,,,010526,,,N",
        "GPRMC,080003,A,4800.000,N,01100.000,E,,,010526,,,A",
      ]))
    #expect(reading.lines == ["| 2026-05-01T08:00:03Z 48.0,11.0"])
    #expect(reading.rejections == ["no_fix:5@1"])
  }

  @Test("Garbage, comments, other sentences and the middle of a sentence are skipped")
  func garbage() throws {
    let good = NMEATests.sentence("GPRMC,080000,A,4800.000,N,01100.000,E,,,010526,,")
    let next = NMEATests.sentence("GPRMC,080001,A,4800.000,N,01100.000,E,,,010526,,")
    let reading = try Reading(
      """
      0.000,N,01100.000,E,,,010526,,*2F
      # a comment
      \(good)

      !AIVDM,1,1,,B,177KQJ5000G?tO`K>RA1wUbN0TKH,0*5C
      2026-05-01 08:00:01 \(good.prefix(20))\(next)trailing
      $PGRME,15.0,M,45.0,M,25.0,M*1C
      $$$\u{0}\u{7}
      """)
    #expect(reading.lines == ["| 2026-05-01T08:00:00Z 48.0,11.0", "2026-05-01T08:00:01Z 48.0,11.0"])
    #expect(reading.rejections == ["malformed:1@1", "no_checksum:1@6", "truncated:3@8"])
  }

  @Test("A wrong checksum rejects a sentence, and so does a missing one after the first checksum")
  func checksums() throws {
    let good = NMEATests.sentence("GPRMC,080000,A,4800.000,N,01100.000,E,,,010526,,")
    let reading = try Reading(
      """
      $GPRMC,075959,A,4800.000,N,01100.000,E,,,010526,,
      \(good)
      $GPRMC,080001,A,4800.000,N,01100.000,E,,,010526,,
      \(good.replacing("4800.000", with: "4900.000"))
      \(good.dropLast(1))
      \(good.replacing("080000", with: "080001").lowercased())

      """)
    #expect(reading.lines == ["| 2026-05-01T07:59:59Z 48.0,11.0", "2026-05-01T08:00:00Z 48.0,11.0"])
    #expect(reading.rejections == ["bad_checksum:2@4", "no_checksum:1@3"])
  }

  @Test(
    "Invalid fields",
    arguments: [
      ("GPRMC,080000,A,4860.000,N,01100.000,E,,,010526,,", "bad_coordinate"),
      ("GPRMC,080000,A,9100.000,N,01100.000,E,,,010526,,", "bad_coordinate"),
      ("GPRMC,080000,A,4800.000,X,01100.000,E,,,010526,,", "bad_coordinate"),
      ("GPRMC,080000,A,,,,,,,010526,,", "bad_coordinate"),
      ("GPRMC,080000,A,48-0.000,N,01100.000,E,,,010526,,", "bad_coordinate"),
      ("GPRMC,250000,A,4800.000,N,01100.000,E,,,010526,,", "bad_time"),
      ("GPRMC,0800,A,4800.000,N,01100.000,E,,,010526,,", "bad_time"),
      ("GPRMC,080000x,A,4800.000,N,01100.000,E,,,010526,,", "bad_time"),
    ])
  func wrongFields(body: String, reason: String) throws {
    let reading = try Reading(
      NMEATests.log([body, "GPRMC,090000,A,4800.000,N,01100.000,E,,,010526,,"]))
    #expect(reading.fixes.count == 1)
    #expect(reading.rejections == ["\(reason):1@1"])
  }

  @Test("A truncated log keeps its complete sentences", arguments: 1..<49)
  func truncated(length: Int) throws {
    let first = NMEATests.log(["GPRMC,080000,A,4800.000,N,01100.000,E,,,010526,,"])
    let last = NMEATests.sentence("GPRMC,080001,A,4800.000,N,01100.000,E,,,010526,,")
    let reading = try Reading(first + last.prefix(length))
    #expect(reading.fixes.count == 1)
    #expect(reading.rejections == ["truncated:1@2"])
    // Complete, though its line has no end.
    #expect(try Reading(first + last).fixes.count == 2)
  }

  @Test("The order of arrival stays, whatever the times are")
  func order() throws {
    let read = try lines([
      "GPRMC,080000,A,4800.000,N,01100.000,E,,,010526,,", "GPRMC,075959,A,4800.000,N,01100.000,E,,,010526,,",
      "GPRMC,080000,A,4800.000,N,01100.000,E,,,010506,,",
    ])
    #expect(read.map { $0.contains("T07:59:59Z") } == [false, true, false])
    #expect(read[2].hasPrefix("2006-05-01"))
  }

  @Test(
    "A time may end in a decimal point, and gpsd may describe the receiver first"
  )
  func points() throws {
    let reading = try Reading(
      """
      {"class":"DEVICE","path":"/dev/ttyUSB0","driver":"NMEA0183"}
      $GPRMC,080000.,A,5230.,N,01324.,E,0.0,90.0,010526,,
      {"class":"SKY","device":"/dev/ttyUSB0"}
      $GPGGA,080001.,5230.,N,01324.,E,1,8,1.,34.,M,,M,,

      """)
    #expect(reading.report.format == .nmea)
    #expect(reading.fixes.map { $0.time.rfc3339() } == ["2026-05-01T08:00:00Z", "2026-05-01T08:00:01Z"])
    #expect(reading.rejections.isEmpty)
  }
}
