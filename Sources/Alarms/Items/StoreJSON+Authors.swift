public import FencepostCalendarStore
public import FencepostJSON

extension JSONLine {
  /// Adds who made a change: `by`, the name, `null` for the owner; `through`, how; `gone`, whether the
  /// client was revoked since.
  ///
  /// - Parameter numbers: The numbers of all clients (``StoreReader/clientNumbers()``).
  public mutating func add(_ author: ChangeAuthor, among numbers: Set<Int64>) {
    add("by", author.name)
    add("through", author.kind)
    add("gone", author.isGone(among: numbers))
  }
}

extension OutputSchema {
  /// The keys of who made a change.
  public static let authorMembers: KeyValuePairs<String, JSONSchema> = [
    "by": JSONSchema.text.orNull, "through": .words("command", "pages", "client", "agent"), "gone": .flag,
  ]
}
