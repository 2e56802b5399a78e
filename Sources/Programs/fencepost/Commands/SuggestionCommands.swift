import FencepostCalendarModel
import FencepostCalendarStore
import FencepostCommandLineTable
import FencepostInterchange
import FencepostItems
import FencepostJSON
import FencepostMail
import FencepostPhrases
import FencepostRecurrence
import FencepostReservations

extension FencepostTable {
  static let suggestions = Command(
    "suggestions", aliases: ["inbox"], summary: "Find bookings in mails and pages, and accept them as events",
    discussion: [
      """
      `scan` reads mails, pages and files: flights, trains, buses, boats, rental cars, hotels, restaurants, tickets, \
      taxis (JSON-LD and Microdata of schema.org), Wallet passes (`.pkpass`) and calendars. The store keeps the results as \
      suggestions. Nothing goes into a calendar before you accept it.
      """,
      """
      A later mail about the same booking updates or cancels the suggestion. If you accepted it, the update waits as a \
      new suggestion, unless you trust the sender. What you changed in the event stays. What you reject stays rejected \
      until its time changes.
      """,
    ],
    examples: [Example("fencepost suggestions", "What waits for an answer")],
    subcommands: [
      Command(
        "scan", summary: "Look for bookings in mails, pages and files",
        discussion: [
          """
          A source is a file, a folder, a Maildir, the address of a page, or `-` for standard input, as in a pipe from a mail program. In a \
          Maildir, it skips mails that were scanned before.
          """
        ],
        examples: [
          Example("fencepost suggestions scan Data/booking.eml", "Scan a mail"),
          Example("fencepost suggestions scan --json - < booking.eml", "In a pipe"),
        ],
        options: [
          .flag(
            .acceptUpdates, "Also accept updates and cancellations of what you accepted, from any sender")
        ],
        positionals: [
          Positional(
            .source, .oneOrMore, "A mail, page, pass or calendar, a folder or Maildir, or `-`",
            metavariable: "FILE|FOLDER", completion: .file())
        ],
        action: .run { try $0.scanSuggestions() }),
      Command(
        "list", aliases: ["ls"], summary: "List the suggestions that wait for an answer",
        examples: [Example("fencepost suggestions list --all", "Also answered and past ones")],
        options: [.flag(.all, "Also list answered and past suggestions")],
        action: .run { try $0.listSuggestions() }),
      Command(
        "show", summary: "Show a suggestion in detail",
        examples: [Example("fencepost suggestions show 5A3C", "One suggestion")],
        positionals: [chosen],
        action: .run { try $0.showSuggestions() }),
      Command(
        "accept", summary: "Put suggestions into a calendar",
        discussion: [
          """
          The organizer of an invitation gets a reply: by the server of the event's calendar, by mail (the settings `me` and \
          `mail`), or as a file that you send. It is sent once.
          """
        ],
        examples: [Example("fencepost suggestions accept 5A3C --list Trips", "Into the calendar Trips")],
        options: [
          .value(
            .list, "NAME", short: "l", aliases: ["into"], completion: .program("calendars"),
            "Use this calendar; created if needed"), createListOption, comment, noReply,
        ],
        positionals: [chosen],
        action: .run { try $0.acceptSuggestions(.accepted) }),
      Command(
        "tentative", summary: "Accept invitations tentatively",
        examples: [
          Example(
            "fencepost suggestions tentative 1A2B --comment 'If the train is on time'", "With a comment")
        ],
        options: [
          .value(
            .list, "NAME", short: "l", aliases: ["into"], completion: .program("calendars"),
            "Use this calendar; created if needed"), createListOption, comment, noReply,
        ],
        positionals: [chosen],
        action: .run { try $0.acceptSuggestions(.tentative) }),
      Command(
        "decline", summary: "Decline invitations, and tell their organizers",
        discussion: [
          "What the calendar has of the event stays there without alarms and takes no time. `reject` tells nobody."
        ],
        examples: [Example("fencepost suggestions decline 1A2B --comment 'On holiday'", "With a comment")],
        options: [comment, noReply],
        positionals: [chosen],
        action: .run { try $0.acceptSuggestions(.declined) }),
      Command(
        "replies", summary: "List the replies to organizers, or send one again",
        discussion: [
          """
          A reply is `waiting`, `sent`, `failed`, a `file` for you to send, or `sending`: a program began to send it and \
          did not get to know whether it arrived. Such a reply is not sent again by itself.
          """
        ],
        examples: [
          Example("fencepost suggestions replies", "All replies"),
          Example("fencepost suggestions replies --again 9E8F", "Send one that failed again"),
        ],
        options: [.value(.again, "REPLY", "Send this reply again: its identifier, or the beginning of it")],
        action: .run(isUndoable: false) { try $0.listReplies() }),
      Command(
        "reject", summary: "Reject suggestions",
        examples: [Example("fencepost suggestions reject 5A3C", "Reject one")],
        positionals: [chosen],
        action: .run { try $0.rejectSuggestions() }),
      Command(
        "undo", summary: "Undo an answer",
        discussion: [
          "Removes the event of an accepted suggestion, or reverts it to its state before the update."
        ],
        examples: [Example("fencepost suggestions undo 7B1D", "Ask again")],
        positionals: [chosen],
        action: .run { try $0.undoSuggestions() }),
      Command(
        "trust", summary: "Accept updates from a sender without asking",
        discussion: [
          """
          For mails whose topmost `Authentication-Results` says `dkim=pass` for this domain, under the name of your \
          mail server, which you give with `--server`: that is the first word of this header in a mail that you got. \
          Without a server, no mail counts as signed, because everybody can write such a header. New bookings still \
          wait for an answer. Without a domain, lists what is trusted.
          """
        ],
        examples: [
          Example(
            "fencepost suggestions trust --server mx.example.org", "Say what your mail server is called"),
          Example("fencepost suggestions trust airline.example", "Trust a domain"),
          Example("fencepost suggestions trust", "List trusted domains"),
        ],
        options: [
          .value(.server, "NAME", "Your own mail server, as it names itself in `Authentication-Results`"),
          .flag(.remove, "Stop trusting it"),
        ],
        positionals: [Positional(.domain, .optional, "The domain of the sender")],
        action: .run { try $0.trustSender() }),
    ], runsAlone: true,
    action: .run { try $0.listSuggestions() })

