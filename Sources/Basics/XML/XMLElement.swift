/// The name of an element or attribute: a namespace and a local name (Namespaces in XML 1.0).
public struct XMLName: Hashable, Sendable, CustomStringConvertible {
  /// The namespace of attributes such as `xml:lang`, whose prefix needs no declaration.
  public static let xmlNamespace = "http://www.w3.org/XML/1998/namespace"

  /// The namespace's address; empty for none.
  public var namespace: String
  /// The name without a prefix.
  public var local: String

  /// A name.
  public init(namespace: String = "", _ local: String) {
    self.namespace = namespace
    self.local = local
  }

  /// `{namespace}local`, for messages.
  public var description: String { namespace.isEmpty ? local : "{\(namespace)}\(local)" }
}

/// An element with its content.
public struct XMLElement: Hashable, Sendable {
  /// What an element contains.
  public enum Node: Hashable, Sendable {
    /// Another element.
    case element(XMLElement)
    /// Text with its references resolved.
    case text(String)
  }

  /// Its name.
  public var name: XMLName
  /// Its attributes, without namespace declarations.
  public var attributes: [XMLName: String]
  /// Its content, in order.
  public var children: [Node]

  /// An element that contains elements, or nothing.
  public init(_ name: XMLName, attributes: [XMLName: String] = [:], _ elements: [XMLElement] = []) {
    self.name = name
    self.attributes = attributes
    children = elements.map(Node.element)
  }

  /// An element that contains text.
  public init(_ name: XMLName, attributes: [XMLName: String] = [:], text: String) {
    self.name = name
    self.attributes = attributes
    children = text.isEmpty ? [] : [.text(text)]
  }

  /// The elements directly inside it.
  public var elements: [XMLElement] {
    children.compactMap { if case .element(let element) = $0 { element } else { nil } }
  }

  /// Its own text, without the text of nested elements.
  public var text: String {
    if children.count == 1, case .text(let text) = children[0] { return text }
    return children.map { if case .text(let text) = $0 { text } else { "" } }.joined()
  }

  /// Its own text without white space around it.
  public var trimmedText: String {
    let text = text
    guard let first = text.firstIndex(where: { !$0.isWhitespace }),
      let last = text.lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return String(text[first...last])
  }

  /// The first child element with this name.
  public func first(_ name: XMLName) -> XMLElement? {
    for case .element(let element) in children where element.name == name { return element }
    return nil
  }

  /// All child elements with this name.
  public func all(_ name: XMLName) -> [XMLElement] { elements.filter { $0.name == name } }

  /// Whether it contains an element with this name.
  public func has(_ name: XMLName) -> Bool { first(name) != nil }

  /// The value of an attribute without a namespace.
  public func attribute(_ local: String) -> String? { attributes[XMLName(local)] }
}
