import FencepostICalendar
import FencepostTestSupport
import Testing

@Suite struct ContactTests {
  private func contacts(_ text: String) throws -> (contacts: [Contact], summary: ContactReader.Summary) {
    var contacts: [Contact] = []
    let summary = try ContactReader().forEachContact(Array(text.utf8), name: "test.vcf") {
      contacts.append($0)
    }
    return (contacts, summary)
  }

  private func contact(_ lines: String...) throws -> Contact? {
    let text = (["BEGIN:VCARD", "VERSION:3.0"] + lines + ["END:VCARD", ""]).joined(separator: "\r\n")
    return try contacts(text).contacts.first
  }

  @Test(
    "notations of days",
    arguments: [
      ("BDAY:1980-04-07", 1980, 4, 7), ("BDAY:19800407", 1980, 4, 7), ("BDAY:--0407", nil, 4, 7),
      ("BDAY:--04-07", nil, 4, 7), ("BDAY:1980-04-07T00:00:00Z", 1980, 4, 7),
      ("BDAY;VALUE=date:1980-04-07", 1980, 4, 7), ("bday;value=date-time:19800407T120000+0100", 1980, 4, 7),
      ("BDAY;X-APPLE-OMIT-YEAR=1604:1604-02-29", nil, 2, 29), ("BDAY:1604-05-06", nil, 5, 6),
      ("BDAY;VALUE=date;X-APPLE-OMIT-YEAR=1980:1980-04-07", nil, 4, 7), ("item3.BDAY:1980-04-07", 1980, 4, 7),
      ("BDAY:--0229", nil, 2, 29), ("BDAY: 1980-04-07 ", 1980, 4, 7), ("BDAY:1980-04\r\n -07", 1980, 4, 7),
    ] as [(String, Int?, Int, Int)])
  func days(line: String, year: Int?, month: Int, day: Int) throws {
    #expect(try contact("FN:A", line)?.birthday == Contact.YearlyDay(year: year, month: month, day: day))
  }

