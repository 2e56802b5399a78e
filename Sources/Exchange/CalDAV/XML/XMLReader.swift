internal import CFencepostLibXML2

/// Reads XML documents into trees with libxml2.
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
  /// - Throws: ``CalDAVSyntaxError`` if it is not well-formed XML, has a document type, or exceeds a limit.
  public static func read(_ bytes: [UInt8], limits: Limits = Limits()) throws(CalDAVSyntaxError)
    -> XMLElement
  {
    guard bytes.count <= limits.bytes else {
      throw CalDAVSyntaxError("the XML has more than \(limits.bytes) bytes")
    }
    guard !bytes.isEmpty else { throw CalDAVSyntaxError("the body is empty, but must be XML") }
    xmlInitParser()
    let builder = XMLTreeBuilder(limits)
    let status = builder.parse(bytes)
    if let refusal = builder.refusal { throw CalDAVSyntaxError(refusal) }
    guard status == nil, let root = builder.root else {
      throw CalDAVSyntaxError("the body is not well-formed XML: \(status ?? "it ends early")")
    }
    return root
  }
}

/// Builds the tree from libxml2's callbacks.
private final class XMLTreeBuilder {
  /// A name in libxml2's memory, which has one copy of each string.
  private struct Key: Hashable {
    var local: UnsafePointer<xmlChar>?
    var namespace: UnsafePointer<xmlChar>?
  }

  private let limits: XMLReader.Limits
  private var context: xmlParserCtxtPtr?
  private var names: [Key: XMLName] = [:]
  private var open: [XMLElement] = []
  private var text: [UInt8] = []
  private var count = 0
  /// The root, after it has ended.
  var root: XMLElement?
  /// Why the document is rejected.
  var refusal: String?

  init(_ limits: XMLReader.Limits) { self.limits = limits }

  /// Parses a document.
  ///
  /// - Returns: libxml2's description of an error, or `nil`.
  func parse(_ bytes: [UInt8]) -> String? {
    var sax = Self.makeCallbacks()
    let user = Unmanaged.passUnretained(self).toOpaque()
    guard let context = xmlCreatePushParserCtxt(&sax, user, nil, 0, nil) else { return "no memory" }
    self.context = context
    defer {
      // libxml2 creates its own document for a document type, and never frees it.
      if let document = context.pointee.myDoc { xmlFreeDoc(document) }
      xmlFreeParserCtxt(context)
    }
    // Without NOENT, `&amp;` in an attribute arrives as `&#38;`. A document without a type has no other entities.
    let options =
      XML_PARSE_NOENT.rawValue | XML_PARSE_NONET.rawValue | XML_PARSE_NOERROR.rawValue
      | XML_PARSE_NOWARNING.rawValue
    xmlCtxtUseOptions(context, Int32(options))
    let status = bytes.withUnsafeBytes {
      xmlParseChunk(context, $0.bindMemory(to: CChar.self).baseAddress, Int32(clamping: $0.count), 1)
    }
    guard status != 0 || context.pointee.nsWellFormed == 0 else { return nil }
    guard let error = xmlCtxtGetLastError(context), let message = error.pointee.message else {
      return "error \(status)"
    }
    let words = String(cString: message).filter { !$0.isNewline }
    return "\(words) (line \(error.pointee.line))"
  }

  private func refuse(_ reason: String) {
    refusal = refusal ?? reason
    if let context { xmlStopParser(context) }
  }

  private func name(_ local: UnsafePointer<xmlChar>?, _ namespace: UnsafePointer<xmlChar>?) -> XMLName {
    let key = Key(local: local, namespace: namespace)
    if let known = names[key] { return known }
    let name = XMLName(
      namespace: namespace.map { String(cString: $0) } ?? "", local.map { String(cString: $0) } ?? "")
    names[key] = name
    return name
  }

  private func endText() {
    guard !text.isEmpty else { return }
    if !open.isEmpty { open[open.count - 1].children.append(.text(String(decoding: text, as: UTF8.self))) }
    text.removeAll(keepingCapacity: true)
  }

  private func start(_ name: XMLName, _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?, _ n: Int)
  {
    endText()
    count += 1 + n
    guard open.count < limits.depth else { return refuse("the XML nests more than \(limits.depth) elements") }
    guard count <= limits.elements else { return refuse("the XML has more than \(limits.elements) elements") }
    var element = XMLElement(name)
    if let attributes {
      // Five pointers an attribute: name, prefix, namespace, start and end of the value.
      for index in stride(from: 0, to: n * 5, by: 5) {
        guard let first = attributes[index + 3], let end = attributes[index + 4] else { continue }
        element.attributes[self.name(attributes[index], attributes[index + 2])] = String(
          decoding: UnsafeBufferPointer(start: first, count: end - first), as: UTF8.self)
      }
    }
    open.append(element)
  }

  private func end() {
    endText()
    guard let element = open.popLast() else { return }
    if open.isEmpty { root = element } else { open[open.count - 1].children.append(.element(element)) }
  }

  private static func of(_ user: UnsafeMutableRawPointer?) -> XMLTreeBuilder? {
    user.map { Unmanaged<XMLTreeBuilder>.fromOpaque($0).takeUnretainedValue() }
  }

  private static func makeCallbacks() -> xmlSAXHandler {
    var sax = xmlSAXHandler()
    sax.initialized = XML_SAX2_MAGIC
    sax.startElementNs = { user, local, _, namespace, _, _, count, _, attributes in
      guard let builder = XMLTreeBuilder.of(user) else { return }
      builder.start(builder.name(local, namespace), attributes, Int(count))
    }
    sax.endElementNs = { user, _, _, _ in XMLTreeBuilder.of(user)?.end() }
    let characters: charactersSAXFunc = { user, bytes, count in
      guard let bytes else { return }
      XMLTreeBuilder.of(user)?.text += UnsafeBufferPointer(start: bytes, count: Int(count))
    }
    // One function for both saves libxml2 the check which blanks matter.
    sax.characters = characters
    sax.ignorableWhitespace = characters
    sax.cdataBlock = characters
    sax.internalSubset = { user, _, _, _ in
      XMLTreeBuilder.of(user)?.refuse("the XML has a document type (DOCTYPE), which is not allowed")
    }
    // Errors are queried, never printed.
    sax.serror = { _, _ in }
    return sax
  }
}
