import Testing

@testable import FencepostXML

@Suite("XML")
struct XMLTests {
  private func read(_ text: String) throws -> XMLElement { try XMLReader.read(Array(text.utf8)) }

  @Test(
    "What XML forbids is taken out, and nothing else",
    arguments: [
      ("<a>x\u{0B}y</a>", "<a>xy</a>"), ("<a>x&#11;y&#x1F;z&#0;</a>", "<a>xyz</a>"),
      ("<a>&#13;&#x9;\t\r\n&#65;&amp;&#;&#x;</a>", "<a>&#13;&#x9;\t\r\n&#65;&amp;&#;&#x;</a>"),
      ("<a><![CDATA[&#11;\u{0B}]]>&#11;</a>", "<a><![CDATA[&#11;]]></a>"),
      ("<a>\u{FFFE}\u{FFFF}&#xFFFF;&#xD800;ü😀</a>", "<a>ü😀</a>"), ("<a b='\u{1}&#1;'/>", "<a b=''/>"),
      ("", ""), ("&#1", "&#1"), ("&#99999999999;", "&#99999999999;"),
    ])
  func forbidden(text: String, repaired: String) {
    #expect(
      String(decoding: XMLReader.withoutForbiddenCharacters(Array(text.utf8)), as: UTF8.self) == repaired)
  }

  @Test("Bytes that are no UTF-8 are replaced")
  func noUTF8() {
    let bytes = Array("<a>".utf8) + [0xFF, 0xED, 0xA0, 0x80] + Array("</a>".utf8)
    let text = String(decoding: XMLReader.withoutForbiddenCharacters(bytes), as: UTF8.self)
    #expect(text.hasPrefix("<a>\u{FFFD}") && text.hasSuffix("</a>"))
  }

  @Test("Prefixes do not matter, and namespaces do")
  func namespaces() throws {
    let texts = [
      "<D:prop xmlns:D='DAV:'><D:getetag/></D:prop>", "<prop xmlns='DAV:'><getetag/></prop>",
      "<x:prop xmlns:x='DAV:'><y:getetag xmlns:y='DAV:'/></x:prop>",
    ]
    for text in texts { #expect(try read(text) == XMLElement(.dav("prop"), [XMLElement(.dav("getetag"))])) }
    #expect(try read("<prop/>").name == XMLName("prop"))
  }

  @Test("What is written is read as the same tree")
  func roundTrip() throws {
    var mixed = XMLElement(XMLName(namespace: "urn:x", "a"), attributes: [XMLName("q"): "\"<&>\t\n\r'"])
    mixed.children = [
      .text("one\r\n"), .element(XMLElement(XMLName("plain"), text: "]]>")),
      .text(" two & <three> ä\u{1F600}"),
      .element(XMLElement(XMLName(namespace: "urn:y", "b"), [XMLElement(XMLName(namespace: "urn:x", "c"))])),
    ]
    mixed.attributes[XMLName(namespace: "urn:z", "q")] = "other"
    mixed.attributes[XMLName(namespace: XMLName.xmlNamespace, "lang")] = "de"
    let root = XMLElement(.dav("prop"), [mixed, XMLElement(.apple("calendar-color"), text: "#FF0000")])
    #expect(try XMLReader.read(XMLWriter.document(root)) == root)
    #expect(try XMLReader.read(XMLWriter.document(root, prefixes: ["DAV:": "D", "urn:x": "x"])) == root)
  }

  @Test("The root declares the given prefixes, and other namespaces are declared where they are used")
  func prefixes() {
    let root = XMLElement(.dav("prop"), [XMLElement(.apple("calendar-color"))])
    let text = String(decoding: XMLWriter.document(root, prefixes: ["DAV:": "D"]), as: UTF8.self)
    #expect(
      text == """
        <?xml version="1.0" encoding="utf-8"?>
        <D:prop xmlns:D="DAV:"><n1:calendar-color xmlns:n1="http://apple.com/ns/ical/"/></D:prop>

        """)
  }

  @Test("Texts are escaped for tags and for quotes")
  func escaping() {
    let text = "a&b<c>\"d'\te\r\n\u{1}\u{FFFE}\u{FFFF}\u{FFFD}\u{FFBE}\u{BF}ä"
    let rest = "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFBE}\u{BF}ä"
    #expect(XMLEscaping.escaped(text) == "a&amp;b&lt;c&gt;\"d'\te&#13;\n" + rest)
    #expect(
      XMLEscaping.escaped(text, in: .attribute) == "a&amp;b&lt;c&gt;&quot;d&#39;&#9;e&#13;&#10;" + rest)
    #expect(XMLEscaping.escaped("plain ü") == "plain ü")
  }

  @Test("What XML can not hold is replaced")
  func controls() throws {
    let root = XMLElement(.dav("displayname"), text: "a\u{0}b\u{1F}c\u{FFFE}d\u{FFFF}")
    #expect(try XMLReader.read(XMLWriter.document(root)).text == "a\u{FFFD}b\u{FFFD}c\u{FFFD}d\u{FFFD}")
  }

  @Test("Texts come with references, CDATA and comments resolved")
  func texts() throws {
    let root = try read("<a>&lt;x&#65;&#x42; <![CDATA[<y>]]><!-- no --><?no no?>z</a>")
    #expect(root.text == "<xAB <y>z")
    #expect(try read("<a>\n  b c \t</a>").trimmedText == "b c")
    #expect(try read("<a> \n </a>").trimmedText == "")
  }

  @Test(
    "A document type is refused before anything is expanded",
    arguments: [
      "<!DOCTYPE a><a/>", "<!DOCTYPE a SYSTEM 'file:///etc/passwd'><a/>",
      "<!DOCTYPE a [<!ENTITY b 'cc'><!ENTITY d '&b;&b;&b;&b;'>]><a>&d;</a>",
      "<!DOCTYPE a [<!ENTITY b SYSTEM 'file:///etc/passwd'>]><a>&b;</a>",
      "<!DOCTYPE a [<!ENTITY % p SYSTEM 'http://127.0.0.1:1/'>%p;]><a/>",
    ])
  func documentTypes(text: String) {
    let error = #expect(throws: XMLSyntaxError.self) { try read(text) }
    #expect(error?.description.contains("DOCTYPE") == true)
  }

  @Test(
    "What is not well formed is an error that says where",
    arguments: [
      "", "x", "<a>", "<a></b>", "<a>&no;</a>", "<a/><b/>", "<p:a/>", "<a b='1' b='2'/>", "\0",
      "<a>\u{1}</a>",
    ])
  func broken(text: String) { #expect(throws: XMLSyntaxError.self) { try read(text) } }

  @Test("A document that is cut anywhere is an error, and never a crash")
  func cuts() {
    let whole = Array("<D:a xmlns:D='DAV:'><D:b c=\"d\">&amp;text</D:b><![CDATA[x]]></D:a>".utf8)
    for end in 0..<whole.count {
      #expect(throws: XMLSyntaxError.self) { try XMLReader.read(Array(whole[..<end])) }
    }
  }

  @Test("Depth, number and size are limited")
  func limits() {
    let deep = String(repeating: "<a>", count: 65) + String(repeating: "</a>", count: 65)
    #expect(throws: XMLSyntaxError(description: "the XML nests more than 64 elements")) { try read(deep) }
    let many = Array(("<a>" + String(repeating: "<b/>", count: 11) + "</a>").utf8)
    #expect(throws: XMLSyntaxError(description: "the XML has more than 10 elements")) {
      try XMLReader.read(many, limits: .init(elements: 10))
    }
    #expect(throws: XMLSyntaxError(description: "the XML has more than 9 bytes")) {
      try XMLReader.read(many, limits: .init(bytes: 9))
    }
  }

  @Test("Random bytes never crash the reader")
  func fuzz() {
    var random = SystemRandomNumberGenerator()
    let seed = UInt64.random(in: 0...UInt64.max, using: &random)
    var generator = SplitMix(seed: seed)
    let start = Array("<?xml version='1.0'?><D:a xmlns:D='DAV:'><D:b x='1'>t&amp;</D:b></D:a>".utf8)
    for _ in 0..<2_000 {
      var bytes = start
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(
          in: 0...255, using: &generator)
      }
      // Well formed or an error: what counts is that it returns.
      if let root = try? XMLReader.read(bytes) {
        #expect((try? XMLReader.read(XMLWriter.document(root))) != nil, "seed \(seed): \(bytes)")
      }
    }
  }
}

extension XMLName {
  fileprivate static func dav(_ local: String) -> XMLName { XMLName(namespace: "DAV:", local) }

  fileprivate static func apple(_ local: String) -> XMLName {
    XMLName(namespace: "http://apple.com/ns/ical/", local)
  }
}

/// A generator whose numbers follow from its seed.
private struct SplitMix: RandomNumberGenerator {
  var seed: UInt64

  mutating func next() -> UInt64 {
    seed &+= 0x9E37_79B9_7F4A_7C15
    var value = seed
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}
