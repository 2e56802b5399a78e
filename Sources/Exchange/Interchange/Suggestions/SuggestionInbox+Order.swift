import FencepostCalendarModel
import FencepostCalendarStore
import FencepostICalendar
import FencepostJSON
import FencepostRecurrence
import FencepostReservations

/// The order of mails. What waits is what all mails say in the order of their own times, the seller's before those
/// of others. If a mail is read late, what waits is made again in the right order.
extension SuggestionInbox {
  /// The most statements that are put in order.
  private static let maximumStatements = 40

  /// Adds the reservations of a document.
  func takeReservations(
    of document: ScannedDocument, in writer: borrowing StoreWriter
  ) throws -> [Change] {
    var document = document
    // A clock that is ahead must not win for ever.
    let date = min(document.date ?? now, now)
    for index in document.reservations.indices where document.reservations[index].isFragment {
      document.reservations[index].modified = document.reservations[index].modified ?? date
    }
    // An app's last word counts, in the order of its words.
    if document.app != nil { return try add(document, in: writer) }
    var changes: [Change] = []
    for kind in Reservation.Kind.allCases {
      var part = document
      part.reservations.removeAll { $0.kind != kind }
      if !part.reservations.isEmpty { changes += try takeInOrder(part, in: writer) }
    }
    return changes
  }

  /// Adds the reservations of a document, which are of one kind.
  private func takeInOrder(
    _ document: ScannedDocument, in writer: borrowing StoreWriter
  ) throws -> [Change] {
    let all = document.reservations.map { statement($0, of: document) }
    let new = try all.filter { try document.isPage || !writer.reader.hasSeenSuggestion($0.hash) }
    if new.isEmpty { return try add(document, in: writer) }
    let group = try writer.reader.statements(about: all, maximum: Self.maximumStatements)
    for statement in new { try writer.save(statement) }
    guard let group, !group.contains(where: \.source.content.isEmpty),
      let order = changedOrder(of: group, with: Set(new.map(\.hash))),
      let known = try waiting(among: group, document.reservations, in: writer.reader)
    else { return try add(document, in: writer) }
    let found = try writer.rehearse { writer in try make(order, insteadOf: known, group, in: writer) }
    for statement in new { try writer.noteSeenSuggestion(statement.hash) }
    return try replace(known, with: found, after: document, in: writer)
  }

  /// What stands for a reservation of a mail. Some mails have no Message-ID: the same words on another day are
  /// another mail.
  func hash(_ content: String, of document: ScannedDocument) -> Int64 {
    let mail = document.messageID ?? document.date.map { "\($0.microseconds)" } ?? ""
    return Self.hash("\(mail)\n\(content)")
  }

  /// What a document says of a reservation.
  func source(_ content: String, of document: ScannedDocument) -> SuggestionSource {
    var source = SuggestionSource(content, at: min(document.date ?? now, now))
    source.sender = document.sender?.domain
    source.isSigned = isSigned(document)
    source.message = document.messageID
    source.app = document.app
    return source
  }

  private func statement(_ reservation: Reservation, of document: ScannedDocument) -> BookingStatement {
    let content = reservation.jsonLD.line
    return BookingStatement(
      hash: hash(content, of: document), kind: reservation.kind.rawValue,
      key: reservation.referenceKey ?? "", day: reservation.start?.civil.day,
      source: source(content, of: document))
  }

  // MARK: The order

  /// A mail with what it says of a group of bookings.
  private struct Said {
    var document: ScannedDocument
    var contents: [String]
    /// The latest of its statements.
    var time = Instant.epoch
  }

  /// The mails in their order; `nil` if the new one is the last anyway, and nothing else moves.
  private func changedOrder(of group: [BookingStatement], with new: Set<Int64>) -> [ScannedDocument]? {
    let old = group.filter { !new.contains($0.hash) }
    if old.isEmpty { return nil }
    let order = inOrder(group)
    let before = inOrder(old)
    let isLast =
      order.count == before.count + 1
      && zip(order, before).allSatisfy { $0.contents == $1.contents && $0.document.date == $1.document.date }
    return isLast ? nil : order.map(\.document)
  }

