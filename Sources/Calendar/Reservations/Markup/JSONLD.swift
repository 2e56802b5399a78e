import FencepostJSON

/// Parses JSON-LD from mails and pages into objects of markup.
///
/// Ignores contexts: names count without their vocabulary, for example `schema:name` and
/// `https://schema.org/name`.
struct JSONLD {
  /// Objects with an `@id` and other members, for references.
  private var named: [String: [JSONMember]] = [:]
  private var itemsLeft = MarkupItem.maximumItems

  /// The objects in a text; empty if it can't be read or is nested too deeply.
  static func items(in text: [UInt8]) -> [MarkupItem] {
    let values = (try? JSONValue.values(inCareless: text, maxDepth: 60)) ?? []
    // If quotes are HTML entities, the text reads as one long word.
    let isEscaped = values.isEmpty || values.contains { if case .text = $0.content { true } else { false } }
    if isEscaped, text.contains(0x26) {
      let plain = PlainText.unescaped(String(decoding: text, as: UTF8.self))
      return items(in: (try? JSONValue.values(inCareless: Array(plain.utf8), maxDepth: 60)) ?? [])
    }
    return items(in: values)
  }

  private static func items(in values: [JSONValue]) -> [MarkupItem] {
    var reader = JSONLD()
    for value in values { reader.collectNames(in: value) }
    return values.flatMap { reader.values(of: $0, depth: 0) }.compactMap { value in
      if case .item(let item) = value { item } else { nil }
    }
  }

  private mutating func collectNames(in value: JSONValue) {
    switch value.content {
    case .list(let elements): for element in elements { collectNames(in: element) }
    case .object(let members):
      let id = members.first { $0.key == "@id" }
      if members.count > 1, let id, case .text(let name) = id.value.content { named[name] = members }
      for member in members { collectNames(in: member.value) }
    default: break
    }
  }

  private mutating func values(of value: JSONValue, depth: Int) -> [MarkupItem.Value] {
    guard depth < MarkupItem.maxDepth, itemsLeft > 0 else { return [] }
    switch value.content {
    case .text(let text): return [.text(text)]
    case .number(let number): return [.text(number)]
    case .flag(let flag): return [.text(flag ? "true" : "false")]
    case .null: return []
    case .list(let elements): return elements.flatMap { values(of: $0, depth: depth + 1) }
    case .object(let members): return object(members, depth: depth)
    }
  }

  private mutating func object(_ members: [JSONMember], depth: Int) -> [MarkupItem.Value] {
    itemsLeft -= 1
    if members.count == 1, let only = members.first {
      switch (Self.localName(only.key), only.value.content) {
      case ("@id", .text(let name)):
        guard let target = named[name] else { return [.text(name)] }
        return object(target, depth: depth + 1)
      case ("@value", _), ("@list", _), ("@set", _): return values(of: only.value, depth: depth + 1)
      default: break
      }
    }
    // References may be circular; each step counts as a level.
    guard depth < MarkupItem.maxDepth, itemsLeft > 0 else { return [] }
    var item = MarkupItem()
    for member in members {
      let name = Self.localName(member.key)
      let values = values(of: member.value, depth: depth + 1)
      if name == "@type" || name == "type" {
        item.types += values.compactMap { if case .text(let text) = $0 { Self.localName(text) } else { nil } }
      } else if name != "@context" {
        item.properties[name, default: []] += values
      }
    }
    return [.item(item)]
  }

  /// `name` without its vocabulary.
  static func localName(_ name: String) -> String {
    let trimmed = name.trimmed
    let end = trimmed.hasSuffix("/") ? trimmed.dropLast() : trimmed[...]
    return String(end.split(whereSeparator: { "/#:".contains($0) }).last ?? "")
  }
}

/// An object of markup, the same for JSON-LD and Microdata: its types and its properties.
struct MarkupItem: Hashable, Sendable {
  /// A value of a property.
  indirect enum Value: Hashable, Sendable {
    case text(String)
    case item(MarkupItem)
  }

  /// The names of its types without their vocabulary: `FlightReservation`.
  var types: [String] = []
  /// The values of its properties by name, in order.
  var properties: [String: [Value]] = [:]

  /// The most objects in one document.
  static let maximumItems = 20_000
  /// The maximum depth of nested objects.
  static let maxDepth = 32

  /// True if one of its types is `name`.
  func isA(_ name: String) -> Bool { types.contains { $0.caseInsensitiveEquals(name) } }

  /// The values of the first of `names` that has values.
  func values(_ names: [String]) -> [Value] {
    for name in names {
      if let values = properties[name], !values.isEmpty { return values }
    }
    return []
  }

  /// The objects under the first of `names` that has objects.
  func items(_ names: String...) -> [MarkupItem] {
    for name in names {
      let items = (properties[name] ?? []).compactMap { value in
        if case .item(let item) = value { item } else { nil }
      }
      if !items.isEmpty { return items }
    }
    return []
  }

  /// The first text under `names`; for an object, its name.
  func text(_ names: String...) -> String? { texts(names).first }

  /// The texts under the first of `names` that has texts; for objects, their names.
  func texts(_ names: [String]) -> [String] {
    for name in names {
      let texts = (properties[name] ?? []).compactMap(\.text)
      if !texts.isEmpty { return texts }
    }
    return []
  }
}

extension MarkupItem {
  /// The name of a person in two parts.
  fileprivate var fullName: String? {
    let parts = [text("givenName"), text("familyName")].compactMap { $0 }
    return parts.isEmpty ? nil : parts.joined(separator: " ")
  }
}

extension MarkupItem.Value {
  /// The text on one line, or the name of an object, or `nil`.
  var text: String? {
    switch self {
    case .text(let text): PlainText.line(text)
    case .item(let item): item.text("name", "@value", "identifier") ?? item.fullName
    }
  }
}

extension String {
  fileprivate func caseInsensitiveEquals(_ other: String) -> Bool {
    utf8.count == other.utf8.count && lowercased() == other.lowercased()
  }
}
