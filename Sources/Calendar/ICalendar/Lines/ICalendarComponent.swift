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

/// A component in the form of a file (RFC 5545, section 3.6): its lines and the components inside it, in
/// order.
///
/// The model (``CalendarItem`` and so on) contains the meaning of a text. A tree contains its form, so that a
/// program can change some lines and keep all others.
public struct ComponentTree: Hashable, Sendable {
  /// Its name in upper case, for example `VCALENDAR`.
  public var name: String
  /// Its own content lines, unfolded, in order.
  public var lines: [String]
  /// The components inside it, in order.
  public var components: [ComponentTree]

  /// The maximum depth of nested components.
  private static let depth = 16

  /// A component.
  public init(name: String, lines: [String] = [], components: [ComponentTree] = []) {
    self.name = name
    self.lines = lines
    self.components = components
  }

  /// The first component of `text` with its content; `nil` if `text` does not begin with a component, or the
  /// component has no end, is badly nested or deeper than 16 levels.
  ///
  /// Skips lines that are not content lines, and replaces broken UTF-8.
  public init?(_ text: String) { self.init(Array(text.utf8)) }

  /// Like ``init(_:)-(String)``, for the bytes of a file.
  ///
  /// - Parameters:
  ///   - bytes: The bytes.
  ///   - isWhole: Whether another component or property after the first component is an error.
  public init?(_ bytes: [UInt8], isWhole: Bool = false) {
    var input = InputBytes(bytes)
    var scanner = LineScanner(lineLimit: bytes.count + 1, size: bytes.count)
    var text = ComponentText()
    var flaw: LineScanner.Flaw?
    var open: [ComponentTree] = []
    var first: ComponentTree?
    while (try? scanner.next(into: &text, flaw: &flaw, from: { input.read(into: $0) })) == true {
      defer { text.clear() }
      guard let record = text.lines.last, let line = ContentLine(record, in: text) else { continue }
      switch line.keyword {
      case .begin:
        guard first == nil, open.count < Self.depth else { return nil }
        open.append(ComponentTree(name: line.componentName))
      case .end:
        guard let ended = open.popLast(), ended.name == line.componentName else { return nil }
        if !open.isEmpty {
          open[open.count - 1].components.append(ended)
        } else if isWhole {
          first = ended
        } else {
          self = ended
          return
        }
      case .property:
        guard !open.isEmpty else { return nil }
        open[open.count - 1].lines.append(line.text)
      }
    }
    guard let first, open.isEmpty else { return nil }
    self = first
  }

  /// The text of a file with CRLF line ends, folded at 75 octets.
  public var text: String {
    var writer = LineWriter()
    write(to: &writer)
    return writer.text
  }

  private func write(to writer: inout LineWriter) {
    writer.line("BEGIN:\(name)")
    for line in lines { writer.line(line) }
    for component in components { component.write(to: &writer) }
    writer.line("END:\(name)")
  }

  /// The value of the first line called `name`, unescaped as TEXT; `nil` if there is no such line.
  public func text(of name: String) -> String? {
    for line in lines where line.prefix(name.count).uppercased() == name {
      guard let line = ContentLine(line), line.name == name else { continue }
      return TextValue.decode(line.bytes[line.valueRange])
    }
    return nil
  }
}
