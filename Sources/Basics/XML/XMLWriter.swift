/// Writes trees as XML documents in UTF-8.
///
/// The text of a document arrives unchanged, because ``XMLEscaping`` escapes carriage returns too.
public struct XMLWriter {
  private var bytes = Array("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n".utf8)
  /// The prefixes of the namespaces that are declared so far.
  private var prefixes: [String: String]

  /// A document with this root. Cost: linear.
  ///
  /// - Parameter prefixes: Prefixes by namespace, which the root declares. Other namespaces are declared
  ///   where they are used.
  public static func document(_ root: XMLElement, prefixes: [String: String] = [:]) -> [UInt8] {
    var writer = XMLWriter(prefixes: prefixes)
    let declared = prefixes.map { (XMLName("xmlns:" + $1), $0) }
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
      XMLEscaping.append(namespace, to: &bytes, in: .attribute)
      put("\"")
    }
    for (name, value) in attributes.sorted(by: { $0.0 < $1.0 }) {
      put(" \(name)=\"")
      XMLEscaping.append(value, to: &bytes, in: .attribute)
      put("\"")
    }
    if element.children.isEmpty {
      put("/>")
    } else {
      put(">")
      for child in element.children {
        switch child {
        case .element(let element): write(element)
        case .text(let text): XMLEscaping.append(text, to: &bytes, in: .text)
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
    if name.namespace == XMLName.xmlNamespace { return "xml:" + name.local }
    if let prefix = prefixes[name.namespace] { return "\(prefix):\(name.local)" }
    let prefix = "n\(prefixes.count)"
    prefixes[name.namespace] = prefix
    declared.append((XMLName("xmlns:" + prefix), name.namespace))
    return "\(prefix):\(name.local)"
  }

  private mutating func put(_ text: String) { bytes.append(contentsOf: text.utf8) }
}
