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
  static let mostItems = 20_000
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