  private static let comment = Option.value(.comment, "TEXT", "Write this to the organizer")
  private static let noReply = Option.flag(.noReply, "Don't tell the organizer")
  private static let chosen = Positional(
    .suggestion, .oneOrMore, "A suggestion: its identifier, or the beginning of it; with `+` its whole trip",
    completion: .program("suggestions"))
}

extension CommandContext {
  private func inbox(_ store: CalendarStore) throws -> SuggestionInbox {
    try store.read { reader in
      try SuggestionInbox(reader, resolver: resolver, alarms: reservationAlarms(), at: now)
    }
  }

  /// The alarms of bookings from the settings.
  func reservationAlarms() throws -> ReservationAlarms {
    try settings.value(.suggestionAlarms, as: ReservationAlarmsPhrase.alarms) ?? ReservationAlarms()
  }

  // MARK: Scanning

  /// `suggestions scan FILE|FOLDER…`.
  func scanSuggestions() throws {
    let store = try openStore()
    let lines = SuggestionJSON(resolver: resolver)
    let texts = SuggestionTexts(context: self)
    let scan = try SuggestionScan(
      store, resolver: resolver, alarms: reservationAlarms(), at: now,
      acceptsUpdates: parsed.flag(.acceptUpdates),
      extractor: BookingExtractor.installed(path: console.environment["PATH"]))
    var table = TextTable(context: self, whole: [0, 1])
    var counts: [SuggestionInbox.Outcome: Int] = [:]
    var failed = 0
    var progress = Progress(self)
    for source in parsed.positionals(.source) {
      do {
        try scan.run(
          source, skipped: { console.say("fencepost: \($0)") },
          progress: { progress.update(bytes: Int64($0), of: Int64($1), count: $0, of: "mails") }
        ) { change in
          counts[change.outcome, default: 0] += 1
          if json {
            try console.print(lines.object(change.suggestion, outcome: change.outcome.rawValue).line)
          } else if change.outcome != .unchanged {
            table.add([change.outcome.rawValue] + texts.cells(change.suggestion))
          }
        }
      } catch let error where !(error is OutputError) {
        console.say("fencepost: \(error)")
        failed += 1
      }
      progress.end()
    }
    for line in table.lines { try console.print(line) }
    if !json, counts.isEmpty, failed == 0 { console.say("No bookings found.") }
    if !json, let count = counts[.unchanged], counts.count == 1 {
      console.say("Nothing new (\(count) known).")
    }
    if failed > 0 { throw ExitCode.failure }
  }

