import FencepostPositionFeeds
import Testing

@Suite("IGC")
struct IGCTests {
  @Test("Fixes with the log's additional columns, across midnight")
  func fixes() throws {
    let reading = try Reading(
      """
      AXYZABC flight recorder of nobody\r
      HFDTEDATE:300426,01\r
      HFPLTPILOTINCHARGE:Jane\r
      I043638FXA3940SIU4142TDS4344LAD\r
      F235950040312\r
      B2359585230000N01324000EA0012300156008125050\r
      B2359585230000N01324000WA-0012-003400000\r
      B0000022230000S01324000EV0012300000015000000\r
      LXYZ a comment\r
      HFDTE020526\r
      B0800005230000N01324000EA0012300156\r
      GSIGNATURE\r

      """)
    #expect(
      reading.lines == [
        "| 2026-04-30T23:59:58.500Z 52.500008333333334,13.4 ±8.0 alt 156.0",
        "2026-04-30T23:59:58Z 52.5,-13.4 alt -34.0",
        "2026-05-01T00:00:02Z -22.5,13.4 ±15.0",
        "2026-05-02T08:00:00Z 52.5,13.4 alt 156.0",
      ])
    #expect(reading.report.format == .igc)
    #expect(reading.rejections.isEmpty)
  }

  @Test("Records without a fix are skipped, with the reason")
  func rejected() throws {
    let reading = try Reading(
      """
      AXYZ
      B0800005230000N01324000EA0012300156
      HFDTE010526
      B0800005230000N01324000EA0012300156
      B0800015230000N01324000EV0012300000
      B0800020000000N00000000EV0012300000
      B2500005230000N01324000EA0012300156
      B0800045230000X01324000EA0012300156
      B0800059930000N01324000EA0012300156
      B0800065230000N0132
      """)
    #expect(reading.lines == ["| 2026-05-01T08:00:00Z 52.5,13.4 alt 156.0"])
    #expect(
      reading.rejections == [
        "bad_coordinate:1@9", "bad_time:1@7", "malformed:1@8", "no_date:1@2", "no_fix:2@5", "truncated:1@10",
      ])
    #expect(
      message("AXYZ\nB0800005230000N01324000EA0012300156\n", name: "a.igc")?.contains(
        "has times of day but no date")
        == true)
  }
}
