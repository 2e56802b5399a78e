public import Foundation

/// A rented car.
open class INRentalCar: NSObject, NSCopying {
  /// The company.
  public let rentalCompanyName: String
  /// The type, for example `Compact`.
  public let type: String?
  /// The maker.
  public let make: String?
  /// The model.
  public let model: String?
  /// Other details.
  public let rentalCarDescription: String?

  /// A car.
  public init(
    rentalCompanyName: String, type: String?, make: String?, model: String?, rentalCarDescription: String?
  ) {
    self.rentalCompanyName = rentalCompanyName
    self.type = type
    self.make = make
    self.model = model
    self.rentalCarDescription = rentalCarDescription
  }

  /// Returns the same object, because it is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }
}
