public import FencepostCalendarModel
public import FencepostDatabase

extension StoreReader {
  /// All suggestions, the latest found first.
  public func suggestions() throws(StoreError) -> [Suggestion] {
    try connection.all(Queries.all) { $0.suggestion() }
  }

  /// A suggestion; `nil` if it is not in the store.
  public func suggestion(_ id: Identifier<Suggestion>) throws(StoreError) -> Suggestion? {
    try connection.first(Queries.byIdentifier, { $0.add(id) }, read: { $0.suggestion() })
  }

  /// The suggestions of a kind that a booking may be about, the latest first: those with its number, those
  /// within two days of its start whose number is not another one, and those whose number is not known yet.
  /// Superseded ones are not there, and neither is one with an update.
  ///
  /// Cost: some microseconds for each of them.
  ///
  /// - Parameters:
  ///   - kind: The kind of booking.
  ///   - key: The number of the booking as in ``Suggestion/key``; `nil` if it has none.
  ///   - serial: The number of a pass without a booking's number, as in ``Suggestion/reference``.
  ///   - day: The day of its start, if known.
  public func suggestions(
    kind: String, key: String?, serial: String? = nil, near day: CivilDay?
  ) throws(StoreError) -> [Suggestion] {
    try connection.all(Queries.like) {
      $0.add(kind)
      $0.add(key)
      $0.add(day.map { $0.dayNumber })
      $0.add(serial)
    } read: {
      $0.suggestion()
    }
  }

  /// The latest suggestion that updates another one; `nil` if none does.
  public func update(of suggestion: Identifier<Suggestion>) throws(StoreError) -> Suggestion? {
    try connection.first(Queries.update, { $0.add(suggestion) }, read: { $0.suggestion() })
  }

  /// Whether there are suggestions that nobody has looked at to tell of them. Cost: microseconds.
  public func hasUntoldSuggestions() throws(StoreError) -> Bool {
    try connection.first(Queries.hasUntold, { _ in }, read: { $0.bool() }) ?? false
  }

  /// The suggestions that are new, or have new details while they wait, since the last
  /// ``StoreWriter/forgetUntoldSuggestions()``, the oldest first.
  public func untoldSuggestions() throws(StoreError) -> [Suggestion] {
    try connection.all(Queries.untold) { $0.suggestion() }
  }

  /// Whether a reservation with this hash was already seen.
  public func hasSeenSuggestion(_ hash: Int64) throws(StoreError) -> Bool {
    try connection.first(Queries.isSeen, { $0.add(hash) }, read: { $0.bool() }) ?? false
  }

  /// The hashes of the names of scanned mails.
  public func scannedMails() throws(StoreError) -> Set<Int64> {
    Set(try connection.all(Queries.scanned) { $0.int64() })
  }

  /// Whether a mail with this hash of its name was scanned.
  public func isScannedMail(_ hash: Int64) throws(StoreError) -> Bool {
    try connection.first(Queries.isScanned, { $0.add(hash) }, read: { $0.bool() }) ?? false
  }

  /// The domains whose updates are accepted without asking, in order.
  public func trustedSenders() throws(StoreError) -> [String] {
    try connection.all(Queries.trusted) { $0.text() }
  }

  /// The names (authserv-id of RFC 8601) of the owner's mail servers, in lower case and in order.
  public func mailServers() throws(StoreError) -> [String] {
    try setting(Self.mailServers)?.split(separator: " ").map(String.init) ?? []
  }

  /// The setting with the mail servers. A name has no spaces.
  fileprivate static let mailServers = "mail-servers"
}

extension StoreWriter {
  /// Adds a suggestion, or changes the one with its identifier. This is not in the log of changes.
  public func save(_ suggestion: Suggestion) throws(StoreError) {
    try connection.run(Queries.save) {
      $0.add(suggestion.id)
      $0.add(suggestion.kind)
      $0.add(suggestion.provider)
      $0.add(suggestion.reference)
      $0.add(suggestion.leg)
      $0.add(suggestion.state.rawValue)
      $0.add(suggestion.title)
      $0.add(suggestion.start)
      $0.add(suggestion.content)
      $0.add(suggestion.sender)
      $0.add(suggestion.isSigned)
      $0.add(suggestion.message)
      $0.add(suggestion.found)
      $0.add(suggestion.changed)
      $0.add(suggestion.item)
      $0.add(suggestion.replaces)
      $0.add(suggestion.app)
      $0.add(suggestion.key)
      $0.add(suggestion.previous)
      $0.add(suggestion.isAutomatic)
      $0.add(suggestion.start.map { $0.day.dayNumber })
    }
  }

  /// Records that somebody has looked at what is new.
  public func forgetUntoldSuggestions() throws(StoreError) { try connection.run(Queries.forgetUntold) }

  /// Records that a reservation with this hash was seen.
  public func noteSeenSuggestion(_ hash: Int64) throws(StoreError) {
    try connection.run(Queries.see) { $0.add(hash) }
  }

  /// Records the hashes of the names of scanned mails.
  public func noteScannedMails(_ hashes: [Int64]) throws(StoreError) {
    for hash in hashes { try connection.run(Queries.scan) { $0.add(hash) } }
  }

  /// Accepts updates from a domain without asking from now on.
  public func trustSender(_ domain: String, at now: Instant) throws(StoreError) {
    try connection.run(Queries.trust) {
      $0.add(domain)
      $0.add(now)
    }
  }

