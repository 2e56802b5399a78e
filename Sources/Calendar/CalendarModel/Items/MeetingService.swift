/// The parts of an `https` address that say whether it is a meeting.
struct MeetingAddress {
  /// In small letters.
  let host: String
  /// The parts of its path between slashes.
  let path: [Substring]
  /// The names of the fields of its query, in small letters.
  let fields: [String]
  let hasFragment: Bool

  init?(_ address: String) {
    guard address.utf8.count <= 8_192, address.lowercased().hasPrefix("https://") else { return nil }
    let rest = address.dropFirst("https://".count)
    host = rest.prefix { !"/?#".contains($0) }.lowercased()
    // A user name before the host would disguise an address.
    guard !host.isEmpty, !host.contains("@") else { return nil }
    let tail = rest.dropFirst(host.count)
    path = tail.prefix { $0 != "?" && $0 != "#" }.split(separator: "/")
    let query = tail.drop { $0 != "?" && $0 != "#" }
    let fragment = query.drop { $0 != "#" }
    hasFragment = fragment.count > 1
    fields =
      query.hasPrefix("?")
      ? query.dropFirst().prefix { $0 != "#" }.split(separator: "&").map { field in
        field.prefix { $0 != "=" }.lowercased()
      } : []
  }

  /// The host without the number of its port.
  var hostWithoutPort: String { String(host.prefix { $0 != ":" }) }

  /// Whether it names something on its host that is no page about a service and no file.
  var isOfRoom: Bool {
    guard let first = path.first(where: { $0.lowercased() != "index.php" }), let last = path.last else {
      return hasFragment
    }
    return [first, last].allSatisfy(MeetingService.isRoom)
  }
}

/// A service for meetings, and the form of its addresses.
struct MeetingService {
  let name: String
  /// Its hosts; also all hosts below them. One that ends with a dot has any ending. None means any host.
  let hosts: [String]
  /// The forms of its paths: words in small letters, `*` for the name of a room, `#` for a number,
  /// `@meet`, `@uuid`, `@token`, `@code`, `@words` for the forms of codes, and `**` for all that follows. After `?` stands
  /// a field that the query must have; `#` at the end means that there is a fragment.
  let paths: [String]
  var hasVideo = true

  /// Whether the host belongs to it.
  func isAt(_ host: String) -> Bool {
    hosts.isEmpty
      || hosts.contains { name in
        guard name.hasSuffix(".") else { return host == name || host.hasSuffix("." + name) }
        return host.hasPrefix(name) || host.contains("." + name)
      }
  }

  /// Whether an address joins one of its meetings.
  func contains(_ link: MeetingAddress) -> Bool {
    isAt(link.host) && paths.contains { Self.matches(link, $0) }
  }

  private static func matches(_ link: MeetingAddress, _ form: String) -> Bool {
    var form = form[...]
    if form.hasSuffix("/#!") {
      guard link.hasFragment else { return false }
      form = form.dropLast(3)
    }
    let parts = form.split(separator: "?", maxSplits: 1)
    if parts.count == 2, !link.fields.contains(String(parts[1])) { return false }
    let words = (parts.first ?? "").split(separator: "/")
    for (index, word) in words.enumerated() {
      if word == "**" { return link.path.count > index }
      guard index < link.path.count, matches(link.path[index], word) else { return false }
    }
    return words.count == link.path.count
  }

  private static func matches(_ part: Substring, _ word: Substring) -> Bool {
    let utf8 = part.utf8
    func isSmall(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }
    func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
    func isToken(_ bytes: Substring.UTF8View) -> Bool {
      (6...32).contains(bytes.count) && bytes.allSatisfy { isSmall($0) || isDigit($0) }
    }
    switch word {
    case "*": return isRoom(part)
    case "#": return utf8.count >= 3 && utf8.allSatisfy { isDigit($0) || $0 == 0x2D }
    case "@meet":
      // Three letters, four, three.
      return part.split(separator: "-").map(\.count) == [3, 4, 3]
        && utf8.allSatisfy { isSmall($0 | 0x20) || $0 == 0x2D }
    case "@uuid":
      return part.split(separator: "-", omittingEmptySubsequences: false).map(\.count) == [8, 4, 4, 4, 12]
        && part.allSatisfy { $0.isHexDigit || $0 == "-" }
    case "@token": return isToken(utf8)
    // Without a digit it may be a word of the page's name.
    case "@code": return isToken(utf8) && utf8.contains(where: isDigit)
    case "@words":
      // The rooms of BigBlueButton: three or four groups of three letters or digits, the first perhaps longer.
      let groups = part.split(separator: "-", omittingEmptySubsequences: false)
      return (3...4).contains(groups.count) && groups.allSatisfy { (3...4).contains($0.count) }
        && utf8.allSatisfy { isSmall($0) || isDigit($0) || $0 == 0x2D }
    default: return part.lowercased() == word
    }
  }

