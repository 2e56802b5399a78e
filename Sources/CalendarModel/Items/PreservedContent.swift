/// What a file said of an item or alarm that the model has no field for.
///
/// Other programs' properties belong to them: they are kept as they stood and written out again.
public struct PreservedContent: Hashable, Sendable {
  /// Content lines of RFC 5545 (section 3.1), unfolded and without their line ends.
  public var properties: [String]
  /// Whole components, from BEGIN to END, lines unfolded and joined by newlines.
  public var components: [String]

  /// Nothing, or what is given.
  public init(properties: [String] = [], components: [String] = []) {
    self.properties = properties
    self.components = components
  }

  /// True where there is nothing to keep.
  public var isEmpty: Bool { properties.isEmpty && components.isEmpty }
}
