import FencepostXML
import Testing

@Suite("XML in pieces")
struct XMLPushParserTests {
  /// Writes down what it hears.
  private final class Listener: XMLElementHandler {
    var events: [String] = []

    override func startElement(
      _ name: XMLSymbol, in namespace: XMLSymbol, _ attributes: XMLAttributes, _ parser: XMLPushParser
    ) {
      events.append("\(parser.line): <\(namespace.text) \(name.text)>")
      for index in 0..<attributes.count {
        let value = String(decoding: attributes.value(at: index), as: UTF8.self)
        events.append("@\(attributes.namespace(at: index).text) \(attributes.name(at: index).text)=\(value)")
      }
      if name == parser.name("stop") { parser.stop(.excessive("says stop", line: parser.line)) }
    }

    override func characters(_ text: UnsafeBufferPointer<UInt8>) {
      events.append(String(decoding: text, as: UTF8.self))
    }

    override func endElement(_ name: XMLSymbol, _ parser: XMLPushParser) { events.append("</\(name.text)>") }
  }

  private func events(
    _ pieces: String..., depth: Int = XMLPushParser.maximumDepth, allowsDocumentType: Bool = true
  ) throws -> [String] {
    let listener = Listener()
    let parser = XMLPushParser(maximumDepth: depth, allowsDocumentType: allowsDocumentType)
    for piece in pieces {
      try Array(piece.utf8).withUnsafeBufferPointer { try parser.parse($0, handler: listener) }
    }
    try parser.finish(handler: listener)
    if let failure = parser.namespaceFailure { throw failure }
    return listener.events
  }

  @Test("Elements, attributes and texts come in order, with names without prefixes, and references resolved")
  func order() throws {
    #expect(
      try events("<a xmlns='urn:x' xmlns:y='urn:y'>\n<y:b c='1 &amp; 2' y:d='&#65;'", ">&lt;</y:b></a>")
        == ["1: <urn:x a>", "\n", "2: <urn:y b>", "@ c=1 & 2", "@urn:y d=A", "<", "</b>", "</a>"])
  }

  @Test("A document type is ignored or refused, and each declaration in it is refused")
  func documentTypes() throws {
    #expect(try events("<!DOCTYPE a SYSTEM 'a.dtd'><a/>") == ["1: < a>", "</a>"])
    #expect(throws: XMLPushParser.Failure.documentTypeDeclaration(line: 1)) {
      try events("<!DOCTYPE a SYSTEM 'a.dtd'><a/>", allowsDocumentType: false)
    }
    for declaration in ["<!ENTITY b 'c'>", "<!ELEMENT a ANY>", "<!ATTLIST a b (c|d) 'c'>"] {
      #expect(throws: XMLPushParser.Failure.documentTypeDeclaration(line: 2)) {
        try events("<!DOCTYPE a [\n\(declaration)]><a>&b;</a>")
      }
    }
  }

  /// A document, and whether it can be read.
  private struct Document: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var text: String
    var isReadable: Bool

    init(_ description: String, _ text: String, isReadable: Bool) {
      testDescription = description
      self.text = text
      self.isReadable = isReadable
    }

    static func attributes(_ count: Int, prefix: String = "b", isReadable: Bool) -> Document {
      let attributes = (0..<count).map { "\(prefix)\($0)='x'" }.joined(separator: " ")
      return Document("\(count) \(prefix)", "<a \(attributes)/>", isReadable: isReadable)
    }

    static func long(_ start: String, _ end: String, isReadable: Bool) -> Document {
      Document(start, start + String(repeating: "c", count: 300_000) + end, isReadable: isReadable)
    }
  }

  private static let documents: [Document] = [
    .attributes(256, isReadable: true), .attributes(257, isReadable: false),
    .attributes(257, prefix: "xmlns:b", isReadable: false), .attributes(200_000, isReadable: false),
    .long("<a>", "</a>", isReadable: true), .long("<a><![CDATA[", "]]></a>", isReadable: true),
    .long("<a><!--", "--></a>", isReadable: true), .long("<a b='", "'/>", isReadable: false),
  ]

  @Test(
    "An element has a bounded number of attributes, and a tag a bounded length, in any encoding",
    arguments: documents, [false, true])
  private func pieces(document: Document, isUTF16: Bool) throws {
    let listener = Listener()
    let parser = XMLPushParser(allowsDocumentType: false)
    let bytes =
      isUTF16
      ? [0xFF, 0xFE] + document.text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
      : Array(document.text.utf8)
    func parse() throws {
      try bytes.withUnsafeBufferPointer { try parser.parse($0, handler: listener) }
      try parser.finish(handler: listener)
    }
    if document.isReadable {
      try parse()
    } else {
      #expect(throws: XMLPushParser.Failure.self) { try parse() }
    }
  }

  @Test("A bound or the handler stops the parser, and undeclared prefixes are known at the end")
  func failures() {
    #expect(throws: XMLPushParser.Failure.excessive("nests more than 2 elements", line: 1)) {
      try events("<a><b><c/></b></a>", depth: 2)
    }
    #expect(throws: XMLPushParser.Failure.excessive("says stop", line: 1)) { try events("<a><stop/></a>") }
    #expect(throws: XMLPushParser.Failure.self) { try events("<p:a/>") }
    #expect(throws: XMLPushParser.Failure.self) { try events("<a>") }
  }
}
