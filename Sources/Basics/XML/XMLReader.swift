/// A document that can't be read.
public struct XMLSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
  /// One line with the problem.
  public var description: String
}

/// Reads XML documents into trees.
///
/// Rejects documents with a document type, so only XML's own five entities exist. Fetches nothing.
public enum XMLReader {
  /// The limits of a document.
  public struct Limits: Sendable {
    /// Bytes.
    public var bytes: Int
    /// The depth of nested elements.
    public var depth = 64
    /// Elements and their attributes.
    public var elements: Int

    /// Limits for a request (4 MiB). A server's answer can be larger.
    public init(bytes: Int = 4 << 20, elements: Int = 200_000) {
      self.bytes = bytes
      self.elements = elements
    }
  }

  /// Reads a document.
  ///
  /// - Returns: Its root.
  /// - Throws: ``XMLSyntaxError`` if it is not well-formed XML, has a document type, or exceeds a limit.
  public static func read(_ bytes: [UInt8], limits: Limits = Limits()) throws(XMLSyntaxError) -> XMLElement {
    guard bytes.count <= limits.bytes else {
      throw XMLSyntaxError(description: "the XML has more than \(limits.bytes) bytes")
    }
    guard !bytes.isEmpty else { throw XMLSyntaxError(description: "the body is empty, but must be XML") }
    let parser = XMLPushParser(maximumDepth: limits.depth, allowsDocumentType: false)
    let builder = XMLTreeBuilder(maximumElements: limits.elements)
    do throws(XMLPushParser.Failure) {
      try bytes.withUnsafeBufferPointer { (bytes) throws(XMLPushParser.Failure) in
        try parser.parse(bytes, handler: builder)
      }
      try parser.finish(handler: builder)
      if let failure = parser.namespaceFailure { throw failure }
    } catch {
      throw XMLSyntaxError(description: text(of: error))
    }
    guard let root = builder.root else {
      throw XMLSyntaxError(description: "the body is not well-formed XML: it ends early")
    }
    return root
  }

  private static func text(of failure: XMLPushParser.Failure) -> String {
    switch failure {
    case .documentTypeDeclaration: "the XML has a document type (DOCTYPE), which is not allowed"
    case .excessive(let bound, _): "the XML \(bound)"
    case .notWellFormed(let problem, let line):
      "the body is not well-formed XML: \(problem.filter { !$0.isNewline }) (line \(line))"
    }
  }
}

/// Builds the tree from the parser's events.
private final class XMLTreeBuilder: XMLElementHandler {
  private struct Key: Hashable {
    var local: XMLSymbol
    var namespace: XMLSymbol
  }

  private let maximumElements: Int
  private var names: [Key: XMLName] = [:]
  private var open: [XMLElement] = []
  private var text: [UInt8] = []
  private var count = 0
  /// The root, after it has ended.
  private(set) var root: XMLElement?

  init(maximumElements: Int) { self.maximumElements = maximumElements }

  override func startElement(
    _ name: XMLSymbol, in namespace: XMLSymbol, _ attributes: XMLAttributes, _ parser: XMLPushParser
  ) {
    endText()
    count += 1 + attributes.count
    guard count <= maximumElements else {
      return parser.stop(.excessive("has more than \(maximumElements) elements", line: parser.line))
    }
    var element = XMLElement(self.name(name, namespace))
    for index in 0..<attributes.count {
      let name = self.name(attributes.name(at: index), attributes.namespace(at: index))
      element.attributes[name] = String(decoding: attributes.value(at: index), as: UTF8.self)
    }
    open.append(element)
  }

  override func characters(_ text: UnsafeBufferPointer<UInt8>) { self.text += text }

  override func endElement(_ name: XMLSymbol, _ parser: XMLPushParser) {
    endText()
    guard let element = open.popLast() else { return }
    if open.isEmpty { root = element } else { open[open.count - 1].children.append(.element(element)) }
  }

  private func name(_ local: XMLSymbol, _ namespace: XMLSymbol) -> XMLName {
    let key = Key(local: local, namespace: namespace)
    if let known = names[key] { return known }
    let name = XMLName(namespace: namespace.text, local.text)
    names[key] = name
    return name
  }

  private func endText() {
    guard !text.isEmpty else { return }
    if !open.isEmpty { open[open.count - 1].children.append(.text(String(decoding: text, as: UTF8.self))) }
    text.removeAll(keepingCapacity: true)
  }
}
