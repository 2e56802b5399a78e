/// Content of an item or alarm in a file that the model has no field for.
///
/// Other programs need these properties, so they are stored unchanged and exported again.
public struct PreservedContent: Hashable, Sendable {
  /// Content lines of RFC 5545 (section 3.1), unfolded and without their line ends.
  public var properties: [String]
  /// Whole components, from BEGIN to END, lines unfolded and joined by newlines.
  public var components: [String]

  /// The given content; empty by default.
  public init(properties: [String] = [], components: [String] = []) {
    self.properties = properties
    self.components = components
  }

  /// Whether there is no content.
  public var isEmpty: Bool { properties.isEmpty && components.isEmpty }
}