  @Test(
    "invalid days give a warning",
    arguments: [
      "1980", "1980-04", "---07", "circa 1800", "1981-02-29", "--0431", "1980-13-01", "1980-4-7",
      "-1980-04-07",
      "19800407999999999999999999", "--", "1980-04-07-01",
    ])
  func broken(value: String) throws {
    let (contacts, summary) = try contacts(
      "BEGIN:VCARD\nFN:A\nBDAY;VALUE=text:\(value)\nEND:VCARD\n")
    #expect(contacts.first?.birthday == nil)
    #expect(
      summary.warnings.map(\.description) == [
        "test.vcf:1: the card that begins here: BDAY '\(value)' is not a valid day"
      ])
  }

  @Test("the name of a contact is its best available one")
  func names() throws {
    #expect(try contact("N:Lovelace;Ada;King;Countess;", "FN:Ada Lovelace")?.name == "Ada Lovelace")
    #expect(try contact("N:Lovelace;Ada;King;Countess;")?.name == "Countess Ada King Lovelace")
    #expect(try contact("N:;;;;", "FN:", "ORG:Analytical\\, Ltd.;Engines")?.name == "Analytical, Ltd.")
    #expect(try contact("EMAIL:ada@example.org")?.name == "ada@example.org")
    #expect(try contact("FN;CHARSET=UTF-8:Größe\\, A\\;B")?.name == "Größe, A;B")
    #expect(try contact("BDAY:1980-04-07") == nil)
  }

  @Test("quoted-printable of version 2.1 is decoded, over several lines, in two character sets")
  func quotedPrintable() throws {
    #expect(
      try contact("FN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:J=C3=B6rg =", "M=C3=BCl=", "ler", "BDAY:--0407")
        == Contact(
          uid: try #require(try contact("FN:Jörg Müller")).uid, name: "Jörg Müller",
          birthday: .init(year: nil, month: 4, day: 7)))
    #expect(try contact("FN;QUOTED-PRINTABLE;CHARSET=ISO-8859-1:J=F6rg")?.name == "Jörg")
    #expect(try contact("FN;ENCODING=QUOTED-PRINTABLE:a=zz=3")?.name == "a=zz=3")
  }

  @Test("an identifier is the card's UID, or made from the name")
  func identifiers() throws {
    #expect(try contact("FN:A", "UID:urn:uuid:ABC")?.uid == "ABC")
    #expect(try contact("FN:A", "UID:abc@example.org")?.uid == "abc@example.org")
    let card = "BEGIN:VCARD\nFN:A\nEND:VCARD\n"
    let uids = try contacts(card + card + card.replacing("FN:A", with: "FN:B")).contacts.map(\.uid)
    #expect(Set(uids).count == 3)
    #expect(uids[1] == uids[0] + "-2")
  }

  @Test("anniversaries are read from vCard 4 and from Apple's labelled dates")
  func anniversaries() throws {
    let contact = try contact(
      "FN:A", "ANNIVERSARY:20010504", "item1.X-ABDATE;type=pref:1999-01-02",
      "item1.X-ABLabel:_$!<Anniversary>!$_", "item2.X-ABLabel:First day", "item2.X-ABDATE:2003-03-04",
      "X-ANNIVERSARY:2001-05-04")
    #expect(contact?.anniversaries.map(\.label) == [nil, nil, "First day"])
    #expect(contact?.anniversaries.map(\.day.year) == [2001, 1999, 2003])
  }

  @Test("a card within a card is another person")
  func agent() throws {
    let (contacts, _) = try contacts(
      "BEGIN:VCARD\nFN:A\nAGENT:\nBEGIN:VCARD\nFN:B\nBDAY:--0101\nEND:VCARD\nEND:VCARD\n")
    #expect(contacts.map(\.name) == ["A"])
    #expect(contacts.first?.birthday == nil)
  }

  @Test("other text is an error, and a truncated card gives a warning")
  func broken() throws {
    #expect(throws: ICalendarError.self) { _ = try contacts("") }
    #expect(throws: ICalendarError.self) { _ = try contacts("BEGIN:VCALENDAR\nEND:VCALENDAR\n") }
    let (found, summary) = try contacts("BEGIN:VCARD\nFN:A\nEND:VCARD\nBEGIN:VCARD\nFN:B\n")
    #expect(found.map(\.name) == ["A"])
    #expect(summary.cards == 2)
    #expect(summary.warnings.count == 1)
  }

  @Test("a photo of megabytes is skipped, in one line or folded")
  func photos() throws {
    let photo = String(repeating: "A", count: 3 << 20)
    #expect(try contact("FN:A", "PHOTO;ENCODING=b:\(photo)", "BDAY:--0101")?.birthday != nil)
    #expect(
      try contact(
        "FN:A", "PHOTO:" + String(repeating: "AAAA\r\n ", count: 100_000) + "A", "BDAY:--0101")?.birthday
        != nil)
  }

  @Test("broken cards never crash", arguments: UInt64(1)...200)
  func mutations(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var bytes = Array(
      """
      BEGIN:VCARD
      VERSION:2.1
      N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BCller;J=C3=B6rg=
      x;;;
      item1.X-ABDATE;type=pref:1895-07-26
      item1.X-ABLabel:_$!<Anniversary>!$_
      BDAY;X-APPLE-OMIT-YEAR=1604:1604-02-29
      END:VCARD

      """.utf8)
    for _ in 0..<Int.random(in: 1...6, using: &random) {
      let index = Int.random(in: 0..<bytes.count, using: &random)
      switch Int.random(in: 0...2, using: &random) {
      case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
      case 1: bytes.remove(at: index)
      default: bytes.insert(contentsOf: Array("=\n;:-0".utf8.shuffled(using: &random).prefix(2)), at: index)
      }
    }
    _ = try? ContactReader().forEachContact(bytes) { _ in }
  }
}
