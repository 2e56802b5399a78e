/// A property that an item keeps as it stood, taken apart (RFC 5545, section 3.1).
public struct PreservedProperty: Sendable {
  /// Its name, in upper case.
  public let name: String
  /// Its value, as it stands.
  public let value: String

  private let parameters: [ContentLine.Parameter]

  /// Takes a content line apart; `nil` where it is none.
  public init?(_ text: String) {
    guard let line = ContentLine(text) else { return nil }
    name = line.name
    value = line.value
    parameters = line.parameters
  }

  /// The value of a parameter, by its name in upper case.
  public func parameter(_ name: String) -> String? { parameters.first { $0.name == name }?.value }
}