  // MARK: Listing

  /// `suggestions [list] [--all]`.
  func listSuggestions() throws {
    let lines = SuggestionJSON(resolver: resolver)
    let all = try openStoreToLook().read { try $0.suggestions() }
    let shown = all.filter { suggestion in
      parsed.flag(.all) || suggestion.state == .proposed && !lines.isPast(suggestion, at: now)
    }
    var table = TextTable(context: self, whole: [0])
    let texts = SuggestionTexts(context: self)
    let trips = lines.trips(of: shown.filter { $0.state == .proposed })
    var places: [Identifier<Suggestion>: Int] = [:]
    for (index, trip) in trips.enumerated() { for member in trip.members { places[member.id] = index } }
    var told: Set<Int> = []
    for suggestion in shown.sorted(by: lines.isEarlier) {
      let trip = places[suggestion.id]
      if json {
        var line = lines.object(suggestion)
        if let trip, let first = trips[trip].members.first {
          line.add("trip", first.id.rawValue)
          line.add("trip_title", trips[trip].title)
        }
        try console.print(line.line)
      } else if let trip, !parsed.flag(.all) {
        // One row for all.
        if told.insert(trip).inserted { table.add(texts.cells(trips[trip].title, trips[trip].members)) }
      } else {
        table.add(texts.cells(suggestion) + (parsed.flag(.all) ? [suggestion.state.rawValue] : []))
      }
    }
    for line in table.lines { try console.print(line) }
    if shown.isEmpty {
      let past = all.count { $0.state == .proposed }
      console.say("No suggestions wait for an answer\(past > 0 ? " (past: \(past); see --all)" : "").")
    }
  }

  /// `suggestions show ID…`.
  func showSuggestions() throws {
    let lines = SuggestionJSON(resolver: resolver)
    let texts = SuggestionTexts(context: self)
    for suggestion in try chosen(in: openStoreToRead()) {
      if json {
        try console.print(lines.object(suggestion).line)
      } else {
        for line in texts.details(suggestion) {
          try console.print(FiringTable.plain(line))
        }
      }
    }
  }

  // MARK: Answering

  /// `suggestions accept|tentative|decline ID… [--list NAME] [--comment TEXT] [--no-reply]`.
  func acceptSuggestions(_ answer: InvitationAnswer) throws {
    let store = try openExistingStore()
    let list =
      answer == .declined
      ? nil : try knownList(parsed.value(.list), for: DefaultCalendarEntity.events, in: store)
    let (me, comment, sends) = (try myAddresses(), parsed.value(.comment), !parsed.flag(.noReply))
    let post = try replyPost(store)
    let (chosen, inbox) = (try chosen(in: store), try inbox(store))
    if answer == .accepted {
      inbox.places = try BookingPlaces(
        of: chosen.map(\.id), in: store, resolver: resolver,
        by: settings.value(.geocoder, as: geocoder).map(BookingPlaces.search))
      if let failure = inbox.places.failure { console.say("fencepost: \(failure)") }
    }
    let answered = try store.write { writer in
      try chosen.map { suggestion in
        try inbox.answer(
          suggestion.id, answer, as: me, comment: comment, replies: sends,
          into: { try $0.list(named: list, for: .events).id }, in: writer)
      }
    }
    let sent = try post.send()
    let lines = SuggestionJSON(resolver: resolver)
    for one in answered {
      let word = one.suggestion.state == .accepted ? answer.rawValue : one.suggestion.state.rawValue
      let shown = answer == .declined ? "declined" : word
      var line = lines.object(one.suggestion)
      var state: String?
      if case .mail(let reply) = one.notice {
        state = (sent.first { $0.id == reply.id } ?? reply).state.rawValue
      } else if case .server = one.notice {
        state = "server"
      }
      if let state { line.add("reply", state) }
      try console.print(json ? line.line : "\(shown) \(FiringTable.plain(one.suggestion.title))")
      if one.suggestion.state == .superseded {
        console.say(
          "The calendar already has a later version of '\(FiringTable.plain(one.suggestion.title))'.")
      }
      say(one.notice, after: sent)
      if answer == .accepted, let stay = lines.reservation(one.suggestion) { sayPosition(of: stay) }
    }
  }

