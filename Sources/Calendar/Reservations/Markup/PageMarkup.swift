import FencepostAlgorithms
import FencepostXML
import Glibc

/// Collects the JSON-LD and the Microdata of a page.
///
/// Source of the values: HTML Living Standard, section 5.2 (Microdata). `itemref` is not followed.
final class PageMarkup: HTMLHandler {
  /// An open element that is part of Microdata.
  private struct Open {
    var name: String
    /// How many elements of the same name are open within it.
    var depth = 0
    /// The properties whose value is its text or its object.
    var properties: [String]
    /// Its object, if it is one.
    var item: MarkupItem?
    /// The value of its attribute, otherwise its text.
    var value: String?
    var text: [UInt8] = []
  }

  private(set) var items: [MarkupItem] = []
  /// The language of the page, as written.
  private(set) var language: String?
  private var open: [Open] = []
  private var script: [UInt8]?
  private var itemsLeft = MarkupItem.maximumItems

  /// The longest script and the longest text, in bytes.
  private static let maximumScript = 1 << 20
  private static let maximumText = 8_192

  var isDone: Bool { itemsLeft <= 0 }

  /// The objects in a page, in the order of their ends, and its language.
  static func read(_ page: UnsafeBufferPointer<UInt8>) -> (items: [MarkupItem], language: String?) {
    guard MarkupHint.mayHold(page) else { return ([], nil) }
    let markup = PageMarkup()
    prepared(page.prefix(HTMLParser.maximumBytes)).withUnsafeBufferPointer {
      HTMLParser.parse($0, handler: markup)
    }
    while !markup.open.isEmpty { markup.closeLast() }
    markup.endScript()
    return (markup.items, markup.language)
  }

  /// The page as the parser should see it: with blanks instead of `</html>` and `</body>`, because it would
  /// stop there, but mails continue; and with `q` instead of each `p` that is an object of Microdata, because
  /// a `div` would end it.
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
          if !isEnd, paragraphs.count < HTMLParser.maximumDepth {
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

  func startElement(_ name: String, _ attributes: [String: String]) {
    if name == "html" { language = language ?? attributes["lang"] ?? attributes["xml:lang"] }
    if name == "script" {
      endScript()
      let type = attributes["type"]?.lowercased() ?? ""
      if type.contains("ld+json") { script = [] }
      return
    }
    for index in open.indices where open[index].name == name && !Self.isVoid(name) { open[index].depth += 1 }
    let isItem = attributes["itemscope"] != nil || attributes["itemtype"] != nil
    let properties = attributes["itemprop"]?.split(whereSeparator: \.isWhitespace).map {
      JSONLD.localName(String($0))
    }
    guard isItem || properties != nil else { return }
    guard open.count < MarkupItem.maxDepth else { return }
    itemsLeft -= 1
    var entry = Open(name: name, properties: properties ?? [], value: Self.value(of: name, attributes))
    if isItem {
      let types = attributes["itemtype"]?.split(whereSeparator: \.isWhitespace).map {
        JSONLD.localName(String($0))
      }
      entry.item = MarkupItem(types: types ?? [])
      if let id = attributes["itemid"] { entry.item?.properties["@id"] = [.text(id)] }
    }
    open.append(entry)
    if Self.isVoid(name) { closeLast() }
  }

  func characters(_ text: UnsafeBufferPointer<UInt8>) {
    if let count = script?.count {
      if count + text.count <= Self.maximumScript { script?.append(contentsOf: text) }
      return
    }
    for index in open.indices where open[index].item == nil && open[index].value == nil {
      open[index].text.append(contentsOf: text.prefix(max(0, Self.maximumText - open[index].text.count)))
    }
  }

  func endElement(_ name: String) {
    if name == "script" { return endScript() }
    if Self.isVoid(name) { return }
    // The innermost element of this name ends, with all open elements in it.
    guard let index = open.lastIndex(where: { $0.name == name }) else { return }
    if open[index].depth > 0 {
      for index in open.indices where open[index].name == name { open[index].depth -= 1 }
      return
    }
    for outer in open[..<index].indices where open[outer].name == name { open[outer].depth -= 1 }
    while open.count > index { closeLast() }
  }

  private func endScript() {
    guard let text = script else { return }
    script = nil
    items += JSONLD.items(in: text)
  }

  private func closeLast() {
    guard let entry = open.popLast() else { return }
    let value: MarkupItem.Value
    if let item = entry.item {
      value = .item(item)
      guard !entry.properties.isEmpty, open.contains(where: { $0.item != nil }) else {
        items.append(item)
        return
      }
    } else {
      value = .text(entry.value ?? String(decoding: entry.text, as: UTF8.self))
    }
    guard let owner = open.lastIndex(where: { $0.item != nil }) else { return }
    for property in entry.properties { open[owner].item?.properties[property, default: []].append(value) }
  }

  /// The value of a property in an attribute.
  private static func value(of element: String, _ attributes: [String: String]) -> String? {
    if let content = attributes["content"] { return content }
    switch element {
    case "a", "area", "link": return attributes["href"]
    case "img", "audio", "embed", "iframe", "source", "track", "video": return attributes["src"]
    case "object": return attributes["data"]
    case "data", "meter": return attributes["value"]
    case "time": return attributes["datetime"]
    default: return attributes["datetime"]
    }
  }

  private static func isVoid(_ element: String) -> Bool {
    ["meta", "link", "img", "br", "hr", "input", "area", "embed", "source", "track", "wbr", "base", "col"]
      .contains(element)
  }
}

/// A quick check of a page. Most pages have no markup, so they need no parser.
enum MarkupHint {
  /// False if `page` can't have JSON-LD or Microdata.
  static func mayHold(_ page: UnsafeBufferPointer<UInt8>) -> Bool {
    contains("ld+json", in: page) || contains("itemtype", in: page) || contains("itemscope", in: page)
  }

  /// Whether `page` contains `word`, which is in lower case, ignoring case. Searches for one rare letter of
  /// the word with `memchr`, which costs a fraction of a nanosecond a byte.
  static func contains(_ word: StaticString, in page: UnsafeBufferPointer<UInt8>) -> Bool {
    let count = word.utf8CodeUnitCount
    guard let base = page.baseAddress, page.count >= count else { return false }
    let offset = word.utf8CodeUnitCount == 7 ? 2 : 3  // "+" and "m"
    let last = page.count - count
    for letter in Set([word.utf8Start[offset], ASCII.uppercased(word.utf8Start[offset])]) {
      var start = offset
      while start <= last + offset, let found = memchr(base + start, Int32(letter), last + offset - start + 1)
      {
        let place = UnsafeRawPointer(base).distance(to: UnsafeRawPointer(found)) - offset
        if (0..<count).allSatisfy({ base[place + $0] | 0x20 == word.utf8Start[$0] | 0x20 }) { return true }
        start = place + offset + 1
      }
    }
    return false
  }
}
