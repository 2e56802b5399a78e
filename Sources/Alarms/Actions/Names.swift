public import FencepostCalendarModel
public import FencepostCalendarStore

/// Checks of the names that people give.
public enum Names {
  /// The maximum length of a name in bytes of UTF-8.
  static let maximumBytes = 1_000

  /// Whether a text is a readable name: not blank, at most 1,000 bytes, and without control characters.
  public static func isUsable(_ name: String) -> Bool {
    name.contains { !$0.isWhitespace } && name.utf8.count <= maximumBytes
      && !name.unicodeScalars.contains { $0.properties.generalCategory == .control }
  }

  /// Checks a name.
  ///
  /// - Parameter what: What gets the name, with its article: `a list`.
  /// - Throws: ``ActionError/unusableName(of:)``.
  public static func check(_ name: String, of what: String) throws(ActionError) {
    guard isUsable(name) else { throw .unusableName(of: what) }
  }
}

extension StoreReader {
  /// Checks that a list or calendar can have a name, and that no other one of its kind has it in any case.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - entities: What the list holds.
  ///   - id: The list that gets the name, if it is not new.
  /// - Throws: ``ActionError``, or `StoreError`.
  public borrowing func checkListName(
    _ name: String, for entities: ItemCalendar.Entities, except id: Identifier<ItemCalendar>? = nil
  ) throws {
    let kind = entities == .events ? "calendar" : "list"
    try Names.check(name, of: "a \(kind)")
    let wanted = name.lowercased()
    let other = try calendars(for: entities).first { $0.title.lowercased() == wanted && $0.id != id }
    if let other { throw ActionError.nameTaken(kind: kind, title: other.title) }
  }
}

extension StoreReader {
  /// Checks that a source can have its name, and that no other one has it in any case.
  ///
  /// - Throws: ``ActionError``, or `StoreError`.
  public borrowing func checkName(of source: Source) throws {
    try Names.check(source.title, of: "a source")
    let wanted = source.title.lowercased()
    let other = try sources().first { $0.id != source.id && $0.title.lowercased() == wanted }
    if let other { throw ActionError.nameTaken(kind: "source", title: other.title) }
  }
}

extension ItemCalendar {
  /// Checks that the items of the list can be changed here.
  ///
  /// - Throws: ``ActionError/readOnly(list:)``.
  public func checkChangeable() throws(ActionError) {
    guard allowsContentModifications else { throw .readOnly(list: title) }
  }
}
