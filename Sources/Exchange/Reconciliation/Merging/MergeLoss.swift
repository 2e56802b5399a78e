public import FencepostICalendar

/// A value that a merge dropped, because both sides had changed it.
public struct MergeLoss: Hashable, Sendable {
  /// A side of a merge.
  public enum Side: String, Hashable, Sendable {
    /// This store.
    case local
    /// The server or folder.
    case remote
  }

  /// The side that lost its value.
  public var loser: Side
  /// The title of the item.
  public var title: String
  /// The occurrence of a series, in the form of RECURRENCE-ID; `nil` for the item itself.
  public var occurrence: String?
  /// The property, or the name of a component that one side had removed: `SUMMARY`, `VALARM`.
  public var property: String
  /// The content lines that won; empty if the property was removed.
  public var kept: [String]
  /// The content lines that were dropped; empty if that side had removed them.
  public var lost: [String]

  /// A loss.
  public init(
    loser: Side, title: String, occurrence: String? = nil, property: String, kept: [String], lost: [String]
  ) {
    self.loser = loser
    self.title = title
    self.occurrence = occurrence
    self.property = property
    self.kept = kept
    self.lost = lost
  }
}

extension MergeLoss {
  /// The object with the lost value in place of the kept one; `nil` if it does not have the kept one any
  /// more.
  ///
  /// - Parameter tree: A VCALENDAR with the items of the loss.
  public func restored(in tree: ComponentTree) -> ComponentTree? {
    if KeyedComponents.items.contains(property) {
      // The loss is a removal of the item, or of an occurrence.
      guard let index = tree.components.firstIndex(where: { isItem($0) && isKept($0) }) else { return nil }
      var tree = tree
      tree.components.remove(at: index)
      return tree
    }
    var tree = tree
    for index in tree.components.indices where isItem(tree.components[index]) {
      guard let restored = restored(inside: tree.components[index]) else { continue }
      tree.components[index] = restored
      return tree
    }
    return nil
  }

  /// True for the component of the item or occurrence.
  private func isItem(_ component: ComponentTree) -> Bool {
    guard KeyedComponents.items.contains(component.name) else { return false }
    func canonical(_ text: String?) -> String? {
      text.flatMap { PreservedProperty("RECURRENCE-ID:\($0)")?.canonical }
    }
    return canonical(component.text(of: "RECURRENCE-ID")) == canonical(occurrence)
  }

  /// True for a component that is as the winner left it.
  private func isKept(_ component: ComponentTree) -> Bool {
    UnitContent(lines: component.summary).meaning == UnitContent(lines: kept).meaning
  }

  private func restored(inside component: ComponentTree) -> ComponentTree? {
    var component = component
    if let lines = restoredLines(of: component) {
      component.lines = lines
      return component
    }
    for index in component.components.indices {
      let inner = component.components[index]
      if inner.name == property && lost.isEmpty {
        guard isKept(inner) else { continue }
        component.components.remove(at: index)
        return component
      }
      if let restored = restored(inside: inner) {
        component.components[index] = restored
        return component
      }
    }
    return nil
  }

  /// The lines of a component with the lost value; `nil` if it does not have the kept one.
  private func restoredLines(of component: ComponentTree) -> [String]? {
    guard let name = (kept + lost).lazy.compactMap({ PreservedProperty($0)?.name }).first else { return nil }
    let unit = PropertyUnit(name, in: component.name)
    guard unit.name == property else { return nil }
    let present = Units(component)[unit]
    var value = lost
    if present.meaning != UnitContent(lines: kept).meaning {
      // Of a property with several values, it is one of them.
      let (old, new) = (UnitContent(lines: kept).elements.entries, present.elements.entries)
      let keys = Set(old.map(\.key))
      guard !keys.isEmpty, keys.isSubset(of: new.map(\.key)) else { return nil }
      value = new.filter { !keys.contains($0.key) }.map(\.line) + lost
    }
    var lines: [String] = []
    var isDone = false
    for (line, other) in Units(component).lines {
      if other != unit {
        lines.append(line)
      } else if !isDone {
        lines += value
        isDone = true
      }
    }
    return isDone ? lines : lines + value
  }
}
