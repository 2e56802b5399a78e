import FencepostAlgorithms

/// The meaning of a CSV column or a GeoJSON property.
struct TraceField: Hashable {
  /// The kind of the values.
  enum Role: UInt8, CaseIterable {
    case latitude, longitude, time, date, accuracy, dilution, speed, course, altitude, device
    /// A separate column for N and S, or E and W.
    case latitudeHemisphere, longitudeHemisphere
    /// `id`: the device, or the row number.
    case identifier
    /// The activity that the device's motion sensors report.
    case motion
    /// The kind of the row, as OpenTracks writes it: a position, or the start or end of a segment.
    case rowType
  }

  /// What the name says about the zone of times that have none.
  enum Zone: Hashable { case unknown, utc, local }

  /// The kind of the values.
  var role: Role
  /// The factor that converts a value to degrees, seconds, metres or metres per second. It is 0 for a time
  /// whose size shows its unit, and for a date as `yyMMdd`.
  var scale = 1.0
  /// For times and dates: the zone in the column's name.
  var zone = Zone.unknown

  static let kilometresAnHour = 1 / 3.6
  private static let milesAnHour = 0.44704
  private static let feet = 0.3048

  /// The names of fields, reduced to ASCII letters and digits, by role and scale. If a header has several
  /// names of one role, the first one in this list wins. So the moment of the position comes before times
  /// around it, and UTC before local time.
  private static let names: [(Role, Double, [String])] = [
    (
      .latitude, 1,
      [
        "latitude", "lat", "latdeg", "latitudedeg", "gpslatitude", "gpslat", "locationlat", "coordslatitude",
        "y", "latitudens", "breitengrad", "breite", "latitud", "latitudine", "breedtegraad",
      ]
    ),
    (.latitude, 1e-7, ["latitudee7", "late7"]),
    (.latitude, TraceAngle.semicircles, ["positionlat", "positionlatitude"]),
    (
      .longitude, 1,
      [
        "longitude", "lon", "lng", "long", "londeg", "longitudedeg", "gpslongitude", "gpslon", "gpslong",
        "locationlon", "locationlng", "locationlong", "coordslongitude", "x", "longitudeew", "lngengrad",
        "laengengrad", "lnge", "laenge", "longitud", "longitudine", "lengtegraad",
      ]
    ),
    (.longitude, 1e-7, ["longitudee7", "lone7", "lnge7"]),
    (
      .longitude, TraceAngle.semicircles, ["positionlong", "positionlon", "positionlng", "positionlongitude"]
    ),
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
        "trackedat", "capturedat", "loggedat", "observedat", "createdat", "loggingtime", "locationtimestamp",
        "gpsdatetime", "utct", "utc", "when", "t", "zeitstempel", "datumzeit", "datumuhrzeit", "horodatage",
        "fechahora", "zeit", "uhrzeit", "heure", "hora", "ora", "tijd", "eventtime", "starttime", "startedat",
        "sentat", "reportedat", "receivedat", "localtime", "localdatetime", "localtimestamp",
      ]
    ),
    (.date, 1, ["date", "utcd", "dateutc", "utcdate", "gpsdate", "day", "datum", "fecha", "localdate"]),
    (
      .accuracy, 1,
      [
        "horizontalaccuracy", "accuracy", "acc", "hacc", "accuracym", "horizontalaccuracym", "accuracymeters",
        "accuracyhorizontal",
        "horaccuracy", "gpsaccuracy", "precision", "eph", "genauigkeit", "genauigkeitm", "precisin",
      ]
    ),
    (.dilution, 1, ["hdop", "gpshdop"]),
    (
      .speed, 1,
      [
        "speed", "speedms", "speedmps", "speedmeterspersecond", "gpsspeed", "velocity", "groundspeed", "sog",
        "geschwindigkeitms",
      ]
    ),
    (
      .speed, kilometresAnHour,
      ["speedkmh", "speedkph", "kmh", "kph", "velkmh", "velocitykmh", "vel", "geschwindigkeitkmh"]
    ),
    (.speed, Measurement.knot, ["speedknots", "speedkn", "speedkt", "speedkts", "knots"]),
    (.speed, milesAnHour, ["speedmph", "mph"]),
    (
      .course, 1,
      [
        "course", "heading", "bearing", "cog", "coursedeg", "headingdeg", "bearingdeg", "trackangle",
        "truecourse", "richtung", "kurs",
      ]
    ),
    (
      .altitude, 1,
      [
        "altitude", "alt", "ele", "elevation", "altitudem", "altm", "elevationm", "elem", "height", "heightm",
        "hhe", "hoehe", "hhem", "hoehem",
      ]
    ),
    (.altitude, feet, ["altitudeft", "altft", "elevationft", "altitudefeet", "heightft"]),
    (
      .device, 1,
      [
        "device", "deviceid", "devicename", "dev", "devid", "user", "userid", "username", "vehicle",
        "vehicleid", "imei", "tid", "tracker", "trackerid", "individuallocalidentifier", "taglocalidentifier",
        "gert", "geraet",
      ]
    ),
    (.identifier, 1, ["id"]),
    (.motion, 1, ["motion", "activity", "motionactivity", "activitytype"]),
    (.rowType, 1, ["trackpointtype"]),
  ]

  /// By name: the column, and its rank in ``names``.
  private static let table: [String: (column: TraceField, rank: Int)] = {
    var table: [String: (column: TraceField, rank: Int)] = [:]
    for (role, scale, names) in names {
      for name in names {
        let zone: Zone = name.hasPrefix("local") ? .local : name.contains("utc") ? .utc : .unknown
        table[name] = (TraceField(role: role, scale: scale, zone: zone), table.count)
      }
    }
    return table
  }()

  /// The field called `name`, and its rank among those of its role; the lowest rank wins.
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
