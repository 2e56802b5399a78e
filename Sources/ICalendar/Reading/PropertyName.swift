/// The properties that the model has fields for, by their names in upper case.
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
  // RFC 9074, and the drafts of RFC 9073
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
  case frequency = "X-FENCEPOST-FREQUENCY"
  case outline = "X-FENCEPOST-OUTLINE"
  case timeZone = "X-FENCEPOST-TIME-ZONE"
  case window = "X-FENCEPOST-WINDOW"

  private static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })

  /// The property called `name`, in upper case.
  init?(name: String) {
    guard let property = PropertyName.byName[name] else { return nil }
    self = property
  }
}
