/// What a column of CSV holds, or a property of GeoJSON.
struct TraceField: Hashable {
  /// What its values say.
  enum Role: UInt8, CaseIterable {
    case latitude, longitude, time, date, accuracy, dilution, speed, course, altitude, device
    /// A column of its own for N and S, or E and W.
    case latitudeHemisphere, longitudeHemisphere
    /// `id`: the device, or else the number of the row.
    case identifier
  }

  /// What its values say.
  var role: Role
  /// What a value is multiplied by to be in degrees, seconds, metres or metres a second; 0 for a time in
  /// whatever unit its size shows.
  var scale = 1.0

  private static let kilometresAnHour = 1 / 3.6
  private static let milesAnHour = 0.44704
  private static let feet = 0.3048

  /// The names of fields without what is no letter or digit, by role and scale. Where a header has several
  /// of one role, the one that stands first here is taken.
  private static let names: [(Role, Double, [String])] = [
    (
      .latitude, 1,
      [
        "latitude", "lat", "latdeg", "latitudedeg", "gpslatitude", "gpslat", "locationlat", "coordslatitude",
        "y",
      ]
    ),
    (.latitude, 1e-7, ["latitudee7", "late7"]),
    (
      .longitude, 1,
      [
        "longitude", "lon", "lng", "long", "londeg", "longitudedeg", "gpslongitude", "gpslon", "gpslong",
        "locationlon", "locationlng", "coordslongitude", "x",
      ]
    ),
    (.longitude, 1e-7, ["longitudee7", "lone7", "lnge7"]),
    (
      .latitudeHemisphere, 1,
      ["ns", "latdir", "latitudedir", "latref", "latituderef", "lathemisphere", "latitudehemisphere"]
    ),
    (
      .longitudeHemisphere, 1,
      ["ew", "londir", "longitudedir", "lonref", "longituderef", "lonhemisphere", "longitudehemisphere"]
    ),
    (.time, 1e-3, ["timestampms", "timems", "epochms", "unixms", "tstms"]),
    (
      .time, 0,
      [
        "timestamp", "datetime", "datetimeutc", "utcdatetime", "timestamputc", "utctimestamp", "tst",
        "timeutc", "utctime",
        "time", "epoch", "unixtime", "unix", "epochtime", "isotime", "isotst", "fixtime", "gpstime",
        "devicetime", "recordedat",
        "createdat", "loggingtime", "locationtimestamp", "utct", "utc", "when", "t",
      ]
    ),
    (.date, 1, ["date", "utcd", "dateutc", "utcdate", "gpsdate", "day"]),
    (
      .accuracy, 1,
      [
        "horizontalaccuracy", "accuracy", "acc", "hacc", "accuracym", "horizontalaccuracym", "accuracymeters",
        "accuracyhorizontal",
        "horaccuracy", "gpsaccuracy", "precision", "eph",
      ]
    ),
    (.dilution, 1, ["hdop"]),
    (
      .speed, 1,
      ["speed", "speedms", "speedmps", "speedmeterspersecond", "gpsspeed", "velocity", "groundspeed", "sog"]
    ),
    (.speed, kilometresAnHour, ["speedkmh", "speedkph", "kmh", "kph", "velkmh", "velocitykmh", "vel"]),
    (.speed, Measurement.knot, ["speedknots", "speedkn", "speedkt", "speedkts", "knots"]),
    (.speed, milesAnHour, ["speedmph", "mph"]),
    (
      .course, 1,
      [
        "course", "heading", "bearing", "cog", "coursedeg", "headingdeg", "bearingdeg", "trackangle",
        "truecourse",
      ]
    ),
    (
      .altitude, 1,
      ["altitude", "alt", "ele", "elevation", "altitudem", "altm", "elevationm", "elem", "height", "heightm"]
    ),
    (.altitude, feet, ["altitudeft", "altft", "elevationft", "altitudefeet", "heightft"]),
    (
      .device, 1,
      [
        "device", "deviceid", "devicename", "dev", "devid", "user", "userid", "username", "vehicle",
        "vehicleid", "imei", "tid", "tracker", "trackerid",
      ]
    ),
    (.identifier, 1, ["id"]),
  ]

  /// By name: the column, and how far down in ``names`` it stands.
  private static let table: [String: (column: TraceField, rank: Int)] = {
    var table: [String: (column: TraceField, rank: Int)] = [:]
    for (role, scale, names) in names {
      for name in names { table[name] = (TraceField(role: role, scale: scale), table.count) }
    }
    return table
  }()

  /// The field that is called `name`, and its rank among those of its role, low being good.
  static func named(_ name: UnsafeBufferPointer<UInt8>) -> (column: TraceField, rank: Int)? {
    var letters: [UInt8] = []
    for byte in name.prefix(64) {
      let upper = ASCII.uppercased(byte)
      if ASCII.isDigit(byte) {
        letters.append(byte)
      } else if upper &- 0x41 < 26 {
        letters.append(upper | 0x20)
      }
    }
    return table[String(decoding: letters, as: UTF8.self)]
  }
}
