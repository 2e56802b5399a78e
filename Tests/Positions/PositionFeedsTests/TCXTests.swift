import FencepostPositionFeeds
import Testing

@Suite("TCX")
struct TCXTests {
  @Test("The points of activities are fixes, and those of courses are not")
  func activities() throws {
    let reading = try Reading(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <TrainingCenterDatabase xmlns="http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2">
      <Activities><Activity Sport="Running"><Id>2026-05-01T08:00:00Z</Id>
      <Lap StartTime="2026-05-01T08:00:00Z"><MaximumSpeed>9</MaximumSpeed><Track>
      <Trackpoint><Time>2026-05-01T08:00:00Z</Time><Position><LatitudeDegrees>52.5</LatitudeDegrees>
      <LongitudeDegrees>13.4</LongitudeDegrees></Position><AltitudeMeters>34.5</AltitudeMeters>
      <HeartRateBpm><Value>120</Value></HeartRateBpm>
      <Extensions><TPX xmlns="http://www.garmin.com/xmlschemas/ActivityExtension/v2"><Speed>2.5</Speed></TPX></Extensions>
      </Trackpoint>
      <Trackpoint><Time>2026-05-01T08:00:01Z</Time><DistanceMeters>3</DistanceMeters></Trackpoint>
      <Trackpoint><Time>never</Time><Position><LatitudeDegrees>1</LatitudeDegrees><LongitudeDegrees>2</LongitudeDegrees></Position></Trackpoint>
      <Trackpoint><Position><LatitudeDegrees>1</LatitudeDegrees><LongitudeDegrees>2</LongitudeDegrees></Position></Trackpoint>
      <Trackpoint><Time>2026-05-01T08:00:02Z</Time><Position><LatitudeDegrees>1</LatitudeDegrees><LongitudeDegrees>181</LongitudeDegrees></Position></Trackpoint>
      </Track><Track>
      <Trackpoint><Time>2026-05-01T08:00:03Z</Time><Position><LatitudeDegrees>1</LatitudeDegrees><LongitudeDegrees>2</LongitudeDegrees></Position></Trackpoint>
      </Track></Lap></Activity></Activities>
      <Courses><Course><Track>
      <Trackpoint><Time>2026-05-01T08:00:04Z</Time><Position><LatitudeDegrees>1</LatitudeDegrees><LongitudeDegrees>2</LongitudeDegrees></Position></Trackpoint>
      </Track></Course></Courses>
      </TrainingCenterDatabase>
      """)
    #expect(
      reading.lines == [
        "| 2026-05-01T08:00:00Z 52.5,13.4 alt 34.5 v 2.5", "| 2026-05-01T08:00:03Z 1.0,2.0",
      ])
    #expect(reading.report.format == .tcx)
    #expect(reading.rejections == ["bad_coordinate:2@10", "bad_time:1@11", "no_time:1@12"])
  }

  @Test("A course alone is not a trace")
  func course() {
    let text =
      "<TrainingCenterDatabase><Courses><Course><Track><Trackpoint/></Track></Course></Courses></TrainingCenterDatabase>"
    #expect(
      message(text, name: "a.tcx")
        == "a.tcx: has no track, only 1 course point; these describe a plan, not where a device was"
    )
  }
}