  private func inOrder(_ group: [BookingStatement]) -> [Said] {
    var said: [[String]: Said] = [:]
    for statement in group.sorted(by: { $0.source.content < $1.source.content }) {
      let source = statement.source
      guard let words = self.statement(source) else { continue }
      let mail = ["\(source.date.microseconds)", source.sender ?? "", source.message ?? ""]
      var one = said[mail] ?? Said(document: document(of: source), contents: [])
      one.document.reservations.append(words.reservation)
      one.contents.append(source.content)
      one.time = max(one.time, words.time)
      said[mail] = one
    }
    let ranks = ranks(of: said.values.map { ($0.document, $0.time) })
    return said.map { mail, one in
      (one, one.document.sender.flatMap { ranks[$0.domain] } ?? -1, mail)
    }.sorted { a, b in
      if a.1 != b.1 { return a.1 < b.1 }
      if a.0.time != b.0.time { return a.0.time < b.0.time }
      return a.0.contents == b.0.contents
        ? a.2.lexicographicallyPrecedes(b.2) : a.0.contents.lexicographicallyPrecedes(b.0.contents)
    }.map(\.0)
  }

  private func document(of source: SuggestionSource) -> ScannedDocument {
    var document = ScannedDocument()
    document.date = source.date
    document.messageID = source.message
    document.sender = source.sender.map { domain in
      MailSender(address: domain, verifier: source.isSigned ? mailServers.min() : nil)
    }
    return document
  }

  /// Which domain comes first: that of the provider that all mails name, then one that signs, because anybody can
  /// write any date, then that of the earliest mail, then the lower one by name. Who has nothing but tickets and cancellations by number comes last.
  private func ranks(of mails: [(document: ScannedDocument, time: Instant)]) -> [String: Int] {
    let domains = Set(mails.compactMap { $0.document.sender?.domain })
    if domains.count < 2 { return [:] }
    let booked = mails.flatMap(\.document.reservations).filter { $0.provider != nil }
    func owner(_ domain: String) -> String {
      domains.filter { Participant.areRelated($0, domain) }.min { ($0.count, $0) < ($1.count, $1) } ?? domain
    }
    func rank(_ owner: String, _ own: Set<String>) -> (Int, Int, Int, Instant, String) {
      let mails = mails.filter { mail in mail.document.sender.map { own.contains($0.domain) } ?? false }
      let bookings = mails.filter { !$0.document.reservations.allSatisfy(\.isFragment) }
      let isSeller =
        !booked.isEmpty && booked.allSatisfy { booking in own.contains { booking.isProvided(by: $0) } }
      let first = (bookings.isEmpty ? mails : bookings).map(\.time).min() ?? .epoch
      let signs = mails.contains { isSigned($0.document) }
      return (bookings.isEmpty ? 1 : 0, isSeller ? 0 : 1, signs ? 0 : 1, first, owner)
    }
    let owners = Dictionary(grouping: domains, by: owner)
    let order = owners.map { rank($0, Set($1)) }.sorted(by: <)
    var ranks: [String: Int] = [:]
    for (index, owner) in order.enumerated() {
      for domain in owners[owner.4] ?? [] { ranks[domain] = index }
    }
    return ranks
  }

  // MARK: Making it again

  /// The suggestions about a group of statements; `nil` if one of them was answered, or an app told it: then what
  /// is new is added to them.
  private func waiting(
    among group: [BookingStatement], _ reservations: [Reservation], in reader: borrowing StoreReader
  ) throws -> [Suggestion]? {
    let found = try suggestions(about: group, serials: Set(reservations.compactMap(\.serial)), in: reader)
    let areWaiting = found.allSatisfy { one in
      (one.state == .proposed || one.state == .cancelled) && one.item == nil && one.replaces == nil
        && one.app == nil
    }
    return areWaiting ? found : nil
  }

  private func suggestions(
    about group: [BookingStatement], serials: Set<String> = [], in reader: borrowing StoreReader
  ) throws -> [Suggestion] {
    var found: [Suggestion] = []
    var seen: Set<Identifier<Suggestion>> = []
    var looks: Set<[String]> = []
    for one in group where looks.insert([one.key, one.day.map(\.description) ?? ""]).inserted {
      for serial in serials.isEmpty ? [nil] : serials.map(Optional.some) {
        let all = try reader.suggestions(
          kind: one.kind, key: one.key.isEmpty ? nil : one.key, serial: serial, near: one.day)
        found += all.filter { !$0.isCalendar && seen.insert($0.id).inserted }
      }
    }
    return found
  }

  /// A suggestion as it is made in the right order, with its sources.
  private typealias Made = (suggestion: Suggestion, sources: [SuggestionSource])

