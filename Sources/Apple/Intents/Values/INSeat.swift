public import Foundation

/// A seat.
open class INSeat: NSObject, NSCopying {
  /// The section, or the carriage.
  public let seatSection: String?
  /// The row.
  public let seatRow: String?
  /// The number in the row.
  public let seatNumber: String?
  /// The type, for example `Window`.
  public let seatingType: String?

  /// A seat.
  public init(seatSection: String?, seatRow: String?, seatNumber: String?, seatingType: String?) {
    self.seatSection = seatSection
    self.seatRow = seatRow
    self.seatNumber = seatNumber
    self.seatingType = seatingType
  }

  /// Returns the same object, because it is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// The seat as it is printed, such as `Coach 7, 12A`; `nil` if unknown.
  var text: String? {
    let row = seatRow ?? ""
    let place = row + (row.last?.isNumber == false ? " " : "") + (seatNumber ?? "")
    let parts = [seatSection, place.isEmpty ? nil : place].compactMap { $0 }
    return parts.isEmpty ? seatingType : parts.joined(separator: ", ")
  }
}