  /// Believes a mail server of the owner what it says about signatures, or no longer.
  ///
  /// - Parameter name: Its name (authserv-id), in lower case and without spaces.
  /// - Returns: False if nothing changed.
  @discardableResult
  public func setMailServer(_ name: String, isTrusted: Bool) throws(StoreError) -> Bool {
    var names = Set(try reader.mailServers())
    guard isTrusted ? names.insert(name).inserted : names.remove(name) != nil else { return false }
    try set(names.isEmpty ? nil : names.sorted().joined(separator: " "), for: StoreReader.mailServers)
    return true
  }

  /// Asks again about updates from a domain.
  ///
  /// - Returns: Whether it was trusted.
  public func distrustSender(_ domain: String) throws(StoreError) -> Bool {
    try connection.run(Queries.distrust) { $0.add(domain) }
    return connection.changedRows > 0
  }
}

extension RowReader {
  /// The columns of ``SuggestionColumns``.
  mutating func suggestion() -> Suggestion {
    let id: Identifier<Suggestion> = identifier()
    let kind = text()
    let (provider, reference, leg) = (text(), text(), text())
    let state: Suggestion.State = value(usually: .proposed, or: .proposed)
    let title = text()
    let start = optionalTime()
    var suggestion = Suggestion(id: id, kind: kind, title: title, content: text(), found: .epoch)
    suggestion.provider = provider
    suggestion.reference = reference
    suggestion.leg = leg
    suggestion.state = state
    suggestion.start = start
    suggestion.sender = optionalText()
    suggestion.isSigned = bool()
    suggestion.message = optionalText()
    suggestion.found = instant()
    suggestion.changed = instant()
    suggestion.item = optionalIdentifier()
    suggestion.replaces = optionalIdentifier()
    suggestion.app = optionalText()
    suggestion.key = optionalText()
    suggestion.previous = optionalText()
    suggestion.isAutomatic = bool()
    return suggestion
  }
}

/// The columns of `suggestions`, in the order of binding and reading.
enum SuggestionColumns {
  static let names = [
    "id", "kind", "provider", "reference", "leg", "state", "title", "start", "content", "sender", "is_signed",
    "message", "found_at", "changed_at", "item", "replaces", "app", "key",
    "previous", "is_automatic",
  ]
  /// Those of ``StoreReader/suggestions(kind:key:serial:near:)``. Each part has its own look-up in an index.
  static let like = """
    SELECT \(names.joined(separator: ", ")) FROM suggestions s WHERE row IN (
      SELECT row FROM suggestions WHERE kind = ?1 AND key = ?2
      UNION SELECT row FROM suggestions WHERE kind = ?1 AND key IS NULL
      UNION SELECT row FROM suggestions WHERE kind = ?1 AND key = '' AND ?4 <> '' AND reference = ?4
      UNION SELECT row FROM suggestions WHERE kind = ?1 AND day BETWEEN ?3 - 2 AND ?3 + 2
        AND (?2 IS NULL OR key IN ('', ?2))
    ) AND \(isCurrent) ORDER BY row DESC
    """
  fileprivate static let isCurrent = """
    state <> 'superseded'
      AND NOT EXISTS (SELECT 1 FROM suggestions u WHERE u.replaces = s.id AND u.state <> 'superseded')
    """
}

private enum Queries {
  private static let columns = SuggestionColumns.names.joined(separator: ", ")
  static let all = SQL("SELECT \(columns) FROM suggestions ORDER BY row DESC")
  static let byIdentifier = SQL("SELECT \(columns) FROM suggestions WHERE id = ?")
  static let hasUntold = SQL("SELECT EXISTS (SELECT 1 FROM untold_suggestions)")
  static let untold = SQL(
    "SELECT \(columns) FROM suggestions WHERE row IN (SELECT suggestion FROM untold_suggestions) ORDER BY row"
  )
  static let forgetUntold = SQL("DELETE FROM untold_suggestions")
  static let save = SQL(
    """
    INSERT INTO suggestions (\(columns), day)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21)
    ON CONFLICT (id) DO UPDATE SET kind = ?2, provider = ?3, reference = ?4, leg = ?5, state = ?6, title = ?7,
      start = ?8, content = ?9, sender = ?10, is_signed = ?11, message = ?12, found_at = ?13, changed_at = ?14,
      item = ?15, replaces = ?16, app = ?17, key = ?18, previous = ?19, is_automatic = ?20, day = ?21
    """)
  static let like = SQL(SuggestionColumns.like)
  static let update = SQL(
    """
    SELECT \(columns) FROM suggestions s WHERE replaces = ? AND \(SuggestionColumns.isCurrent)
    ORDER BY row DESC LIMIT 1
    """)
  static let isSeen = SQL("SELECT 1 FROM seen_suggestions WHERE hash = ?")
  static let see = SQL("INSERT OR IGNORE INTO seen_suggestions VALUES (?)")
  static let scanned = SQL("SELECT hash FROM scanned_mails")
  static let isScanned = SQL("SELECT 1 FROM scanned_mails WHERE hash = ?")
  static let scan = SQL("INSERT OR IGNORE INTO scanned_mails VALUES (?)")
  static let trusted = SQL("SELECT domain FROM trusted_senders ORDER BY domain")
  static let trust = SQL("INSERT OR IGNORE INTO trusted_senders VALUES (?, ?)")
  static let distrust = SQL("DELETE FROM trusted_senders WHERE domain = ?")
}
