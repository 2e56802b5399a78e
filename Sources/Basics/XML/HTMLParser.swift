internal import CFencepostLibXML2

/// The elements and texts of a page, in order.
public protocol HTMLHandler: AnyObject {
  /// An element begins. Names are in lower case.
  func startElement(_ name: String, _ attributes: [String: String])
  /// Text, in pieces.
  func characters(_ text: UnsafeBufferPointer<UInt8>)
  /// An element ends.
  func endElement(_ name: String)
  /// True to stop parsing.
  var isDone: Bool { get }
}

/// libxml2's HTML parser (SAX), for pages of any quality. It builds no tree, fetches nothing and expands only
/// HTML's own entities.
///
/// Pages over ``maximumBytes`` are cut there; one that nests elements deeper than ``maximumDepth``, or has
/// too many attributes, ends there, because libxml2's cost grows with the square of both.
public enum HTMLParser {
  /// The maximum number of bytes of a page.
  public static let maximumBytes = 8 << 20
  /// The maximum depth of nested elements.
  public static let maximumDepth = 400
  /// The maximum number of elements of a page.
  public static let maximumElements = 200_000
  /// The maximum number of blanks and quotes of a tag; there are fewer attributes.
  private static let maximumBlanks = 20_000
  /// The maximum number of comparisons of names of attributes that libxml2 may make for a page.
  private static let maximumComparisons = 200_000_000

  /// Parses a page and reports its events to `handler`.
  ///
  /// libxml2 stops at `</html>` and `</body>`.
  ///
  /// - Parameter page: UTF-8, or another encoding that a `meta` element names; otherwise read as
  ///   Windows-1252.
  public static func parse(_ page: UnsafeBufferPointer<UInt8>, handler: any HTMLHandler) {
    let page = UnsafeBufferPointer(rebasing: page.prefix(maximumBytes))
    guard let base = page.baseAddress, !page.isEmpty else { return }
    xmlInitParser()
    let relay = Relay(handler)
    var sax = Relay.makeCallbacks()
    // Valid UTF-8 is UTF-8, even if the page names another encoding.
    let isUTF8 = (try? UTF8Span(validating: page.span)) != nil
    let encoding = isUTF8 ? XML_CHAR_ENCODING_UTF8 : XML_CHAR_ENCODING_NONE
    withExtendedLifetime(relay) {
      let user = Unmanaged.passUnretained(relay).toOpaque()
      guard let context = htmlCreatePushParserCtxt(&sax, user, nil, 0, nil, encoding) else { return }
      relay.context = context
      let options =
        HTML_PARSE_RECOVER.rawValue | HTML_PARSE_NOERROR.rawValue | HTML_PARSE_NOWARNING.rawValue
        | HTML_PARSE_NONET.rawValue | (isUTF8 ? HTML_PARSE_IGNORE_ENC.rawValue : 0)
      htmlCtxtUseOptions(context, Int32(options))
      base.withMemoryRebound(to: CChar.self, capacity: page.count) { bytes in
        var start = 0
        // In pieces, so that a stop takes effect.
        while start < page.count, !relay.isStopped {
          let count = min(1 << 16, page.count - start)
          htmlParseChunk(context, bytes + start, Int32(count), 0)
          start += count
          if waitsForEndlessTag(context) { relay.stop() }
        }
        if !relay.isStopped { htmlParseChunk(context, nil, 0, 1) }
      }
      if let document = context.pointee.myDoc { xmlFreeDoc(document) }
      htmlFreeParserCtxt(context)
    }
  }

  /// True if the parser waits for the end of a tag that has too many attributes already.
  private static func waitsForEndlessTag(_ context: htmlParserCtxtPtr) -> Bool {
    guard let input = context.pointee.input?.pointee, let start = input.cur, let end = input.end,
      end - start > maximumBlanks, start[0] == UInt8(ascii: "<")
    else { return false }
    var blanks = 0
    for byte in UnsafeBufferPointer(start: start, count: end - start) {
      if byte <= 0x20 || byte == 0x22 || byte == 0x27 { blanks += 1 }
    }
    return blanks > maximumBlanks
  }

  /// Passes libxml2's calls on.
  private final class Relay {
    let handler: any HTMLHandler
    var context: htmlParserCtxtPtr?
    var elements = 0
    var comparisons = 0
    var isStopped = false

    init(_ handler: any HTMLHandler) { self.handler = handler }

    func stop() {
      isStopped = true
      if let context { xmlStopParser(context) }
    }

    func start(_ name: UnsafePointer<xmlChar>, _ values: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?) {
      elements += 1
      if elements > maximumElements || (context?.pointee.nameNr ?? 0) > Int32(maximumDepth) || handler.isDone
      {
        return stop()
      }
      var attributes: [String: String] = [:]
      var index = 0
      while let values, let key = values[index] {
        defer { index += 2 }
        guard index < 128 else { continue }
        attributes[String(cString: key).lowercased()] = values[index + 1].map { String(cString: $0) } ?? ""
      }
      comparisons += index * index / 8
      if comparisons > maximumComparisons { return stop() }
      handler.startElement(String(cString: name).lowercased(), attributes)
    }

    static func of(_ user: UnsafeMutableRawPointer?) -> Relay? {
      guard let user else { return nil }
      let relay = Unmanaged<Relay>.fromOpaque(user).takeUnretainedValue()
      return relay.isStopped ? nil : relay
    }

    static func makeCallbacks() -> xmlSAXHandler {
      var sax = xmlSAXHandler()
      sax.startElement = { user, name, values in
        if let name { Relay.of(user)?.start(name, values) }
      }
      sax.endElement = { user, name in
        if let name { Relay.of(user)?.handler.endElement(String(cString: name).lowercased()) }
      }
      let characters: charactersSAXFunc = { user, text, count in
        Relay.of(user)?.handler.characters(UnsafeBufferPointer(start: text, count: Int(count)))
      }
      sax.characters = characters
      sax.ignorableWhitespace = characters
      sax.cdataBlock = characters
      sax.serror = { _, _ in }
      return sax
    }
  }
}
