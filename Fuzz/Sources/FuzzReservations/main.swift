import FencepostJSON
import FencepostReservations

private let reader = ReservationReader()

/// Reads bytes as a document with bookings: a mail, a page, JSON-LD or a Wallet pass, by its first bytes.
/// What is found must be valid, and the same again from its own JSON-LD.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let document = reader.scan(UnsafeBufferPointer(start: start, count: count))
  for reservation in document.reservations {
    precondition(reservation.isValid)
    let again = reader.reservations(inJSON: Array(reservation.jsonLD.line.utf8))
    if reservation.isMinimalCancellation { continue }
    precondition(again.count == 1, "what was found can't be kept")
    if reservation.isAddition {
      precondition(again[0].relation(to: reservation) == .addition)
      continue
    }
    precondition(again.first?.isSameLeg(as: reservation) ?? false)
  }
  return 0
}
