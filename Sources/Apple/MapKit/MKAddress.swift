import FencepostGeocoding
public import Foundation

/// An address as text.
open class MKAddress: NSObject {
  /// The whole address.
  public let fullAddress: String
  /// A short form; `nil` if there is none.
  public let shortAddress: String?

  /// An address; `nil` if it is empty.
  public init?(fullAddress: String, shortAddress: String?) {
    guard !fullAddress.isEmpty else { return nil }
    self.fullAddress = fullAddress
    self.shortAddress = shortAddress
  }

  /// The text of an address; `nil` if it has no parts.
  convenience init?(_ address: PostalAddress) {
    self.init(
      fullAddress: address.lines(includingRegion: true).joined(separator: ", "),
      shortAddress: address.streetLine ?? address.city)
  }
}

/// The texts of a place's address.
open class MKAddressRepresentations: NSObject {
  /// How much more than the city a text says.
  public enum ContextStyle: Int, Sendable {
    /// The state, where there is one, else the country.
    case automatic
    /// The state only.
    case short
    /// The state and the country.
    case full
  }

  private let address: PostalAddress

  init(_ address: PostalAddress) { self.address = address }

  /// The city; `nil` if unknown.
  open var cityName: String? { address.city }

  /// The city with its state or country; `nil` if the city is unknown.
  open var cityWithContext: String? { cityWithContext(.automatic) }

  /// The city with its state, its country or both; `nil` if the city is unknown.
  open func cityWithContext(_ style: ContextStyle) -> String? {
    guard let city = address.city else { return nil }
    let context: [String?] =
      switch style {
      case .automatic: [address.state ?? address.country]
      case .short: [address.state]
      case .full: [address.state, address.country]
      }
    return ([city] + context.compactMap(\.self)).joined(separator: ", ")
  }

  /// The country; `nil` if unknown.
  open var regionName: String? { address.country }

  /// The country by its code; `nil` if unknown.
  open var region: Locale.Region? { address.countryCode.map { Locale.Region($0) } }

  /// The whole address; `nil` if nothing of it is known.
  ///
  /// - Parameters:
  ///   - includingRegion: Whether to name the country.
  ///   - singleLine: Whether to join the lines by commas.
  open func fullAddress(includingRegion: Bool, singleLine: Bool) -> String? {
    let lines = address.lines(includingRegion: includingRegion)
    return lines.isEmpty ? nil : lines.joined(separator: singleLine ? ", " : "\n")
  }
}

extension PostalAddress {
  /// The street with the house number after it.
  var streetLine: String? {
    guard let street else { return nil }
    return [street, houseNumber].compactMap(\.self).joined(separator: " ")
  }

  /// Street, town, state and country, one a line.
  func lines(includingRegion: Bool) -> [String] {
    let town = [postalCode, city].compactMap(\.self).joined(separator: " ")
    let lines = [streetLine, suburb, town.isEmpty ? nil : town, state, includingRegion ? country : nil]
    return lines.compactMap(\.self)
  }
}
