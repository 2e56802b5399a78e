import FencepostCalendarModel
public import FencepostGeodesy

/// Reads contacts from vCards: versions 2.1, 3.0 (RFC 2426) and 4.0 (RFC 6350), several in a file.
///
/// It only reads names, days and addresses. The longest line limits its memory.
public struct ContactReader: Sendable {
  /// Facts about a file, without its contacts.
  public struct Summary: Hashable, Sendable {
    /// The number of cards.
    public var cards = 0
    /// Problems in the file, in order, up to the limit.
    public var warnings: [ICalendarDocument.Warning] = []
    /// The number of warnings that exceed the limit.
    public var omittedWarnings = 0
  }

  /// The longest line after unfolding, in bytes. It skips longer lines, such as a large photo.
  public var lineLimit = 1 << 20
  /// The most warnings to keep. It only counts the others.
  public var warningLimit = 1_000

  /// A reader.
  public init() {}

  /// Calls `body` for each contact of the file at `path`, in the file's order.
  ///
  /// - Throws: ``ICalendarError`` if the file is unreadable or not a vCard, and errors of `body`.
  public func forEachContact(path: String, _ body: (Contact) throws -> Void) throws -> Summary {
    let file = try InputFile(path: path)
    return try forEachContact(from: file.read(into:), name: file.name, body)
  }

  /// Calls `body` for each contact in `bytes`. Messages use `name` for them.
  ///
  /// - Throws: ``ICalendarError`` if they are not a vCard, and errors of `body`.
  public func forEachContact(
    _ bytes: [UInt8], name: String = "standard input", _ body: (Contact) throws -> Void
  ) throws -> Summary {
    var input = InputBytes(bytes)
    return try forEachContact(
      from: { input.read(into: $0) }, name: name, size: bytes.count, body)
  }

  /// Calls `body` for each contact from `source`. `source` fills a buffer and returns the number of bytes, 0
  /// at the end.
  ///
  /// - Throws: ``ICalendarError`` if the data is not a vCard, and errors of `source` and `body`.
  public func forEachContact(
    from source: (UnsafeMutableRawBufferPointer) throws -> Int, name: String,
    _ body: (Contact) throws -> Void
  ) throws -> Summary {
    try forEachContact(from: source, name: name, size: nil, body)
  }

  private func forEachContact(
    from source: (UnsafeMutableRawBufferPointer) throws -> Int, name: String, size: Int?,
    _ body: (Contact) throws -> Void
  ) throws -> Summary {
    let diagnostics = Diagnostics(file: name, limit: warningLimit)
    var summary = Summary()
    var scanner = LineScanner(lineLimit: lineLimit, size: size)
    var text = ComponentText()
    var flaw: LineScanner.Flaw?
    var card: ContactDecoder?
    // A card within a card (AGENT of version 2.1) is another person.
    var depth = 0
    var unfinished: QuotedPrintable.Line?
    // The number of contacts without a UID, by name.
    var named: [String: Int] = [:]
    while try scanner.next(into: &text, flaw: &flaw, from: source) {
      defer { text.clear() }
      guard let record = text.lines.last, flaw != .tooLong else { continue }
      if flaw == .brokenText {
        diagnostics.warn(record.number, "replaced invalid UTF-8 by U+FFFD")
      }
      if var open = unfinished {
        // Quoted-printable has its own line continuation.
        unfinished = nil
        open.append(text.bytes[record.range])
        if open.isOpen { unfinished = open } else { card?.read(open) }
        continue
      }
      let line = ContentLine(record, in: text)
      let keyword = line?.keyword
      let isCard = keyword != .property && line?.componentName == "VCARD"
      if depth == 0, keyword != .begin || !isCard {
        guard summary.cards > 0 else {
          throw ICalendarError(
            file: name, line: record.number, message: "is not a vCard: it does not begin with BEGIN:VCARD")
        }
        continue
      }
      switch keyword {
      case .begin:
        if isCard { depth += 1 }
        if depth == 1 {
          card = ContactDecoder(number: record.number)
          summary.cards += 1
        }
      case .end:
        if isCard { depth -= 1 }
        if depth == 0, isCard, var contact = card?.finish(diagnostics) {
          if card?.hasUID == false {
            named[contact.uid, default: 0] += 1
            if let number = named[contact.uid], number > 1 { contact.uid += "-\(number)" }
          }
          try body(contact)
        }
      default:
        guard depth == 1, let line else { continue }
        let quoted = QuotedPrintable.Line(line)
        if let quoted, quoted.isOpen { unfinished = quoted } else { card?.read(line, quoted) }
      }
    }
    guard summary.cards > 0 else {
      throw ICalendarError(file: name, message: "is empty: it contains no vCard")
    }
    if depth > 0 {
      diagnostics.warn(scanner.lineNumber, "the file ends before END:VCARD: it may be truncated")
    }
    summary.warnings = diagnostics.warnings
    summary.omittedWarnings = diagnostics.omitted
    return summary
  }
}

/// The yearly days and the place of a contact from a vCard. The rest of a contact does not belong in a calendar.
public struct Contact: Hashable, Sendable {
  /// A day that repeats every year.
  public struct YearlyDay: Hashable, Sendable {
    /// The first year, if known.
    public var year: Int?
    /// 1 to 12.
    public var month: Int
    /// 1 to 31.
    public var day: Int

    /// A day; `nil` if it is invalid. 29 February needs a leap year, or no year.
    public init?(year: Int?, month: Int, day: Int) {
      // 2000 has a 29 February.
      guard CivilDay(validYear: year ?? 2000, month: month, day: day) != nil else { return nil }
      self.year = year
      self.month = month
      self.day = day
    }
  }

  /// A day other than the birthday.
  public struct Anniversary: Hashable, Sendable {
    /// The contact's label for it; `nil` for vCard 4's own ANNIVERSARY.
    public var label: String?
    /// The day.
    public var day: YearlyDay

    /// An anniversary.
    public init(label: String?, day: YearlyDay) {
      self.label = label
      self.day = day
    }
  }

  /// The identifier: UID, or made from the name if the contact has no UID.
  public var uid: String
  /// The display name: FN, otherwise built from N, otherwise from what exists.
  public var name: String
  /// BDAY.
  public var birthday: YearlyDay?
  /// ANNIVERSARY of vCard 4, and Apple's X-ABDATE with its label.
  public var anniversaries: [Anniversary]
  /// GEO, or the coordinate of the first ADR.
  public var coordinate: Coordinate?
  /// The first ADR in one line.
  public var address: String?

  /// A contact.
  public init(
    uid: String, name: String, birthday: YearlyDay? = nil, anniversaries: [Anniversary] = [],
    coordinate: Coordinate? = nil, address: String? = nil
  ) {
    self.uid = uid
    self.name = name
    self.birthday = birthday
    self.anniversaries = anniversaries
    self.coordinate = coordinate
    self.address = address
  }
}
