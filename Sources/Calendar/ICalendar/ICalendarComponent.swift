/// A component as its lines say, without their meaning: for programs that ask for any property by its name.
public struct ICalendarComponent: Hashable, Sendable {
  /// A property.
  public struct Property: Hashable, Sendable {
    /// Its name in upper case.
    public var name: String
    /// Its parameters, each name in upper case, values without quotes.
    public var parameters: [(name: String, value: String)] {
      ContentLine(line)?.parameters.map { ($0.name, $0.value) } ?? []
    }
    /// Its value as it is written, with escapes.
    public var value: String { ContentLine(line)?.value ?? "" }
    /// Its value as a text, without escapes.
    public var text: String { TextValue.decode(Array(value.utf8)[...]) }
    /// The whole line, unfolded.
    public var line: String
  }

  /// Its name in upper case.
  public var name: String
  /// Its properties, in order.
  public var properties: [Property] = []
  /// The components in it, in order.
  public var components: [ICalendarComponent] = []

  /// Reads a file with one VCALENDAR.
  ///
  /// - Returns: `nil` if the bytes have no VCALENDAR or several, or a BEGIN without its END.
  public init?(_ bytes: [UInt8]) {
    guard let tree = ComponentTree(bytes, isWhole: true), tree.name == "VCALENDAR" else { return nil }
    self.init(tree)
  }

  private init(_ tree: ComponentTree) {
    name = tree.name
    properties = tree.lines.compactMap { line in
      ContentLine(line).map { Property(name: $0.name, line: line) }
    }
    components = tree.components.map(Self.init)
  }

  /// The first property with this name.
  public func first(_ name: String) -> Property? { properties.first { $0.name == name } }

  /// Its text: folded lines that end with CRLF.
  public var text: String { tree.text }

  private var tree: ComponentTree {
    ComponentTree(name: name, lines: properties.map(\.line), components: components.map(\.tree))
  }
}
