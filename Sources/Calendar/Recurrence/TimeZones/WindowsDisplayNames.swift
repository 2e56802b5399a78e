extension TimeZoneName {
  /// The IANA zone of a name that Windows shows to people, which Outlook and Exchange write without a
  /// VTIMEZONE: `(UTC-05:00) Eastern Time (US & Canada)`, in any version's form; `nil` for other names.
  static func zone(displayName name: String) -> String? {
    var text = name[...]
    if text.first == "(", let end = text.firstIndex(of: ")") {
      let offset = text[text.index(after: text.startIndex)..<end].uppercased()
      if offset.hasPrefix("UTC") || offset.hasPrefix("GMT") { text = text[text.index(after: end)...] }
    }
    return displayZones[key(String(text))]
  }

  /// A display name without what differs between versions: case, separators, and "and" for "&".
  private static func key(_ name: String) -> String {
    name.lowercased().replacing(" and ", with: " ").filter {
      $0.isLetter || $0.isNumber || $0 == "+" || $0 == "-"
    }
  }

  private static let displayZones: [String: String] = {
    var zones: [String: String] = [:]
    for (zone, names) in displayNames {
      for name in names.split(separator: ";") { zones[key(String(name))] = zone }
    }
    return zones
  }()

  /// The display names of zones, by version from the newest, with the zones of CLDR's supplemental data
  /// (windowsZones, territory 001).
  private static let displayNames: KeyValuePairs<String, String> = [
    "Etc/GMT+12": "International Date Line West", "Etc/GMT+11": "Coordinated Universal Time-11",
    "America/Adak": "Aleutian Islands", "Pacific/Honolulu": "Hawaii",
    "Pacific/Marquesas": "Marquesas Islands",
    "America/Anchorage": "Alaska", "Etc/GMT+9": "Coordinated Universal Time-09",
    "America/Tijuana": "Baja California; Tijuana, Baja California",
    "Etc/GMT+8": "Coordinated Universal Time-08",
    "America/Los_Angeles": "Pacific Time (US & Canada); Pacific Time (US & Canada), Tijuana; Pacific Time",
    "America/Phoenix": "Arizona", "America/Mazatlan": "La Paz, Mazatlan; Chihuahua, La Paz, Mazatlan",
    "America/Denver": "Mountain Time (US & Canada); Mountain Time", "America/Whitehorse": "Yukon",
    "America/Guatemala": "Central America", "America/Chicago": "Central Time (US & Canada); Central Time",
    "Pacific/Easter": "Easter Island",
    "America/Mexico_City": "Guadalajara, Mexico City, Monterrey; Mexico City",
    "America/Regina": "Saskatchewan",
    "America/Bogota": "Bogota, Lima, Quito, Rio Branco; Bogota, Lima, Quito",
    "America/Cancun": "Chetumal", "America/New_York": "Eastern Time (US & Canada); Eastern Time",
    "America/Port-au-Prince": "Haiti", "America/Havana": "Havana",
    "America/Indiana/Indianapolis": "Indiana (East)", "America/Grand_Turk": "Turks and Caicos",
    "America/Asuncion": "Asuncion", "America/Halifax": "Atlantic Time (Canada)",
    "America/Caracas": "Caracas; Caracas, La Paz", "America/Cuiaba": "Cuiaba; Manaus",
    "America/La_Paz": "Georgetown, La Paz, Manaus, San Juan; La Paz",
    "America/Santiago": "Santiago", "America/St_Johns": "Newfoundland", "America/Araguaina": "Araguaina",
    "America/Sao_Paulo": "Brasilia", "America/Cayenne": "Cayenne, Fortaleza; Georgetown",
    "America/Argentina/Buenos_Aires": "City of Buenos Aires; Buenos Aires; Buenos Aires, Georgetown",
    "America/Godthab": "Greenland", "America/Montevideo": "Montevideo",
    "America/Punta_Arenas": "Punta Arenas",
    "America/Miquelon": "Saint Pierre and Miquelon", "America/Bahia": "Salvador",
    "Etc/GMT+2": "Coordinated Universal Time-02; Mid-Atlantic", "Atlantic/Azores": "Azores",
    "Atlantic/Cape_Verde": "Cabo Verde Is.; Cape Verde Is.",
    "UTC": "Coordinated Universal Time; UTC",
    "Europe/London":
      "Dublin, Edinburgh, Lisbon, London; Greenwich Mean Time: Dublin, Edinburgh, Lisbon, London",
    "Atlantic/Reykjavik": "Monrovia, Reykjavik; Greenwich Mean Time", "Africa/Sao_Tome": "Sao Tome",
    "Africa/Casablanca": "Casablanca; Casablanca, Monrovia",
    "Europe/Berlin":
      "Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna; Amsterdam, Berlin, Bern, Rom, Stockholm, Wien",
    "Europe/Budapest":
      "Belgrade, Bratislava, Budapest, Ljubljana, Prague; Belgrade, Pozsony, Budapest, Ljubljana, Prague",
    "Europe/Paris": "Brussels, Copenhagen, Madrid, Paris; Paris, Madrid",
    "Europe/Warsaw": "Sarajevo, Skopje, Warsaw, Zagreb; Sarajevo, Skopje, Sofija, Vilnius, Warsaw, Zagreb",
    "Africa/Lagos": "West Central Africa", "Asia/Amman": "Amman",
    "Europe/Bucharest": "Athens, Bucharest; Athens, Bucharest, Istanbul; Athens", "Asia/Beirut": "Beirut",
    "Africa/Cairo": "Cairo", "Europe/Chisinau": "Chisinau; E. Europe", "Asia/Damascus": "Damascus",
    "Asia/Hebron": "Gaza, Hebron", "Africa/Johannesburg": "Harare, Pretoria",
    "Europe/Kiev":
      "Helsinki, Kyiv, Riga, Sofia, Tallinn, Vilnius; Helsinki, Kiev, Riga, Sofia, Tallinn, Vilnius",
    "Asia/Jerusalem": "Jerusalem; Jerusalem, Tel Aviv; Israel", "Africa/Juba": "Juba",
    "Europe/Kaliningrad": "Kaliningrad; Kaliningrad, Minsk", "Africa/Khartoum": "Khartoum",
    "Africa/Tripoli": "Tripoli", "Africa/Windhoek": "Windhoek", "Asia/Baghdad": "Baghdad",
    "Europe/Istanbul": "Istanbul", "Asia/Riyadh": "Kuwait, Riyadh", "Europe/Minsk": "Minsk",
    "Europe/Moscow": "Moscow, St. Petersburg; Moscow, St. Petersburg, Volgograd", "Africa/Nairobi": "Nairobi",
    "Europe/Volgograd": "Volgograd", "Asia/Tehran": "Tehran", "Asia/Dubai": "Abu Dhabi, Muscat",
    "Europe/Astrakhan": "Astrakhan, Ulyanovsk", "Asia/Baku": "Baku", "Europe/Samara": "Izhevsk, Samara",
    "Indian/Mauritius": "Port Louis", "Europe/Saratov": "Saratov", "Asia/Tbilisi": "Tbilisi",
    "Asia/Yerevan": "Yerevan; Baku, Tbilisi, Yerevan", "Asia/Kabul": "Kabul",
    "Asia/Tashkent": "Ashgabat, Tashkent; Tashkent", "Asia/Yekaterinburg": "Ekaterinburg",
    "Asia/Karachi": "Islamabad, Karachi; Islamabad, Karachi, Tashkent", "Asia/Qyzylorda": "Qyzylorda",
    "Asia/Calcutta": "Chennai, Kolkata, Mumbai, New Delhi; Calcutta, Chennai, Mumbai, New Delhi",
    "Asia/Colombo": "Sri Jayawardenepura", "Asia/Katmandu": "Kathmandu",
    "Asia/Almaty": "Astana; Nur-Sultan; Astana, Dhaka; Astana, Almaty, Dhaka; Almaty", "Asia/Dhaka": "Dhaka",
    "Asia/Omsk": "Omsk", "Asia/Rangoon": "Yangon (Rangoon); Rangoon",
    "Asia/Bangkok": "Bangkok, Hanoi, Jakarta", "Asia/Barnaul": "Barnaul, Gorno-Altaysk", "Asia/Hovd": "Hovd",
    "Asia/Krasnoyarsk": "Krasnoyarsk", "Asia/Novosibirsk": "Novosibirsk; Almaty, Novosibirsk",
    "Asia/Tomsk": "Tomsk",
    "Asia/Shanghai": "Beijing, Chongqing, Hong Kong, Urumqi; Beijing, Chongqing, Hong Kong SAR, Urumqi",
    "Asia/Irkutsk": "Irkutsk; Irkutsk, Ulaan Bataar; Irkutsk, Ulaanbaatar",
    "Asia/Singapore": "Kuala Lumpur, Singapore", "Australia/Perth": "Perth", "Asia/Taipei": "Taipei",
    "Asia/Ulaanbaatar": "Ulaanbaatar", "Australia/Eucla": "Eucla", "Asia/Chita": "Chita",
    "Asia/Tokyo": "Osaka, Sapporo, Tokyo; Tokyo, Osaka, Sapporo", "Asia/Pyongyang": "Pyongyang",
    "Asia/Seoul": "Seoul; Seoul, Korea Standard time", "Asia/Yakutsk": "Yakutsk",
    "Australia/Adelaide": "Adelaide; Adelaide, Central Australia", "Australia/Darwin": "Darwin",
    "Australia/Brisbane": "Brisbane; Brisbane, East Australia",
    "Australia/Sydney": "Canberra, Melbourne, Sydney; Canberra, Melbourne, Sydney, Hobart",
    "Pacific/Port_Moresby": "Guam, Port Moresby", "Australia/Hobart": "Hobart; Hobart, Tasmania",
    "Asia/Vladivostok": "Vladivostok", "Australia/Lord_Howe": "Lord Howe Island",
    "Pacific/Bougainville": "Bougainville Island", "Asia/Srednekolymsk": "Chokurdakh",
    "Asia/Magadan": "Magadan", "Pacific/Norfolk": "Norfolk Island", "Asia/Sakhalin": "Sakhalin",
    "Pacific/Guadalcanal": "Solomon Is., New Caledonia; Magadan, Solomon Is., New Caledonia",
    "Asia/Kamchatka": "Anadyr, Petropavlovsk-Kamchatsky; Petropavlovsk-Kamchatsky - Old",
    "Pacific/Auckland": "Auckland, Wellington", "Etc/GMT-12": "Coordinated Universal Time+12",
    "Pacific/Fiji": "Fiji; Fiji, Kamchatka, Marshall Is.; Fiji Islands, Kamchatka, Marshall Islands",
    "Pacific/Chatham": "Chatham Islands", "Etc/GMT-13": "Coordinated Universal Time+13",
    "Pacific/Tongatapu": "Nuku'alofa; Nuku'alofa, Tonga", "Pacific/Apia": "Samoa",
    "Pacific/Pago_Pago": "Midway Island, Samoa", "Pacific/Kiritimati": "Kiritimati Island",
  ]
}
