/// A parsed property (RFC 5545, section 3.1) that an item preserves.
public struct PreservedProperty: Sendable {
  /// Its name, in upper case.
  public let name: String
  /// Its raw value.
  public let value: String

  private let parameters: [ContentLine.Parameter]

  /// Parses a content line; `nil` if it is not one.
  public init?(_ text: String) {
    guard let line = ContentLine(text) else { return nil }
    name = line.name
    value = line.value
    parameters = line.parameters
  }

  /// The value of a parameter, by its name in upper case.
  public func parameter(_ name: String) -> String? { parameters.first { $0.name == name }?.value }
}
