import FencepostICalendar

/// Repairs places whose `geo:` URI has lost its longitude: Radicale and others cut unknown values at a comma.
enum PlaceRepair {
  /// Replaces each damaged place of a tree by the intact place with the same title from `good`.
  static func repair(_ tree: ComponentTree, from good: ComponentTree?) -> ComponentTree {
    guard let good, hasDamage(tree) else { return tree }
    var known: [String: String] = [:]
    collect(good, into: &known)
    return known.isEmpty ? tree : replacing(tree, known)
  }

  /// The text with escaped commas in places, which servers that cut values keep. `nil` if `answer`, the
  /// server's version of the text, has no cut place: then the server gets the plain comma, as Apple writes
  /// it.
  static func escaped(_ text: String, ifCutIn answer: String) -> String? {
    guard let sent = ComponentTree(text), let kept = ComponentTree(answer), hasDamage(kept), !hasDamage(sent)
    else { return nil }
    return escaping(sent).text
  }

  /// Whether the server has kept the places of a text; `nil` if it has none.
  static func keepsPlaces(_ text: String, in answer: String) -> Bool? {
    guard text.contains("X-APPLE-STRUCTURED-LOCATION"), let kept = ComponentTree(answer) else {
      return nil
    }
    return !hasDamage(kept)
  }

  private static func escaping(_ tree: ComponentTree) -> ComponentTree {
    var tree = tree
    tree.lines = tree.lines.map { line in
      guard isPlace(line), let value = PreservedProperty(line)?.value, line.hasSuffix(value) else {
        return line
      }
      let plain = value.replacing("\\,", with: ",")
      return line.dropLast(value.count) + plain.replacing(",", with: "\\,")
    }
    tree.components = tree.components.map(escaping)
    return tree
  }

  /// True if a place in a component has half of a coordinate.
  static func hasDamage(_ tree: ComponentTree) -> Bool {
    tree.lines.contains { isDamaged($0) } || tree.components.contains(where: hasDamage)
  }

  private static func isPlace(_ line: String) -> Bool { line.hasPrefix("X-APPLE-STRUCTURED-LOCATION") }

  private static func isDamaged(_ line: String) -> Bool {
    guard isPlace(line), let property = PreservedProperty(line), let geo = property.value.lastRange(ofGeo: ())
    else {
      return false
    }
    let rest = property.value[geo...]
    return !rest.contains(",") && rest.dropFirst(4).first.map { $0.isNumber || $0 == "-" } ?? false
  }

  private static func title(_ line: String) -> String? { PreservedProperty(line)?.parameter("X-TITLE") }

  private static func collect(_ tree: ComponentTree, into known: inout [String: String]) {
    for line in tree.lines where isPlace(line) && !isDamaged(line) {
      if let title = title(line) { known[title] = line }
    }
    for component in tree.components { collect(component, into: &known) }
  }

  private static func replacing(_ tree: ComponentTree, _ known: [String: String]) -> ComponentTree {
    var tree = tree
    tree.lines = tree.lines.map { line in
      isDamaged(line) ? title(line).flatMap { known[$0] } ?? line : line
    }
    tree.components = tree.components.map { replacing($0, known) }
    return tree
  }
}

extension String {
  /// The start of the last `geo:`.
  fileprivate func lastRange(ofGeo: Void) -> Index? {
    var index = endIndex
    while index > startIndex {
      index = self.index(before: index)
      if self[index...].lowercased().hasPrefix("geo:") { return index }
    }
    return nil
  }
}
