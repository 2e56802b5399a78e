internal import CFencepostLibXML2
import FencepostAlgorithms

/// The elements and texts of a page, in order.
protocol HTMLHandler: AnyObject {
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
/// Pages over ``mostBytes`` are cut there; one that nests elements deeper than ``maxDepth``, or has too many attributes,
/// ends there, because libxml2's cost grows with the square of both.
enum HTMLParser {
  /// The most bytes of a page.
  static let mostBytes = 8 << 20
  /// The maximum depth of nested elements.
  static let maxDepth: Int32 = 400
  /// The most elements of a page.
  static let mostElements = 200_000
  /// The most blanks and quotes of a tag; there are fewer attributes.
  private static let mostBlanks = 20_000
  /// The most comparisons of names of attributes that libxml2 may make for a page.
  private static let mostComparisons = 200_000_000

  /// Parses a page and reports its events to `handler`.
  ///
  /// - Parameter page: UTF-8, or another encoding that a `meta` element names; otherwise read as
  ///   Windows-1252.
  static func parse(_ page: UnsafeBufferPointer<UInt8>, telling handler: any HTMLHandler) {
    prepared(page.prefix(mostBytes)).withUnsafeBufferPointer { parseWhole($0, telling: handler) }
  }

  /// The page as libxml2 should see it: with blanks instead of `</html>` and `</body>`, because it would stop there, but mails
  /// continue; and with `q` instead of each `p` that is an object of Microdata, because a `div` would end it.
  private static func prepared(_ page: Slice<UnsafeBufferPointer<UInt8>>) -> [UInt8] {
    var bytes = Array(page)
    var start = 0
    // The open paragraphs; true for objects.
    var paragraphs: [Bool] = []
    while let index = bytes.withUnsafeBufferPointer({ ASCII.index(of: ASCII.lessThan, in: $0, from: start) })
    {
      start = index + 1
      if start + 2 < bytes.count {
        let isEnd = bytes[start] == ASCII.slash
        let name = isEnd ? start + 1 : start
        if bytes[name] | 0x20 == UInt8(ascii: "p"), bytes[name + 1] <= ASCII.space || bytes[name + 1] == 0x3E
        {
          if isEnd || paragraphs.last == false, paragraphs.popLast() == true {
            bytes[name] = UInt8(ascii: "q")
          }
          if !isEnd, paragraphs.count < Int(maxDepth) {
            let tag = bytes[name...].prefix { $0 != 0x3E && $0 != ASCII.lessThan }
            paragraphs.append(tag.withUnsafeBufferPointer { MarkupHint.contains("itemscope", in: $0) })
            if paragraphs.last == true { bytes[name] = UInt8(ascii: "q") }
          }
        }
      }
      guard start < bytes.count, bytes[start] == ASCII.slash else { continue }
      let name = bytes[(start + 1)...].prefix(4).map { ASCII.uppercased($0) }
      guard name.elementsEqual("HTML".utf8) || name.elementsEqual("BODY".utf8) else { continue }
      var end = index
      while end < bytes.count, bytes[end] != 0x3E { end += 1 }
      for place in index..<min(end + 1, bytes.count) { bytes[place] = ASCII.space }
    }
    return bytes
  }

  private static func parseWhole(_ page: UnsafeBufferPointer<UInt8>, telling handler: any HTMLHandler) {
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
      end - start > mostBlanks, start[0] == ASCII.lessThan
    else { return false }
    var blanks = 0
    for byte in UnsafeBufferPointer(start: start, count: end - start) {
      if byte <= ASCII.space || byte == 0x22 || byte == 0x27 { blanks += 1 }
    }
    return blanks > mostBlanks
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
      if elements > mostElements || (context?.pointee.nameNr ?? 0) > maxDepth || handler.isDone {
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
      if comparisons > mostComparisons { return stop() }
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
