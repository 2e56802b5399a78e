import FencepostXML

/// The parser's copies of the names that matter.
struct GPXNames {
  let root, creator, track, trackName, trackSegment, trackPoint, waypoint, routePoint: XMLSymbol
  let latitude, longitude, time, elevation, fix, speed, course, bearing, dilution: XMLSymbol
  let accuracies: [XMLSymbol]

  init(_ parser: XMLPushParser) {
    root = parser.name("gpx")
    creator = parser.name("creator")
    track = parser.name("trk")
    trackName = parser.name("name")
    trackSegment = parser.name("trkseg")
    trackPoint = parser.name("trkpt")
    waypoint = parser.name("wpt")
    routePoint = parser.name("rtept")
    latitude = parser.name("lat")
    longitude = parser.name("lon")
    time = parser.name("time")
    elevation = parser.name("ele")
    fix = parser.name("fix")
    speed = parser.name("speed")
    course = parser.name("course")
    bearing = parser.name("bearing")
    dilution = parser.name("hdop")
    accuracies = [
      parser.name("accuracy"), parser.name("accuracy_horizontal"), parser.name("horizontalAccuracy"),
      parser.name("horaccur"), parser.name("hAcc"),
    ]
  }
}
