import FencepostPositionFeeds
import Testing

@Suite("PLT")
struct PLTTests {
  @Test("GeoLife's trajectories")
  func geoLife() throws {
    let reading = try Reading(
      """
      Geolife trajectory
      WGS 84
      Altitude is in Feet
      Reserved 3
      0,2,255,My Track,0,0,2,8421376
      0
      52.5,13.4,0,100,46143.3333333333,2026-05-01,08:00:00
      52.6,13.4,0,-777,46143.3333449074,2026-05-01,08:00:01
      92.6,13.4,0,0,46143.3333449074,2026-05-01,08:00:02
      52.6,13.4,0,0,x,2026-05-01,08:61:02
      52.6
      """.split(separator: "\n").joined(separator: "\r\n") + "\r\n52.6,1", name: "20260501.plt")
    #expect(
      reading.lines == ["| 2026-05-01T08:00:00Z 52.5,13.4 alt 30.48", "2026-05-01T08:00:01Z 52.6,13.4"])
    #expect(reading.report.format == .plt)
    #expect(
      reading.rejections == ["bad_coordinate:1@9", "bad_time:1@10", "malformed:1@11", "truncated:1@12"])
  }

  @Test("OziExplorer's dates are for people, and its day count is for programs")
  func oziExplorer() throws {
    let reading = try Reading(
      """
      OziExplorer Track Point File Version 2.1
      WGS 84
      Altitude is in Feet
      Reserved 3
      0,2,255,walk,0,0,2,8421376
      2
       52.5, 13.4,1, -777.0,46143.3333333333, 01-May-26, 8:00:00 AM
       52.6, 13.4,0, -777.0,46143.3333449074, 01-May-26, 8:00:01 AM
       52.7, 13.4,1, -777.0,46143.3333564815
      """)
    #expect(
      reading.lines == [
        "| 2026-05-01T08:00:00Z 52.5,13.4", "2026-05-01T08:00:01Z 52.6,13.4",
        "| 2026-05-01T08:00:02Z 52.7,13.4",
      ])
  }

  @Test(
    "Coordinates in another datum are refused",
    arguments: [
      ("WGS 84", nil), ("WGS84", nil), (" wgs 1984 ", nil), ("", nil), ("Tokyo", "Tokyo"),
      ("European 1950 (Mean)", "European 1950 (Mean)"), ("WGS 72", "WGS 72"),
    ])
  func datum(line: String, name: String?) {
    let text = """
      OziExplorer Track Point File Version 2.1
      \(line)
      Altitude is in Feet
      Reserved 3
      0,2,255,walk,0,0,2,8421376
      1
      52.5,13.4,1,-777,46143.3333333333,01-May-26,8:00:00 AM

      """
    #expect(
      message(text, name: "a.plt")
        == name.map {
          "a.plt:2: is in the datum '\($0)'; convert it to WGS 84 first, for example with gpsbabel"
        })
  }

  @Test("A header alone has no position")
  func empty() {
    #expect(message("Geolife trajectory\nWGS 84\n", name: "a.plt") == "a.plt: has no positions")
  }
}
