internal import CFencepostLibXML2

/// A name or namespace in a parser's memory. The parser has one copy of each, so comparing addresses compares
/// texts. A symbol is valid as long as its parser.
public struct XMLSymbol: Hashable {
  @usableFromInline
  let address: UnsafePointer<UInt8>?

  @inlinable
  init(address: UnsafePointer<UInt8>?) { self.address = address }

  /// Whether both are the same text of the same parser.
  @inlinable
  public static func == (one: XMLSymbol, other: XMLSymbol) -> Bool { one.address == other.address }

  /// Hashes the address.
  @inlinable
  public func hash(into hasher: inout Hasher) { hasher.combine(address) }

  /// The text; empty for no namespace.
  public var text: String { address.map { String(cString: $0) } ?? "" }
}

/// The attributes of one element, in libxml2's memory during a callback.
public struct XMLAttributes {
  /// libxml2 has five pointers per attribute: name, prefix, namespace, start and end of the value.
  @usableFromInline
  let base: UnsafeMutablePointer<UnsafePointer<UInt8>?>?
  /// The number of attributes.
  public let count: Int

  init(base: UnsafeMutablePointer<UnsafePointer<UInt8>?>?, count: Int) {
    self.base = base
    self.count = count
  }

  /// The name of the attribute at `index`, without its prefix.
  @inlinable
  @inline(__always)
  public func name(at index: Int) -> XMLSymbol { XMLSymbol(address: base?[index * 5]) }

  /// The namespace of the attribute at `index`. An attribute without a prefix has none.
  @inlinable
  public func namespace(at index: Int) -> XMLSymbol { XMLSymbol(address: base?[index * 5 + 2]) }

  /// The value of the attribute at `index`, with its references resolved.
  @inlinable
  @inline(__always)
  public func value(at index: Int) -> UnsafeBufferPointer<UInt8> {
    guard let start = base?[index * 5 + 3], let end = base?[index * 5 + 4] else {
      return .init(start: nil, count: 0)
    }
    return UnsafeBufferPointer(start: start, count: end - start)
  }
}

/// Receives the events of an XML document, in order. Arguments are valid during the call.
///
/// A base class, not a protocol: a track point takes ten calls, and calls to a class do not count references.
open class XMLElementHandler {
  /// A handler that ignores everything.
  public init() {}

  /// An element begins.
  open func startElement(
    _ name: XMLSymbol, in namespace: XMLSymbol, _ attributes: XMLAttributes, _ parser: XMLPushParser
  ) {}

  /// Text within an element, in pieces of any size.
  open func characters(_ text: UnsafeBufferPointer<UInt8>) {}

  /// An element ends.
  open func endElement(_ name: XMLSymbol, _ parser: XMLPushParser) {}
}

/// libxml2's push parser (SAX2), for documents of any length and from any source.
///
/// It builds no tree and fetches nothing. It refuses a document at the first declaration in a document type,
/// or at the document type itself, so it never expands entities except XML's own five. A tag has at most
/// ``maximumTag`` bytes, and an element ``maximumAttributes``, because libxml2 compares each attribute of
/// an element with all others. Elements nest at most ``maximumDepth`` deep. There are at most ``maximumNames``
/// distinct names, because libxml2 keeps all names and becomes slow with many.
public final class XMLPushParser {
  /// The maximum depth of elements, unless the caller wants less.
  public static let maximumDepth = 256
  /// The maximum number of distinct names of elements, attributes and prefixes in a document.
  public static let maximumNames = 20_000
  /// The maximum number of attributes of an element, with its declarations of namespaces.
  public static let maximumAttributes = 256
  /// The maximum bytes of the tag at the start of an element, to a chunk exactly.
  public static let maximumTag = 128 << 10
  /// The bytes that libxml2 gets at once: it takes at most 10 MB.
  private static let chunk = 32 << 10

  /// Why parsing stopped.
  public enum Failure: Error, Equatable {
    /// The document declares entities or another part of a document type; or it has one and must not.
    case documentTypeDeclaration(line: Int)
    /// It is not well formed, in libxml2's words; or it ends early, if ``finish(handler:)`` throws this.
    case notWellFormed(String, line: Int)
    /// It exceeds a bound, which the text names.
    case excessive(String, line: Int)
  }

  private let context: xmlParserCtxtPtr
  private let maximumDepth: Int32
  private let allowsDocumentType: Bool
  /// The receiver of events. The caller retains it while the parser runs.
  private var handler: Unmanaged<XMLElementHandler>?
  /// The bytes since libxml2's last event.
  private var silence = 0
  /// Why a callback stopped the parser.
  private var refusal: Failure?

