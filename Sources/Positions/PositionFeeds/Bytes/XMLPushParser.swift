internal import CFencepostLibXML2

/// The name of an element or attribute without its prefix. The parser keeps one copy of each name, so comparing
/// addresses compares names.
struct XMLName: Equatable {
  fileprivate let address: UnsafePointer<xmlChar>?
}

/// The attributes of one element, in libxml2's memory during a callback.
struct XMLAttributes {
  fileprivate let base: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?
  /// The number of attributes.
  let count: Int

  /// The name of the attribute at `index`.
  @inline(__always)
  func name(at index: Int) -> XMLName { XMLName(address: base?[index * 5]) }

  /// The value of the attribute at `index`, with its character references resolved.
  @inline(__always)
  func value(at index: Int) -> UnsafeBufferPointer<UInt8> {
    // libxml2 has five pointers per attribute: name, prefix, namespace, start and end of the value.
    guard let start = base?[index * 5 + 3], let end = base?[index * 5 + 4] else {
      return .init(start: nil, count: 0)
    }
    return UnsafeBufferPointer(start: start, count: end - start)
  }
}

/// Receives the events of an XML document, in order. Arguments are valid during the call.
///
/// A base class, not a protocol: a track point takes ten calls, and calls to a class do not count references.
class XMLElementHandler {
  /// An element begins.
  func startElement(_ name: XMLName, _ attributes: XMLAttributes, _ parser: XMLPushParser) {}
  /// Text within an element, in pieces of any size.
  func characters(_ text: UnsafeBufferPointer<UInt8>) {}
  /// An element ends.
  func endElement(_ name: XMLName, _ parser: XMLPushParser) {}
}

/// libxml2's push parser (SAX2), for documents of any length and from any source.
///
/// It builds no tree and fetches nothing. It refuses a document at the first declaration in a document type, so it
/// never expands entities. libxml2 bounds what it holds in one piece (10 MB for a tag or comment). Elements nest at
/// most ``maximumDepth`` deep. There are at most ``maximumNames`` distinct names, because libxml2 keeps all names and
/// becomes slow with many.
final class XMLPushParser {
  /// The maximum depth of elements.
  static let maximumDepth: Int32 = 256
  /// The maximum number of distinct names of elements, attributes and prefixes in a document.
  static let maximumNames: Int32 = 20_000

  /// Why parsing stopped.
  enum Failure: Error, Equatable {
    /// The document declares entities or another part of a document type.
    case documentTypeDeclaration(line: Int)
    /// It is not well formed, in libxml2's words; or it ends early, if ``finish(handler:)`` throws this.
    case notWellFormed(String, line: Int)
    /// It exceeds a bound, which the text names.
    case excessive(String, line: Int)
  }

  private let context: xmlParserCtxtPtr
  /// The receiver of events. The caller retains it while the parser runs.
  private var handler: Unmanaged<XMLElementHandler>?
  /// Why a callback stopped the parser.
  private var refusal: Failure?

  /// A parser at the start of a document.
  init() {
    xmlInitParser()
    var sax = XMLPushParser.makeCallbacks()
    guard let context = xmlCreatePushParserCtxt(&sax, nil, nil, 0, nil) else {
      // The standard library does the same when an allocation fails.
      fatalError("out of memory")
    }
    self.context = context
    context.pointee.userData = Unmanaged.passUnretained(self).toOpaque()
    let options = XML_PARSE_NONET.rawValue | XML_PARSE_NOERROR.rawValue | XML_PARSE_NOWARNING.rawValue
    xmlCtxtUseOptions(context, Int32(options))
  }

  deinit {
    // libxml2 creates a document for the declarations that it refuses, and does not free it.
    if let document = context.pointee.myDoc { xmlFreeDoc(document) }
    xmlFreeParserCtxt(context)
  }

  /// The parser's copy of `name`.
  func name(_ name: StaticString) -> XMLName {
    XMLName(address: xmlDictLookup(context.pointee.dict, name.utf8Start, Int32(name.utf8CodeUnitCount)))
  }

  /// The parser's current line, from 1.
  var line: Int { Int(xmlSAX2GetLineNumber(context)) }

  /// Parses the next `bytes` and reports their events to `handler`.
  func parse(_ bytes: UnsafeBufferPointer<UInt8>, handler: XMLElementHandler) throws(Failure) {
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

  /// Ends the document and reports the last events to `handler`.
  func finish(handler: XMLElementHandler) throws(Failure) {
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

  /// Reports an element, unless it is nested too deep.
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

  /// The parser behind the context of a callback.
  @inline(__always)
  fileprivate static func of<Result>(
    _ userData: UnsafeMutableRawPointer?, _ body: (XMLPushParser) -> Result
  ) -> Result? {
    guard let userData else { return nil }
    return Unmanaged<XMLPushParser>.fromOpaque(userData)._withUnsafeGuaranteedRef(body)
  }

  /// The functions that libxml2 calls. All others stay unset, so it fetches and builds nothing.
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
    // With the same function for both, libxml2 need not find out which blanks matter.
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
    // The caller asks for errors; nothing prints them.
    sax.serror = { _, _ in }
    return sax
  }
}
