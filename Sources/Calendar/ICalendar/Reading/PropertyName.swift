/// The properties with a field in the model, by their names in upper case.
enum PropertyName: String, CaseIterable {
  // RFC 5545
  case action = "ACTION"
  case attach = "ATTACH"
  case attendee = "ATTENDEE"
  case categories = "CATEGORIES"
  case classification = "CLASS"
  case completed = "COMPLETED"
  case created = "CREATED"
  case description = "DESCRIPTION"
  case dtend = "DTEND"
  case dtstamp = "DTSTAMP"
  case dtstart = "DTSTART"
  case due = "DUE"
  case duration = "DURATION"
  case exdate = "EXDATE"
  case exrule = "EXRULE"
  case geo = "GEO"
  case lastModified = "LAST-MODIFIED"
  case location = "LOCATION"
  case organizer = "ORGANIZER"
  case percentComplete = "PERCENT-COMPLETE"
  case priority = "PRIORITY"
  case rdate = "RDATE"
  case recurrenceID = "RECURRENCE-ID"
  case relatedTo = "RELATED-TO"
  case `repeat` = "REPEAT"
  case rrule = "RRULE"
  case sequence = "SEQUENCE"
  case status = "STATUS"
  case summary = "SUMMARY"
  case transparency = "TRANSP"
  case trigger = "TRIGGER"
  case uid = "UID"
  case url = "URL"
  // RFC 9074 and the drafts for RFC 9073
  case acknowledged = "ACKNOWLEDGED"
  case proximity = "PROXIMITY"
  case structuredLocation = "STRUCTURED-LOCATION"
  // Apple's, Microsoft's, KDE's and jtx Board's
  case appleProximity = "X-APPLE-PROXIMITY"
  case appleLocation = "X-APPLE-STRUCTURED-LOCATION"
  case appleAlarmUID = "X-WR-ALARMUID"
  case busyStatus = "X-MICROSOFT-CDO-BUSYSTATUS"
  case kdeRadius = "X-LOCATION-RADIUS"
  case geofenceRadius = "X-GEOFENCE-RADIUS"
  // Fencepost's own
  case availability = "X-FENCEPOST-AVAILABILITY"
  case birthdayContact = "X-FENCEPOST-BIRTHDAY-CONTACT"
  case devices = "X-FENCEPOST-DEVICES"
  case dwell = "X-FENCEPOST-DWELL"
  case fireIfInside = "X-FENCEPOST-FIRE-IF-INSIDE"
  case passing = "X-FENCEPOST-PASSING"
  case frequency = "X-FENCEPOST-FREQUENCY"
  case outline = "X-FENCEPOST-OUTLINE"
  case timeZone = "X-FENCEPOST-TIME-ZONE"
  case window = "X-FENCEPOST-WINDOW"

  /// A hash table of the properties by name, because every line of a file needs a look-up.
  private static let buckets: [[PropertyName]] = {
    var buckets = [[PropertyName]](repeating: [], count: 64)
    for property in allCases {
      let name = Array(property.rawValue.utf8)
      buckets[bucket(of: name[...])].append(property)
    }
    return buckets
  }()

  /// The bucket of a name, independent of case.
  private static func bucket(of name: ArraySlice<UInt8>) -> Int {
    let last = Int(name.last ?? 0) & 0x1F
    return (name.count &* 29 &+ Int(name.first ?? 0) & 0x1F &* 7 &+ last) & 63
  }

  /// The property called `name`, in any case.
  init?(_ name: ArraySlice<UInt8>) {
    for property in Self.buckets[Self.bucket(of: name)] {
      let utf8 = property.rawValue.utf8
      if utf8.count == name.count, zip(name, utf8).allSatisfy({ $0 == $1 || Self.capital($0) == $1 }) {
        self = property
        return
      }
    }
    return nil
  }

  private static func capital(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) ? byte & 0xDF : byte
  }
}

extension ContentLine {
  /// Its property; `nil` if the model has no field for it.
  var property: PropertyName? { PropertyName(bytes[nameRange]) }
}