  /// Whether a part of a path may be the name of a room.
  fileprivate static func isRoom(_ part: Substring) -> Bool {
    !noRooms.contains(part.lowercased()) && !isFile(part)
  }

  private static func isFile(_ part: Substring) -> Bool {
    let ending = part.split(separator: ".").last.map { $0.lowercased() } ?? ""
    return part.contains(".")
      && ["html", "htm", "php", "pdf", "png", "jpg", "svg", "ico", "js", "css", "txt", "xml", "ics"].contains(
        ending)
  }

  /// Pages about a service, where it has rooms too.
  private static let noRooms: Set<String> = [
    "about", "about-us", "accessibility", "account", "agb", "api", "app", "apps", "assets", "auth",
    "authenticate", "blog", "business", "careers", "company", "contact", "contact-us", "cookies", "customers",
    "datenschutz", "demo", "developers", "docs", "download", "downloads", "en", "de", "enterprise", "faq",
    "features", "get-started", "help", "home", "impressum", "imprint", "index", "information", "integrations",
    "jobs", "kontakt", "landing", "legal", "linkredirect", "login", "logout", "meetings", "new", "news",
    "nutzungsbedingungen", "oauth", "partners", "plans", "press", "pricing", "privacy", "privacy-policy",
    "product", "products", "register", "resources", "robots.txt", "search", "security", "settings", "sign-in",
    "sign-up", "signin", "signup", "solutions", "start", "static", "status", "support", "tel", "templates",
    "terms", "terms-of-service", "terms-of-use", "test", "tos", "trust", "unsubscribe", "upgrade",
    "use-cases",
    "user", "users", "webinars",
  ]