  /// Says that a hotel has no alarm on arrival, and why.
  private func sayPosition(of stay: Reservation) {
    guard stay.kind == .hotel, stay.status != .cancelled, stay.place?.coordinate == nil else { return }
    console.say(
      "No alarm on arrival: the position of '\(FiringTable.plain(stay.title ?? "the hotel"))' is not known. "
        + "The setting 'geocoder' names a server that finds positions.")
  }

  private func say(_ notice: AnsweredSuggestion.Notice, after sent: [Reply]) {
    switch notice {
    case .none, .unwanted: break
    case .server: console.say("The server of the calendar tells the organizer.")
    case .unknownUser:
      console.say("No reply: no attendee has your address. Name yours with the setting 'me'.")
    case .noAddress: console.say("No reply: the organizer has no mail address.")
    case .mail(let reply): console.say(text(sent.first { $0.id == reply.id } ?? reply))
    }
  }

  private func text(_ reply: Reply) -> String {
    let (recipient, remark) = (
      FiringTable.plain(reply.recipient), reply.remark.map { FiringTable.plain($0) } ?? ""
    )
    return switch reply.state {
    case .sent: "Sent the reply to \(recipient)."
    case .file: "Send this reply to \(recipient): \(remark)"
    case .failed: "The reply to \(recipient) can't be sent: \(remark)"
    case .sending: "The reply to \(recipient) may not have arrived: \(remark)"
    case .waiting: "The reply to \(recipient) waits: \(remark)"
    }
  }

  /// `suggestions replies [--again REPLY]`.
  func listReplies() throws {
    let store = try openExistingStore()
    var replies = try store.read { try $0.replies() }
    if let word = parsed.value(.again) {
      let found = replies.filter { $0.id.rawValue.hasPrefix(word.uppercased()) }
      guard let reply = found.first, found.count == 1, !word.isEmpty else {
        throw CommandError("no reply '\(word)'; run 'fencepost suggestions replies' to see all")
      }
      guard reply.state != .sent else { throw CommandError("the reply to '\(reply.recipient)' was sent") }
      _ = try store.write { try $0.move(reply.id, from: reply.state, to: .waiting, at: now) }
      _ = try replyPost(store).send()
      replies = try store.read { try $0.reply(reply.id) }.map { [$0] } ?? []
    }
    var table = TextTable(context: self, whole: [0])
    for reply in replies {
      if json {
        var line = JSONLine(type: "reply")
        line.add("id", reply.id.rawValue)
        line.add("state", reply.state.rawValue)
        line.add("from", reply.sender)
        line.add("to", reply.recipient)
        line.add("subject", reply.subject)
        if let remark = reply.remark { line.add("remark", remark) }
        line.add("created_at", reply.created.rfc3339())
        try console.print(line.line)
      } else {
        table.add([
          String(reply.id.rawValue.prefix(8)), reply.state.rawValue, reply.recipient, reply.subject,
          reply.remark ?? "",
        ])
      }
    }
    for line in table.lines { try console.print(line) }
    if replies.isEmpty { console.say("No replies.") }
  }

  /// The user's own addresses: the setting `me`.
  func myAddresses() throws -> [String] {
    try settings.values(.me) { text in
      let address = text.lowercased().hasPrefix("mailto:") ? String(text.dropFirst(7)) : text
      guard OutgoingMail.isPlainAddress(address), address.contains("@") else {
        throw WordError("mail address", text, try: "anna@example.org")
      }
      return address
    }
  }

  /// The way of mails: the setting `mail`.
  func mailTransport() throws -> MailTransport? { try settings.value(.mail) { try MailTransport($0) } }

  /// What sends replies.
  private func replyPost(_ store: CalendarStore) throws -> ReplyPost {
    let now = now
    return ReplyPost(store, over: try mailTransport(), filesIn: try repliesFolder(), clock: { now })
  }

  /// Where replies are left that nobody sends: beside the store.
  func repliesFolder() throws -> String {
    let path = try storePath()
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    return "\(folder.isEmpty ? "/" : folder)/replies"
  }

  /// `suggestions reject ID…`.
  func rejectSuggestions() throws {
    try answer("rejected", in: openExistingStore()) { inbox, id, writer in try inbox.reject(id, in: writer) }
  }

