internal import CLibXML2

/// The name of an element or attribute without its prefix. The parser keeps one copy of each name, so that
/// comparing addresses compares names.
struct XMLName: Equatable {
  fileprivate let address: UnsafePointer<xmlChar>?
}

/// The attributes of one element, where libxml2 keeps them during a call.
struct XMLAttributes {
  fileprivate let base: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?
  /// How many there are.
  let count: Int

  /// The name of the attribute at `index`.
  @inline(__always)
  func name(at index: Int) -> XMLName { XMLName(address: base?[index * 5]) }

  /// The value of the attribute at `index`, its character references resolved.
  @inline(__always)
  func value(at index: Int) -> UnsafeBufferPointer<UInt8> {
    // Five pointers an attribute: name, prefix, namespace, start and end of the value.
    guard let start = base?[index * 5 + 3], let end = base?[index * 5 + 4] else {
      return .init(start: nil, count: 0)
    }
    return UnsafeBufferPointer(start: start, count: end - start)
  }
}

/// What happens in an XML document, in its order, for subclasses to take. What is handed over is valid during the
/// call.
///
/// A class to inherit from, not a protocol: there are ten calls to a track point, and this way none of them
/// counts references.
class XMLElementHandler {
  /// An element begins.
  func startElement(_ name: XMLName, _ attributes: XMLAttributes, _ parser: XMLPushParser) {}
  /// Text within an element, in pieces of any size.
  func characters(_ text: UnsafeBufferPointer<UInt8>) {}
  /// An element ends.
  func endElement(_ name: XMLName, _ parser: XMLPushParser) {}
}

/// libxml2's push parser (SAX2), for documents of any length from anybody.
///
/// No tree is built, nothing is fetched. A document that declares entities, or anything else in a document
/// type, is refused at the first declaration: no entity is ever expanded. libxml2 bounds what it must hold in
/// one piece (10 MB for a tag or comment); elements nest no deeper than ``maximumDepth``, and there are no more
/// distinct names than ``maximumNames``, because libxml2 keeps them all and grows slow with them.
final class XMLPushParser {
  /// How deep elements may nest.
  static let maximumDepth: Int32 = 256
  /// How many distinct names of elements, attributes and prefixes a document may have.
  static let maximumNames: Int32 = 20_000

  /// Why parsing stopped.
  enum Failure: Error, Equatable {
    /// The document declares entities or the like.
    case documentTypeDeclaration(line: Int)
    /// It is not well formed, in libxml2's words; or ends early, where this came from ``finish(telling:)``.
    case notWellFormed(String, line: Int)
    /// It goes beyond a bound, which is told.
    case excessive(String, line: Int)
  }

  private let context: xmlParserCtxtPtr
  /// Who is told. The caller holds it while the parser runs.
  private var handler: Unmanaged<XMLElementHandler>?
  /// Why the parser was stopped from within.
  private var refusal: Failure?

  /// A parser at the start of a document.
  init() {
    xmlInitParser()
    var sax = XMLPushParser.makeCallbacks()
    guard let context = xmlCreatePushParserCtxt(&sax, nil, nil, 0, nil) else {
      // As the standard library does when an allocation fails.
      fatalError("out of memory")
    }
    self.context = context
    context.pointee.userData = Unmanaged.passUnretained(self).toOpaque()
    let options = XML_PARSE_NONET.rawValue | XML_PARSE_NOERROR.rawValue | XML_PARSE_NOWARNING.rawValue
    xmlCtxtUseOptions(context, Int32(options))
  }

  deinit {
    // libxml2 makes a document of its own for the declarations that it refuses, and leaves it.
    if let document = context.pointee.myDoc { xmlFreeDoc(document) }
    xmlFreeParserCtxt(context)
  }

  /// The parser's copy of `name`.
  func name(_ name: StaticString) -> XMLName {
    XMLName(address: xmlDictLookup(context.pointee.dict, name.utf8Start, Int32(name.utf8CodeUnitCount)))
  }

  /// The line that the parser is at, from 1.
  var line: Int { Int(xmlSAX2GetLineNumber(context)) }

