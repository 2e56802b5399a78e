import FencepostJSON
import FencepostSpatiotemporal
import FencepostTestSupport
import Testing

@testable import FencepostReservations

@Suite("Mails")
struct MailTests {
  /// A mail with `headers` and a body; line ends as mails have them.
  private func mail(_ headers: String, _ body: String) -> [UInt8] {
    let text = """
      From: Example Cabs <bookings@mail.cabs.example>
      To: ada@example.org
      Subject: Your booking
      Message-ID: <1@cabs.example>
      MIME-Version: 1.0
      \(headers)

      \(body)
      """
    return Array(text.replacing("\n", with: "\r\n").utf8)
  }

  private var html: String { Samples.page(Samples.taxi) }

  private func quotedPrintable(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF")
    var result = ""
    var column = 0
    for byte in text.utf8 {
      let isPlain = byte == 0x0A || (0x20...0x7E).contains(byte) && byte != 0x3D
      let piece =
        isPlain
        ? String(UnicodeScalar(byte)) : "=\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
      if column + piece.count > 70 {
        result += "=\n"
        column = 0
      }
      result += piece
      column = byte == 0x0A ? 0 : column + piece.count
    }
    return result
  }

  @Test("A mail of HTML, also in quoted-printable and base64, is read, with its sender")
  func simple() throws {
    let clean = try only(Samples.taxi)
    let plain = reader.scan(mail("Content-Type: text/html; charset=utf-8", html))
    #expect(plain.reservations == [clean])
    #expect(plain.messageID == "<1@cabs.example>")
    #expect(plain.sender == MailSender(address: "bookings@mail.cabs.example", verifier: nil))
    let quoted = mail(
      "Content-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: quoted-printable",
      quotedPrintable(html))
    #expect(reader.scan(quoted).reservations == [clean])
    let encoded = mail(
      "Content-Type: text/html\nContent-Transfer-Encoding: base64", base64(Array(html.utf8)))
    #expect(reader.scan(encoded).reservations == [clean])
  }

  @Test("Alternatives, related parts, forwarded mails and attached pages are read")
  func parts() throws {
    let clean = try only(Samples.taxi)
    let alternative = """
      --b
      Content-Type: text/plain

      Your taxi
      --b
      Content-Type: multipart/related; boundary=c

      --c
      Content-Type: text/html

      \(html)
      --c--
      --b--
      """
    let headers = "Content-Type: multipart/alternative; boundary=b"
    #expect(reader.scan(mail(headers, alternative)).reservations == [clean])
    let forwarded = """
      --x
      Content-Type: text/plain

      See below
      --x
      Content-Type: message/rfc822

      From: other@example.net
      \(headers)

      \(alternative)
      --x--
      """
    let scan = reader.scan(mail("Content-Type: multipart/mixed; boundary=x", forwarded))
    #expect(scan.reservations == [clean])
    #expect(scan.sender?.domain == "mail.cabs.example")
    let attached = """
      --x
      Content-Type: application/octet-stream; name="booking.HTML"
      Content-Transfer-Encoding: base64

      \(base64(Array(html.utf8)))
      --x--
      """
    #expect(reader.scan(mail("Content-Type: multipart/mixed; boundary=x", attached)).reservations == [clean])
  }

  @Test("Character sets are converted, and lies about them are seen")
  func charsets() throws {
    let page = Samples.page(Samples.restaurant)
    let latin = page.unicodeScalars.compactMap { UInt8(exactly: $0.value) }
    for charset in ["iso-8859-1", "utf-8", "no-such-set"] {
      let head = mail("Content-Type: text/html; charset=\(charset)", "")
      #expect(reader.scan(head + latin).reservations.first?.title == "Caffè Example", "\(charset)")
    }
    let lie = mail("Content-Type: text/html; charset=iso-8859-1", page)
    #expect(reader.scan(lie).reservations.first?.title == "Caffè Example")
    let utf16 = page.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
    let wide = mail(
      "Content-Type: text/html; charset=utf-16le\nContent-Transfer-Encoding: base64", base64(utf16))
    #expect(reader.scan(wide).reservations.first?.title == "Caffè Example")
  }