  /// `suggestions undo ID…`.
  func undoSuggestions() throws {
    try answer("reopened", in: openExistingStore()) { inbox, id, writer in try inbox.undo(id, in: writer) }
  }

  /// Answers all chosen suggestions, or none of them.
  private func answer(
    _ word: String, in store: CalendarStore,
    _ body: (SuggestionInbox, Identifier<Suggestion>, borrowing StoreWriter) throws -> Suggestion
  ) throws {
    let chosen = try chosen(in: store)
    let inbox = try inbox(store)
    let answered = try store.write { writer in try chosen.map { try body(inbox, $0.id, writer) } }
    let lines = SuggestionJSON(resolver: resolver)
    for suggestion in answered {
      try console.print(
        json ? lines.object(suggestion).line : "\(word) \(FiringTable.plain(suggestion.title))")
    }
  }

  private func chosen(in store: CalendarStore) throws -> [Suggestion] {
    let all = try store.read { try $0.suggestions() }
    return try parsed.positionals(.suggestion).flatMap { word in
      guard word.last == "+" else { return [try chosen(word, among: all)] }
      let one = try chosen(String(word.dropLast()), among: all)
      // The rest of the trip has the same state.
      let trips = SuggestionJSON(resolver: resolver).trips(of: all.filter { $0.state == one.state })
      return trips.first { $0.members.contains(one) }?.members ?? [one]
    }
  }

  /// The suggestion that a word stands for.
  private func chosen(_ word: String, among all: [Suggestion]) throws -> Suggestion {
    let found = all.filter { $0.id.rawValue.hasPrefix(word.uppercased()) }
    guard let first = found.first, !word.isEmpty else {
      throw CommandError("no suggestion '\(word)'; run 'fencepost suggestions list --all' to see all")
    }
    guard found.count == 1 else { throw CommandError("several suggestions begin with '\(word)'") }
    return first
  }

  // MARK: Trust

  /// `suggestions trust [DOMAIN] [--server NAME] [--remove]`.
  func trustSender() throws {
    if let server = parsed.value(.server) { try trustServer(server) }
    guard let word = parsed.positional(.domain) else {
      guard parsed.value(.server) == nil else { return }
      let (servers, domains) = try openStoreToLook().read { (try $0.mailServers(), try $0.trustedSenders()) }
      for server in servers { try sayTrust(server, true, isServer: true) }
      for domain in domains { try sayTrust(domain, true) }
      if servers.isEmpty, !domains.isEmpty { sayNoServer() }
      return
    }
    let domain = word.lowercased().split(separator: "@").last.map(String.init) ?? ""
    guard domain.contains("."), domain.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "." || $0 == "-" }),
      !domain.hasPrefix("."), !domain.hasSuffix(".")
    else { throw parsed.misuse("invalid domain '\(word)': use one such as airline.example") }
    let removes = parsed.flag(.remove)
    try openStore().write { writer in
      guard removes else { return try writer.trustSender(domain, at: now) }
      guard try writer.distrustSender(domain) else { throw CommandError("'\(domain)' is not trusted") }
    }
    try sayTrust(domain, !removes)
    if !removes, try openStoreToRead().read({ try $0.mailServers() }).isEmpty { sayNoServer() }
  }

  private func trustServer(_ word: String) throws {
    let server = word.lowercased()
    guard !server.isEmpty, server.utf8.count <= 255, server.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
      throw parsed.misuse("invalid server '\(word)': use its name, such as mx.example.org")
    }
    let removes = parsed.flag(.remove)
    let hasChanged = try openStore().write { try $0.setMailServer(server, isTrusted: !removes) }
    if removes, !hasChanged { throw CommandError("'\(server)' is not trusted") }
    try sayTrust(server, !removes, isServer: true)
  }

  private func sayNoServer() {
    console.say(
      "No mail counts as signed until you name your mail server with 'fencepost suggestions trust --server NAME'."
    )
  }

  private func sayTrust(_ name: String, _ isTrusted: Bool, isServer: Bool = false) throws {
    var line = JSONLine(type: isServer ? "mail_server" : "sender")
    line.add(isServer ? "name" : "domain", name)
    line.add("trusted", isTrusted)
    let shown = isServer ? "server \(name)" : name
    try console.print(json ? line.line : isTrusted ? shown : "no longer trusted: \(shown)")
  }
}
