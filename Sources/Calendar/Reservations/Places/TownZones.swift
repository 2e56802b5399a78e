import FencepostCalendarModel

/// The zones of towns that have an airport, and of the states of the USA that have one zone.
///
/// Both help a place without coordinates in a country with several zones.
struct TownZones {
  static let table = TownZones()

  /// The airports by the town that they serve.
  private let airports: [String: [Airport]]

  private init() {
    airports = Dictionary(grouping: Airport.table.values) { NameMatching.folded($0.city) }
  }

  /// The zones of the airports of a town, of `country` if that is known.
  func zones(of town: String, in country: String?) -> Set<TimeZoneID> {
    let all = airports[NameMatching.folded(AirportNames.english(town))] ?? []
    return Set(all.lazy.filter { country == nil || $0.country == country }.map(\.zone))
  }

  /// The zone of a state whose code, before a number of the post or alone, or name is a part of an address.
  ///
  /// - Parameter country: The country's code. If it is `nil`, only a code with a number counts: `DE` alone is
  ///   Germany more often than Delaware.
  static func zone(ofStateIn address: String, country: String?) -> TimeZoneID? {
    guard country == "US" || country == nil else { return nil }
    for part in address.split(separator: ",").reversed() {
      var words = part.split(separator: " ")[...]
      let hasNumber = words.last.map { $0.prefix(5).count { $0.isASCII && $0.isNumber } == 5 } ?? false
      if hasNumber { words.removeLast() }
      guard let last = words.last else { continue }
      let isCode = country == "US" || hasNumber && words.count == 1 && last != "DE"
      if isCode, let zone = byState[String(last)] { return zone }
      // Names have up to three words, and may stand after the town.
      guard country == "US" else { continue }
      for count in 1...3 {
        if let code = codes[words.suffix(count).joined(separator: " ").lowercased()] { return byState[code] }
      }
    }
    return nil
  }

  /// States where all clocks agree (49 CFR part 71). Indiana, Texas and others are divided.
  private static let byState: [String: TimeZoneID] = {
    let states = [
      "America/New_York": "CT DC DE GA MA MD ME NC NH NJ NY OH PA RI SC VA VT WV",
      "America/Chicago": "AL AR IA IL LA MN MO MS OK WI",
      "America/Denver": "CO MT NM UT WY",
      "America/Los_Angeles": "CA WA",
      "Pacific/Honolulu": "HI",
    ]
    var zones: [String: TimeZoneID] = [:]
    for (zone, codes) in states {
      for code in codes.split(separator: " ") { zones[String(code)] = TimeZoneID(rawValue: zone) }
    }
    return zones
  }()

  private static let codes = [
    "alabama": "AL", "arkansas": "AR", "california": "CA", "colorado": "CO", "connecticut": "CT",
    "delaware": "DE", "district of columbia": "DC", "georgia": "GA", "hawaii": "HI", "illinois": "IL",
    "iowa": "IA", "louisiana": "LA", "maine": "ME", "maryland": "MD", "massachusetts": "MA",
    "minnesota": "MN", "mississippi": "MS", "missouri": "MO", "montana": "MT", "new hampshire": "NH",
    "new jersey": "NJ", "new mexico": "NM", "new york": "NY", "north carolina": "NC", "ohio": "OH",
    "oklahoma": "OK", "pennsylvania": "PA", "rhode island": "RI", "south carolina": "SC", "utah": "UT",
    "vermont": "VT", "virginia": "VA", "washington": "WA", "west virginia": "WV", "wisconsin": "WI",
    "wyoming": "WY",
  ]
}