  /// The services with hosts of their own.
  static let known: [MeetingService] = [
    MeetingService(
      name: "Zoom", hosts: ["zoom.us", "zoomgov.com", "zoom-x.de", "zoom.com", "zoom.com.cn"],
      paths: ["j/*", "my/*", "my/*/*", "w/*", "s/*", "wc/join/*", "wc/#/join", "wc/#/start"]),
    MeetingService(name: "Google Meet", hosts: ["meet.google.com"], paths: ["@meet", "lookup/*"]),
    MeetingService(
      name: "Microsoft Teams",
      hosts: ["teams.microsoft.com", "teams.microsoft.us", "teams.cloud.microsoft", "teams.live.com"],
      paths: ["l/meetup-join/**", "meet/*", "v2/meet/*", "light-meetings/launch?coords"]),
    MeetingService(
      name: "Webex", hosts: ["webex.com", "webex.com.cn"],
      paths: [
        "meet/*", "join/*", "*/j.php?mtid", "wbxmjs/joinservice/**", "wbxmjs/**",
        "webappng/sites/*/meeting/**",
        "m/*", "*/meet/*", "*/e.php?mtid",
      ]),
    MeetingService(name: "Jitsi Meet", hosts: ["meet.jit.si"], paths: ["*", "*/*"]),
    MeetingService(name: "8x8", hosts: ["8x8.vc"], paths: ["*", "*/*"]),
    MeetingService(name: "Whereby", hosts: ["whereby.com"], paths: ["*"]),
    MeetingService(
      name: "GoTo Webinar", hosts: ["gotowebinar.com"], paths: ["join/**", "webinar/join/**"]),
    MeetingService(
      name: "GoTo Meeting", hosts: ["gotomeeting.com", "gotomeet.me", "gotomeet.at"],
      paths: ["join/*", "meeting/#", "#"]),
    MeetingService(name: "GoTo Meeting", hosts: ["gotomeet.me", "meet.goto.com"], paths: ["*", "*/*"]),
    MeetingService(name: "GoTo Meeting", hosts: ["app.goto.com"], paths: ["meeting/*"]),
    MeetingService(name: "Skype", hosts: ["join.skype.com"], paths: ["*", "invite/*"]),
    MeetingService(name: "Skype for Business", hosts: ["meet.lync.com"], paths: ["*/*/*"]),
    MeetingService(name: "Amazon Chime", hosts: ["chime.aws"], paths: ["*"]),
    MeetingService(name: "FaceTime", hosts: ["facetime.apple.com"], paths: ["join/#!"]),
    MeetingService(name: "Slack", hosts: ["app.slack.com"], paths: ["huddle/**"]),
    MeetingService(
      name: "Element Call", hosts: ["call.element.io"], paths: ["*", "room/*", "room/#!", "/#!"]),
    MeetingService(name: "BlueJeans", hosts: ["bluejeans.com"], paths: ["#", "#/*", "a2m/**"]),
    MeetingService(
      name: "RingCentral", hosts: ["v.ringcentral.com", "meetings.ringcentral.com", "video.ringcentral.com"],
      paths: ["join/*", "j/*"]),
    MeetingService(name: "RingCentral", hosts: ["webinar.ringcentral.com"], paths: ["j/*"]),
    MeetingService(name: "StreamYard", hosts: ["streamyard.com"], paths: ["*", "watch/*"]),
    MeetingService(name: "Discord", hosts: ["discord.gg"], paths: ["*"]),
    MeetingService(
      name: "Discord", hosts: ["discord.com", "discordapp.com"], paths: ["invite/*", "channels/*/*"]),
    MeetingService(name: "Around", hosts: ["meet.around.co"], paths: ["r/*"]),
    MeetingService(name: "Proton Meet", hosts: ["meet.proton.me"], paths: ["join/*", "u/#/join/*"]),
    MeetingService(name: "WhatsApp", hosts: ["call.whatsapp.com"], paths: ["video/*"]),
    MeetingService(name: "WhatsApp", hosts: ["call.whatsapp.com"], paths: ["voice/*"], hasVideo: false),
    MeetingService(name: "Signal", hosts: ["signal.link"], paths: ["call/#!"]),
    MeetingService(name: "Zoho Meeting", hosts: ["meeting.zoho."], paths: ["join?key", "meeting/**", "m/*"]),
    MeetingService(name: "Zoho Meeting", hosts: ["meet.zoho."], paths: ["*", "*/*"]),
    MeetingService(
      name: "Lark", hosts: ["vc.larksuite.com", "vc.feishu.cn", "meetings.larksuite.com"],
      paths: ["j/*", "s/*"]),
    MeetingService(
      name: "Tencent Meeting", hosts: ["meeting.tencent.com"], paths: ["dm/*", "dw/*", "p/*", "s/*", "l/*"]),
    MeetingService(
      name: "VooV Meeting", hosts: ["voovmeeting.com"], paths: ["dm/*", "dw/*", "w/*", "p/*", "s/*"]),
    MeetingService(name: "LiveKit Meet", hosts: ["meet.livekit.io"], paths: ["rooms/*"]),
    MeetingService(name: "Cal.com", hosts: ["app.cal.com", "cal.com", "cal.eu"], paths: ["video/*"]),
    MeetingService(name: "kMeet", hosts: ["kmeet.infomaniak.com"], paths: ["*"]),
    MeetingService(name: "Telemost", hosts: ["telemost.yandex.ru", "telemost.yandex.com"], paths: ["j/*"]),
    MeetingService(
      name: "BigBlueButton", hosts: ["bigbluebutton.org"], paths: ["b/*", "gl/*", "rooms/*", "rooms/*/join"]),
  ]

  /// Programs that people run on hosts of their own, by the forms of their paths.
  static let ownServers: [MeetingService] = [
    MeetingService(
      name: "BigBlueButton", hosts: [],
      paths: [
        "b/@words", "gl/@words", "rooms/@words", "rooms/@words/join", "bigbluebutton/api/join?meetingid",
        "html5client/join?sessiontoken",
      ]),
    MeetingService(
      name: "Nextcloud Talk", hosts: [],
      paths: ["call/@code", "index.php/call/@token", "*/call/@code", "*/index.php/call/@token"]),
    MeetingService(
      name: "Nextcloud Talk", hosts: ["cloud.", "nextcloud.", "nc.", "talk."],
      paths: ["call/@token", "*/call/@token"]),
    MeetingService(name: "OpenTalk", hosts: [], paths: ["room/@uuid", "invite/@uuid", "room/@uuid/@uuid"]),
    MeetingService(name: "Jitsi Meet", hosts: ["jitsi.", "meet.", "jitsi-meet."], paths: ["*"]),
  ]
}
