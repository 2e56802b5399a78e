public import FencepostCalendarModel

/// A file of a mail that is a ticket, and the bookings that it is for.
public struct ScannedTicket: Hashable, Sendable {
  /// The file.
  public var file: TicketFile
  /// The bookings in it; empty if it does not say, as a PDF: then it is for all bookings of its mail.
  public var reservations: [Reservation]

  /// A ticket.
  public init(_ file: TicketFile, for reservations: [Reservation] = []) {
    self.file = file
    self.reservations = reservations
  }

  /// Whether it is a ticket for `reservation`.
  public func isFor(_ reservation: Reservation) -> Bool {
    reservations.isEmpty || reservations.contains { $0.relation(to: reservation) != .different }
  }
}

extension ReservationReader {
  /// The most tickets of a mail, and the most bytes of all.
  private static let maximumTickets = 12
  private static let maximumTicketBytes = 12 << 20

  /// The files of a mail that are tickets: PDFs and Wallet passes; or the document itself if it is one.
  ///
  /// Cost: some milliseconds for a megabyte, so ask only for a document with bookings.
  public func tickets(in bytes: [UInt8], named name: String? = nil) -> [ScannedTicket] {
    var found: [ScannedTicket] = []
    var size = 0
    func add(_ kind: TicketFile.Kind, _ name: String?, _ content: [UInt8]) {
      guard found.count < Self.maximumTickets, size + content.count <= Self.maximumTicketBytes,
        let file = TicketFile(kind, name: name, content: content),
        !found.contains(where: { $0.file.content == content })
      else { return }
      size += content.count
      let reservations =
        kind == .pdf ? [] : content.withUnsafeBufferPointer { self.reservations(inPass: $0) }
      // A pass without a booking is a card of a member, or a coupon.
      if kind == .pdf || !reservations.isEmpty { found.append(ScannedTicket(file, for: reservations)) }
    }
    if bytes.starts(with: [0x50, 0x4B, 3, 4]) {
      add(name?.lowercased().hasSuffix(".pkpasses") == true ? .passes : .pass, name, bytes)
    } else if bytes.starts(with: "%PDF-".utf8) {
      add(.pdf, name, bytes)
    } else {
      bytes.withUnsafeBufferPointer { bytes in
        MailMessage(bytes)?.forEachPart { part in
          if let kind = part.ticketKind { add(kind, part.filename, part.content()) }
        }
      }
    }
    return found
  }
}

extension MailMessage.Part {
  /// What kind of ticket the part is, by its type and name; `nil` for another part.
  var ticketKind: TicketFile.Kind? {
    let name = filename?.lowercased() ?? ""
    if name.hasSuffix(".pkpasses") || type == "application/vnd.apple.pkpasses" { return .passes }
    if name.hasSuffix(".pkpass") || type.hasPrefix("application/vnd.apple.pkpass") { return .pass }
    return type == "application/pdf" || name.hasSuffix(".pdf") ? .pdf : nil
  }
}