  /// Makes suggestions of mails in their order.
  private func make(
    _ order: [ScannedDocument], insteadOf known: [Suggestion], _ group: [BookingStatement],
    in writer: borrowing StoreWriter
  ) throws -> [Made] {
    for var old in known {
      old.state = .superseded
      try writer.save(old)
    }
    for document in order { _ = try add(document, isAgain: true, in: writer) }
    var made: [Made] = []
    for one in try suggestions(about: group, in: writer.reader) {
      made.append((one, try writer.reader.sources(of: one.id)))
    }
    return made
  }

  /// Saves what was made in the place of what was known.
  private func replace(
    _ known: [Suggestion], with made: [Made], after document: ScannedDocument,
    in writer: borrowing StoreWriter
  ) throws -> [Change] {
    var old: [Made] = []
    for one in known { old.append((one, try writer.reader.sources(of: one.id))) }
    let places = Self.places(of: made, in: old)
    let contents = Set(document.reservations.map { $0.jsonLD.line })
    var changes: [Change] = []
    for (index, one) in made.enumerated() {
      var suggestion = one.suggestion
      let before = places[index].map { old[$0].suggestion }
      if let before {
        (suggestion.id, suggestion.found) = (before.id, before.found)
        let isSame = (suggestion.content, suggestion.state) == (before.content, before.state)
        if isSame { suggestion.changed = before.changed }
      }
      try writer.save(suggestion)
      try writer.save(one.sources, of: suggestion.id)
      for other in old where other.suggestion.id != suggestion.id && Self.shared(one, other) >= 2 {
        try writer.copyTickets(of: other.suggestion.id, to: suggestion.id)
      }
      let isNew = one.sources.contains { source in
        contents.contains(source.content) && source.sender == document.sender?.domain
      }
      if isNew { try save(document.tickets, of: document, for: suggestion, in: writer) }
      if let change = self.change(from: before, to: suggestion, isNamed: isNew) { changes.append(change) }
    }
    for (index, one) in old.enumerated() where !places.contains(index) {
      var gone = one.suggestion
      gone.state = .superseded
      gone.changed = now
      try writer.save(gone)
    }
    return changes
  }

  /// The effect on a suggestion; `nil` for a hidden one, and for one that the document does not name.
  private func change(
    from before: Suggestion?, to suggestion: Suggestion, isNamed: Bool
  ) -> Change? {
    guard let reservation = known(suggestion).reservation, !reservation.isFragment else { return nil }
    guard let before, known(before).reservation?.isFragment == false else {
      return suggestion.state == .proposed ? Change(outcome: .proposed, suggestion: suggestion) : nil
    }
    if (suggestion.content, suggestion.state) == (before.content, before.state) {
      return isNamed ? Change(outcome: .unchanged, suggestion: suggestion) : nil
    }
    let isOver = suggestion.state == .cancelled && before.state == .proposed
    return Change(outcome: isOver ? .cancelled : .updated, suggestion: suggestion)
  }

  /// For each suggestion the known one in whose place it comes: that with the most of the same statements.
  private static func places(of made: [Made], in old: [Made]) -> [Int?] {
    var pairs: [(shared: Int, made: Int, old: Int)] = []
    for (index, one) in made.enumerated() {
      for (place, other) in old.enumerated() {
        let isBeside = one.suggestion.stranger == other.suggestion.stranger
        let shared = 4 * shared(one, other) + (one.suggestion.leg == other.suggestion.leg ? 2 : 0)
        if shared >= 4 { pairs.append((shared + (isBeside ? 1 : 0), index, place)) }
      }
    }
    pairs.sort { ($1.shared, $0.made, $0.old) < ($0.shared, $1.made, $1.old) }
    var places: [Int?] = made.map { _ in nil }
    var taken: Set<Int> = []
    for pair in pairs where places[pair.made] == nil && taken.insert(pair.old).inserted {
      places[pair.made] = pair.old
    }
    return places
  }

  /// How many statements both have; one for mails in common that say different things of both.
  private static func shared(_ one: Made, _ other: Made) -> Int {
    let contents = Set(one.sources.map(\.content))
    let same = other.sources.count { contents.contains($0.content) }
    if same > 0 { return 1 + same }
    let mails = Set(one.sources.compactMap(\.message))
    return other.sources.contains { $0.message.map(mails.contains) ?? false } ? 1 : 0
  }
}
