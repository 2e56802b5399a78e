/// Writes trees as XML documents in UTF-8.
///
/// The root declares the prefixes of WebDAV, CalDAV and Apple; other namespaces are declared where they are
/// used. A carriage return becomes a reference, because parsers would drop it. So calendar data arrives
/// unchanged.
public struct XMLWriter {
  private var bytes: [UInt8]
  private var prefixes = [
    XMLNamespace.dav: "D", XMLNamespace.caldav: "C", XMLNamespace.calendarServer: "CS",
    XMLNamespace.apple: "A",
  ]

  private init() { bytes = Array("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n".utf8) }

  /// A document with this root. Cost: linear.
  public static func document(_ root: XMLElement) -> [UInt8] {
    var writer = XMLWriter()
    let declared = writer.prefixes.map { (XMLName("xmlns:" + $1), $0) }
    writer.write(root, declaring: declared)
    writer.bytes.append(UInt8(ascii: "\n"))
    return writer.bytes
  }

  private mutating func write(_ element: XMLElement, declaring declared: [(XMLName, String)] = []) {
    var declared = declared
    let outer = prefixes
    let name = qualified(element.name, &declared)
    let attributes = element.attributes.map { (qualified($0, &declared), $1) }
    put("<")
    put(name)
    for (name, namespace) in declared.sorted(by: { $0.0.local < $1.0.local }) {
      put(" \(name.local)=\"")
      putEscaped(namespace, inAttribute: true)
      put("\"")
    }
    for (name, value) in attributes.sorted(by: { $0.0 < $1.0 }) {
      put(" \(name)=\"")
      putEscaped(value, inAttribute: true)
      put("\"")
    }
    if element.children.isEmpty {
      put("/>")
    } else {
      put(">")
      for child in element.children {
        switch child {
        case .element(let element): write(element)
        case .text(let text): putEscaped(text, inAttribute: false)
        }
      }
      put("</")
      put(name)
      put(">")
    }
    if prefixes.count != outer.count { prefixes = outer }
  }

  /// A name with its prefix. Declares an unknown namespace.
  private mutating func qualified(_ name: XMLName, _ declared: inout [(XMLName, String)]) -> String {
    if name.namespace.isEmpty { return name.local }
    if name.namespace == XMLNamespace.xml { return "xml:" + name.local }
    if let prefix = prefixes[name.namespace] { return "\(prefix):\(name.local)" }
    let prefix = "n\(prefixes.count)"
    prefixes[name.namespace] = prefix
    declared.append((XMLName("xmlns:" + prefix), name.namespace))
    return "\(prefix):\(name.local)"
  }

  private mutating func put(_ text: String) { bytes.append(contentsOf: text.utf8) }

  private mutating func putEscaped(_ text: String, inAttribute: Bool) {
    // Most texts are addresses, tags and numbers. 0xEF begins the characters that XML can't contain.
    let isPlain = text.utf8.allSatisfy { byte in
      byte >= 0x20 && byte != UInt8(ascii: "&") && byte != UInt8(ascii: "<") && byte != UInt8(ascii: ">")
        && byte != UInt8(ascii: "\"") && byte != 0xEF
    }
    if isPlain { return put(text) }
    // What XML 1.0 has no way to write (section 2.2) becomes U+FFFD.
    let isWritable = text.unicodeScalars.allSatisfy {
      $0.value >= 0x20 && $0.value != 0xFFFE && $0.value != 0xFFFF || $0 == "\t" || $0 == "\n" || $0 == "\r"
    }
    guard isWritable else {
      var clean = String.UnicodeScalarView()
      for scalar in text.unicodeScalars {
        let isControl = scalar.value < 0x20 && scalar != "\t" && scalar != "\n" && scalar != "\r"
        clean.append(isControl || scalar.value | 1 == 0xFFFF ? "\u{FFFD}" : scalar)
      }
      return putEscaped(String(clean), inAttribute: inAttribute)
    }
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "&"): put("&amp;")
      case UInt8(ascii: "<"): put("&lt;")
      case UInt8(ascii: ">"): put("&gt;")
      case 0x0D: put("&#13;")
      case UInt8(ascii: "\"") where inAttribute: put("&quot;")
      case 0x09 where inAttribute: put("&#9;")
      case 0x0A where inAttribute: put("&#10;")
      default: bytes.append(byte)
      }
    }
  }
}