  /// A parser at the start of a document.
  ///
  /// - Parameters:
  ///   - maximumDepth: The maximum depth of elements.
  ///   - allowsDocumentType: Whether a document type without declarations is ignored, not refused.
  public init(maximumDepth: Int = maximumDepth, allowsDocumentType: Bool) {
    xmlInitParser()
    var sax = XMLPushParser.makeCallbacks()
    guard let context = xmlCreatePushParserCtxt(&sax, nil, nil, 0, nil) else {
      // The standard library does the same when an allocation fails.
      fatalError("out of memory")
    }
    self.context = context
    self.maximumDepth = Int32(clamping: maximumDepth)
    self.allowsDocumentType = allowsDocumentType
    context.pointee.userData = Unmanaged.passUnretained(self).toOpaque()
    // Without NOENT, `&amp;` in an attribute arrives as `&#38;`. There are no entities but XML's own.
    let options =
      XML_PARSE_NOENT.rawValue | XML_PARSE_NONET.rawValue | XML_PARSE_NOERROR.rawValue
      | XML_PARSE_NOWARNING.rawValue
    xmlCtxtUseOptions(context, Int32(options))
  }

  deinit {
    // libxml2 creates a document for the declarations that it refuses, and does not free it.
    if let document = context.pointee.myDoc { xmlFreeDoc(document) }
    xmlFreeParserCtxt(context)
  }

  /// The parser's copy of `name`.
  public func name(_ name: StaticString) -> XMLSymbol {
    XMLSymbol(address: xmlDictLookup(context.pointee.dict, name.utf8Start, Int32(name.utf8CodeUnitCount)))
  }

  /// The parser's current line, from 1.
  public var line: Int { Int(xmlSAX2GetLineNumber(context)) }

  /// The first error in the use of namespaces so far, such as a prefix that nothing declares. It does not
  /// stop the parser.
  public var namespaceFailure: Failure? { context.pointee.nsWellFormed == 0 ? failure(0) : nil }

  /// Parses the next `bytes` and reports their events to `handler`.
  public func parse(_ bytes: UnsafeBufferPointer<UInt8>, handler: XMLElementHandler) throws(Failure) {
    guard let base = bytes.baseAddress else { return }
    self.handler = .passUnretained(handler)
    defer { self.handler = nil }
    for start in stride(from: 0, to: bytes.count, by: XMLPushParser.chunk) {
      let count = min(XMLPushParser.chunk, bytes.count - start)
      silence += count
      let status = (base + start).withMemoryRebound(to: CChar.self, capacity: count) {
        xmlParseChunk(context, $0, Int32(clamping: count), 0)
      }
      if status != 0 { throw failure(status) }
      if xmlDictSize(context.pointee.dict) > XMLPushParser.maximumNames {
        throw .excessive("has more than \(XMLPushParser.maximumNames) names of elements", line: line)
      }
      // libxml2 waits for the end of the tag.
      if silence > XMLPushParser.maximumTag, context.pointee.instate == XML_PARSER_START_TAG {
        throw .excessive("has a tag of more than \(XMLPushParser.maximumTag >> 10) kB", line: line)
      }
    }
  }

  /// Ends the document and reports the last events to `handler`.
  public func finish(handler: XMLElementHandler) throws(Failure) {
    self.handler = .passUnretained(handler)
    defer { self.handler = nil }
    let status = xmlParseChunk(context, nil, 0, 1)
    if status != 0 { throw failure(status) }
  }

  /// Stops the parser within a call of its handler: the parser then throws `failure`.
  public func stop(_ failure: Failure) {
    refusal = refusal ?? failure
    xmlStopParser(context)
  }

  /// The receiver, for an event.
  @inline(__always)
  fileprivate func receiver() -> Unmanaged<XMLElementHandler>? {
    silence = 0
    return handler
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

  /// Reports an element, unless it is nested too deep or has too many attributes.
  @inline(__always)
  fileprivate func startElement(
    _ name: XMLSymbol, in namespace: XMLSymbol, declarations: Int, _ attributes: XMLAttributes
  ) {
    if context.pointee.nameNr >= maximumDepth {
      stop(.excessive("nests more than \(maximumDepth) elements", line: line))
    } else if declarations + attributes.count > XMLPushParser.maximumAttributes {
      stop(
        .excessive("has an element with more than \(XMLPushParser.maximumAttributes) attributes", line: line))
    } else {
      receiver()?._withUnsafeGuaranteedRef { $0.startElement(name, in: namespace, attributes, self) }
    }
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
    sax.startElementNs = { userData, name, _, namespace, declarations, _, count, _, attributes in
      _ = XMLPushParser.of(userData) {
        let attributes = XMLAttributes(base: attributes, count: Int(count))
        $0.startElement(
          XMLSymbol(address: name), in: XMLSymbol(address: namespace), declarations: Int(declarations),
          attributes)
      }
    }
    sax.endElementNs = { userData, name, _, _ in
      _ = XMLPushParser.of(userData) { parser in
        parser.receiver()?._withUnsafeGuaranteedRef { $0.endElement(XMLSymbol(address: name), parser) }
      }
    }
    let characters: charactersSAXFunc = { userData, text, count in
      _ = XMLPushParser.of(userData) {
        $0.receiver()?._withUnsafeGuaranteedRef {
          $0.characters(UnsafeBufferPointer(start: text, count: Int(count)))
        }
      }
    }
    // With the same function for both, libxml2 need not find out which blanks matter.
    sax.characters = characters
    sax.ignorableWhitespace = characters
    sax.cdataBlock = characters
    sax.internalSubset = { userData, _, _, _ in
      _ = XMLPushParser.of(userData) { if !$0.allowsDocumentType { $0.refuseDeclaration() } }
    }
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