  /// Parses the next `bytes` and tells `handler` what is in them.
  func parse(_ bytes: UnsafeBufferPointer<UInt8>, telling handler: XMLElementHandler) throws(Failure) {
    guard let base = bytes.baseAddress else { return }
    self.handler = .passUnretained(handler)
    defer { self.handler = nil }
    let status = base.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
      xmlParseChunk(context, $0, Int32(clamping: bytes.count), 0)
    }
    if status != 0 { throw failure(status) }
    if xmlDictSize(context.pointee.dict) > XMLPushParser.maximumNames {
      throw .excessive("has more than \(XMLPushParser.maximumNames) names of elements", line: line)
    }
  }

  /// Ends the document and tells `handler` what was still to come.
  func finish(telling handler: XMLElementHandler) throws(Failure) {
    self.handler = .passUnretained(handler)
    defer { self.handler = nil }
    let status = xmlParseChunk(context, nil, 0, 1)
    if status != 0 { throw failure(status) }
  }

  private func failure(_ status: Int32) -> Failure {
    if let refusal { return refusal }
    guard let error = xmlCtxtGetLastError(context), let message = error.pointee.message else {
      return .notWellFormed("error \(status)", line: line)
    }
    let text = String(cString: message)
    let end = text.lastIndex { !$0.isWhitespace }.map { text.index(after: $0) } ?? text.startIndex
    return .notWellFormed(String(text[..<end]), line: Int(error.pointee.line))
  }

  /// Stops at a declaration.
  fileprivate func refuseDeclaration() { stop(.documentTypeDeclaration(line: line)) }

  /// Tells of an element, unless it is nested too deep.
  @inline(__always)
  fileprivate func startElement(_ name: XMLName, _ attributes: XMLAttributes) {
    if context.pointee.nameNr >= XMLPushParser.maximumDepth {
      stop(.excessive("nests more than \(XMLPushParser.maximumDepth) elements", line: line))
    } else {
      handler?._withUnsafeGuaranteedRef { $0.startElement(name, attributes, self) }
    }
  }

  private func stop(_ failure: Failure) {
    refusal = refusal ?? failure
    xmlStopParser(context)
  }

  /// The parser that libxml2 hands back to a callback.
  @inline(__always)
  fileprivate static func of<Result>(
    _ userData: UnsafeMutableRawPointer?, _ body: (XMLPushParser) -> Result
  ) -> Result? {
    guard let userData else { return nil }
    return Unmanaged<XMLPushParser>.fromOpaque(userData)._withUnsafeGuaranteedRef(body)
  }

  /// The functions that libxml2 calls. All others stay unset: nothing is fetched, nothing is built.
  private static func makeCallbacks() -> xmlSAXHandler {
    var sax = xmlSAXHandler()
    sax.initialized = XML_SAX2_MAGIC
    sax.startElementNs = { userData, name, _, _, _, _, count, _, attributes in
      _ = XMLPushParser.of(userData) {
        let attributes = XMLAttributes(base: attributes, count: Int(count))
        $0.startElement(XMLName(address: name), attributes)
      }
    }
    sax.endElementNs = { userData, name, _, _ in
      _ = XMLPushParser.of(userData) { parser in
        parser.handler?._withUnsafeGuaranteedRef { $0.endElement(XMLName(address: name), parser) }
      }
    }
    let characters: charactersSAXFunc = { userData, text, count in
      _ = XMLPushParser.of(userData) {
        $0.handler?._withUnsafeGuaranteedRef {
          $0.characters(UnsafeBufferPointer(start: text, count: Int(count)))
        }
      }
    }
    // The same function for both spares libxml2 finding out which blanks matter.
    sax.characters = characters
    sax.ignorableWhitespace = characters
    sax.cdataBlock = characters
    sax.entityDecl = { userData, _, _, _, _, _ in _ = XMLPushParser.of(userData) { $0.refuseDeclaration() } }
    sax.unparsedEntityDecl = { userData, _, _, _, _ in
      _ = XMLPushParser.of(userData) { $0.refuseDeclaration() }
    }
    sax.notationDecl = { userData, _, _, _ in _ = XMLPushParser.of(userData) { $0.refuseDeclaration() } }
    sax.elementDecl = { userData, _, _, _ in _ = XMLPushParser.of(userData) { $0.refuseDeclaration() } }
    sax.attributeDecl = { userData, _, _, _, _, _, values in
      xmlFreeEnumeration(values)
      _ = XMLPushParser.of(userData) { $0.refuseDeclaration() }
    }
    // Errors are asked for, never printed.
    sax.serror = { _, _ in }
    return sax
  }
}
