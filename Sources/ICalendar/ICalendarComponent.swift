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
    var open: [ICalendarComponent] = []
    var root: ICalendarComponent?
    for line in Self.unfolded(bytes) {
      guard let content = ContentLine(line) else { continue }
      switch content.keyword {
      case .begin:
        guard root == nil, open.count < Self.maxDepth else { return nil }
        open.append(ICalendarComponent(name: content.componentName))
      case .end:
        guard let last = open.popLast(), last.name == content.componentName else { return nil }
        if open.isEmpty { root = last } else { open[open.count - 1].components.append(last) }
      case .property:
        guard !open.isEmpty else { return nil }
        open[open.count - 1].properties.append(Property(name: content.name, line: line))
      }
    }
    guard let root, open.isEmpty, root.name == "VCALENDAR" else { return nil }
    self = root
  }

  private init(name: String) { self.name = name }

  private static let maxDepth = 16

  /// The first property with this name.
  public func first(_ name: String) -> Property? { properties.first { $0.name == name } }

  /// Its text: folded lines that end with CRLF.
  public var text: String { tree.text }

  private var tree: ComponentTree {
    ComponentTree(name: name, lines: properties.map(\.line), components: components.map(\.tree))
  }

  /// The lines of `bytes` without folds and line ends.
  private static func unfolded(_ bytes: [UInt8]) -> [String] {
    var lines: [[UInt8]] = []
    for part in bytes.split(separator: 0x0A, omittingEmptySubsequences: true) {
      let line = part.last == 0x0D ? part.dropLast() : part
      if let first = line.first, first == 0x20 || first == 0x09, !lines.isEmpty {
        lines[lines.count - 1] += line.dropFirst()
      } else if !line.isEmpty {
        lines.append(Array(line))
      }
    }
    return lines.map { String(decoding: $0, as: UTF8.self) }
  }
}