  @Test("Calendars come with their method, once")
  func calendars() {
    let calendar = "BEGIN:VCALENDAR\nMETHOD:REQUEST\nEND:VCALENDAR"
    let body = """
      --x
      Content-Type: text/calendar; method=request; charset=utf-8

      \(calendar)
      --x
      Content-Type: application/ics; name=invite.ics

      \(calendar)
      --x--
      """
    let scan = reader.scan(mail("Content-Type: multipart/mixed; boundary=x", body))
    #expect(scan.calendars.map(\.method) == ["REQUEST"])
    #expect(reader.scan(Array(calendar.utf8)).calendars.count == 1)
  }

  @Test(
    "A signature counts for the sender's domain alone",
    arguments: [
      ("mx.example; dkim=pass header.d=cabs.example", "mx.example"),
      ("mx.example; dkim=pass header.d=mail.cabs.example", "mx.example"),
      ("mx; spf=pass; dkim=pass (2048) header.i=@cabs.example header.s=k; dmarc=pass", "mx"),
      ("MX 1; DKIM=Pass header.d=Cabs.Example", "mx"), ("mx; dkim=fail header.d=cabs.example", nil),
      (#"mx; dkim/1 = pass reason="fine; really" header.i="a b"@cabs.example"#, "mx"),
      ("mx; dkim=pass header.d=evil.example", nil), ("mx; dkim=pass header.d=bs.example", nil),
      ("mx; dkim=pass header.d=example", nil), ("dkim=pass header.d=cabs.example", nil),
      ("mx (; dkim=pass header.d=cabs.example); dkim=none", nil),
      ("mx; spf=pass smtp.mailfrom=cabs.example", nil),
      // What a sender can put into a value of its own signature.
      (
        #"mx; dkim=pass header.d=evil.example header.i="; dkim=pass header.d=cabs.example"@evil.example"#, nil
      ),
      (#"mx; dkim=pass header.d=evil.example header.i="@cabs.example"@evil.example"#, nil),
      (#"mx; dkim=pass header.i="x\"; dkim=pass header.d=cabs.example"@evil.example"#, nil),
      (#"mx; dkim=none reason="dkim=pass header.d=cabs.example""#, nil),
      (#"mx; spf=pass smtp.mailfrom="a; dkim=pass header.d=cabs.example"@evil.example"#, nil),
      ("mx; dkim=none (a \\) ; dkim=pass header.d=cabs.example (", nil),
      (#"mx; dkim=none x=" ; dkim=pass header.d=cabs.example"#, nil), ("", nil), ("mx", nil),
    ] as [(String, String?)])
  func signatures(results: String, verifier: String?) {
    let headers = "Authentication-Results: \(results)\nContent-Type: text/html"
    #expect(reader.scan(mail(headers, html)).sender?.verifier == verifier)
    // Only the topmost header counts: the sender can write others.
    let below = "Authentication-Results: mx; dkim=none\nAuthentication-Results: \(results)"
    #expect(reader.scan(mail(below, html)).sender?.verifier == nil)
  }

  @Test("A mail of several senders has none")
  func senders() {
    let text = "From: a@cabs.example, b@evil.example\r\nContent-Type: text/html\r\n\r\n\(html)"
    #expect(reader.scan(Array(text.utf8)).sender == nil)
  }

  @Test("Wallet passes are read, alone and in a mail")
  func passes() throws {
    let boarding = #"""
      {"formatVersion":1,"organizationName":"Example Air","serialNumber":"S1","relevantDate":"2027-03-04T10:20+01:00",
       "boardingPass":{"transitType":"PKTransitTypeAir",
        "primaryFields":[{"key":"origin","label":"Frankfurt","value":"FRA"},{"key":"destination","label":"New York","value":"JFK"}],
        "headerFields":[{"key":"gate","label":"Gate","value":"Z22"}],
        "auxiliaryFields":[{"key":"flight","value":"XA400"},{"key":"seat","value":"12A"},{"key":"passenger","value":"ADA BYRON"},
         {"key":"pnr","label":"PNR","value":"QX7K2M"}]}}
      """#
    let flight = try #require(reader.scan(zipArchive("pass.json", boarding)).reservations.first)
    #expect(flight.kind == .flight)
    #expect(flight.number == "XA 400")
    #expect(flight.leg == "FRA-JFK")
    #expect(flight.seats == ["12A"])
    #expect(flight.reference == "QX7K2M")
    #expect(flight.details[.gate] == "Z22")
    #expect(flight.start?.zone?.rawValue == "Europe/Berlin")
    #expect(flight.travellers == ["ADA BYRON"])
    let ticket = #"""
      {"organizationName":"Example Hall","description":"Concert","serialNumber":"E9","relevantDate":"2027-09-30T19:30:00Z",
       "locations":[{"latitude":52.5,"longitude":13.4}],"eventTicket":{
        "primaryFields":[{"key":"event","label":"EVENT","value":"An Evening"}],
        "secondaryFields":[{"key":"loc","label":"Location","value":"Example Hall"}]}}
      """#
    let part = """
      --x
      Content-Type: application/vnd.apple.pkpass; name=t.pkpass
      Content-Transfer-Encoding: base64

      \(base64(zipArchive("pass.json", ticket)))
      --x--
      """
    let event = try #require(
      reader.scan(mail("Content-Type: multipart/mixed; boundary=x", part)).reservations.first)
    #expect(event.kind == .event)
    #expect(event.title == "An Evening")
    #expect(event.place?.name == "Example Hall")
    #expect(event.start?.zone?.rawValue == "Europe/Berlin")
    let generic =
      #"{"serialNumber":"G","description":"Tour","relevantDate":"2027-01-01T10:00Z","generic":{"primaryFields":[{"key":"x","value":"City tour"}]}}"#
    #expect(reader.scan(zipArchive("pass.json", generic)).reservations.first?.title == "City tour")
    #expect(reader.scan(zipArchive("other.json", generic)).reservations.isEmpty)
    #expect(reader.scan(Array(zipArchive("pass.json", generic).prefix(60))).reservations.isEmpty)
  }

  @Test("The newer keys of passes are read")
  func newerKeys() throws {
    func pass(_ members: String, style: String = "eventTicket") throws -> Reservation {
      let json =
        "{\"description\":\"Show\",\"serialNumber\":\"S\",\"\(style)\":{\"primaryFields\":[]},\(members)}"
      return try #require(reader.scan(zipArchive("pass.json", json)).reservations.first)
    }
    let dates = try pass(
      #""relevantDates":[{"startDate":"2027-03-04T19:00:00Z","endDate":"2027-03-04T22:00:00Z"}]"#)
    #expect(dates.start?.text == "2027-03-04T19:00:00Z")
    let seats = try pass(
      #""semantics":{"eventName":"Gig","seats":[{"seatSection":"B","seatRow":"4","seatNumber":"7"}],"#
        + #""eventStartDateInfo":{"date":"2027-03-04T19:00:00Z","ignoreTimeComponents":true}}"#)
    #expect(seats.title == "Gig" && seats.seats == ["B, 47"])
    #expect(seats.start?.text == "2027-03-04")
    let flight = try pass(
      #""semantics":{"departureAirportCode":"FRA","destinationAirportCode":"JFK","flightCode":"XA400","#
        + #""originalDepartureDate":"2027-03-04T10:20+01:00","currentDepartureDate":"2027-03-04T11:50+01:00"}"#,
      style: "boardingPass")
    #expect(flight.start?.civil.description == "2027-03-04T11:50:00")
  }

  @Test("A pass speaks the language of its strings")
  func strings() {
    let text = "\"a\" = \"Gate \\\"B\\\"\";\n/* note */\n\"broken\nb = c;\n"
    #expect(PassStrings.read(Array(text.utf8)) == ["a": "Gate \"B\""])
    var wide: [UInt8] = [0xFF, 0xFE]
    for unit in text.utf16 { wide += [UInt8(unit & 0xFF), UInt8(unit >> 8)] }
    #expect(PassStrings.read(wide) == ["a": "Gate \"B\""])
  }

  @Test("A boarding pass in a ticket's token is kept, and tells who sits where")
  func token() throws {
    let message = "M1BYRON/ADA           EQX7K2M FRALINXA 0412 258Y012A0043 100"
    let flight = try only(
      MergeTests.flight(ref: nil, number: "XA 412", name: nil).replacing(
        "\"reservationFor\"",
        with: "\"reservedTicket\":{\"ticketToken\":\"aztecCode:\(message)\"},\"reservationFor\""))
    #expect(flight.travellers == ["ADA BYRON"] && flight.seats == ["12A"] && flight.reference == "QX7K2M")
    #expect(flight.codes.first?.code == TicketCode(.aztec, message))
    #expect(read(json: flight.jsonLD.line) == [flight])
    for wrong in ["", "aztecCode:", "https://x.example/code.png", "nothing"] {
      #expect(TicketCode(token: wrong) == nil)
    }
  }

  @Test("The barcode of a boarding pass tells what its fields don't")
  func barcode() throws {
    let pass = #"""
      {"organizationName":"Example Air","serialNumber":"S1","expirationDate":"2027-09-18T00:00:00Z",
       "barcode":{"format":"PKBarcodeFormatAztec","message":"M1BYRON/ADA           EQX7K2M FRALINXA 0412 258Y012A0043 100"},
       "boardingPass":{"transitType":"PKTransitTypeAir",
        "headerFields":[{"key":"Depart_date","label":"To Milan","value":"15 Sep"}],
        "primaryFields":[{"key":"dep","label":"Frankfurt","value":"FRA"},{"key":"arr","label":"Milan","value":"LIN"}],
        "auxiliaryFields":[{"key":"bookingClass","label":"CLASS","value":"Economy"}]}}
      """#
    let flight = try #require(reader.scan(zipArchive("pass.json", pass)).reservations.first)
    #expect(flight.reference == "QX7K2M")
    #expect(flight.number == "XA 412")
    #expect(flight.leg == "FRA-LIN")
    #expect(flight.place?.name == Airport.table["FRA"]?.name)
    #expect(flight.seats == ["12A"])
    #expect(flight.travellers == ["ADA BYRON"])
    #expect(flight.start?.text == "2027-09-15")
    let code = try #require(flight.codes.first?.code)
    #expect(code.form == .aztec && code.message.contains("QX7K2M FRALINXA 0412"))
    #expect(read(json: flight.jsonLD.line) == [flight])
    for wrong in [
      "", "M1", String(repeating: "M", count: 60),
      "M1BYRON/ADA           EQX7K2M FRALINXA 0412 999Y012A0043 100",
    ] {
      #expect(BoardingPassBarcode(wrong) == nil)
    }
  }

  @Test(
    "Encodings that hide letters in ASCII are decoded",
    arguments: [
      ("utf-7", "Z+APw-rich Cabs", "Zürich Cabs"), ("iso-2022-jp", "\u{1B}$B%?%/%7!<\u{1B}(B", "タクシー"),
    ])
  func hiddenLetters(charset: String, written: String, name: String) throws {
    // UTF-7 writes + as +-.
    let page = (charset == "utf-7" ? html.replacing("+", with: "+-") : html).replacing(
      "Example Cabs", with: written)
    let found = reader.scan(mail("Content-Type: text/html; charset=\(charset)", page)).reservations
    #expect(found.first?.provider == name)
  }

  @Test("Nested and damaged mails end soon", arguments: 1...20 as ClosedRange<UInt64>)
  func damaged(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var bytes = mail(
      "Content-Type: multipart/mixed; boundary=x", "--x\nContent-Type: text/html\n\n\(html)\n--x--")
    for _ in 0..<20 {
      let index = Int.random(in: 0..<bytes.count, using: &random)
      bytes[index] = UInt8.random(in: 0...255, using: &random)
    }
    #expect(reader.scan(bytes).reservations.allSatisfy { $0.isValid }, "seed \(seed)")
    let depth = Int.random(in: 50...3_000, using: &random)
    let nested = (0..<depth).map { "Content-Type: multipart/mixed; boundary=b\($0)\n\n--b\($0)\n" }.joined()
    #expect(reader.scan(Array((nested + "Content-Type: text/html\n\n\(html)").utf8)).reservations.isEmpty)
    let forwarded = String(repeating: "Content-Type: message/rfc822\n\n", count: depth)
    #expect(reader.scan(Array((forwarded + "Content-Type: text/html\n\n\(html)").utf8)).reservations.isEmpty)
  }
}
