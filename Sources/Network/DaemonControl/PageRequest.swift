public import FencepostJSON

/// An app's request for a page where the user edits or views one item, or chooses calendars.
public struct PageRequest: Hashable, Sendable {
  /// The kind of page.
  public enum Kind: String, Sendable {
    /// An editor for a new or an existing item.
    case edit
    /// A viewer of an existing item.
    case view
    /// Calendars to choose from.
    case choose
  }

  /// The kind of items.
  public enum Entity: String, Sendable {
    case event, reminder
  }

  /// The kind of page.
  public var kind: Kind
  /// The app, by its name in the store's decisions about access.
  public var app: String
  /// The kind of items.
  public var entity = Entity.event
  /// The existing item; `nil` for a new one.
  public var item: String?
  /// The occurrence of a series, in the API's form.
  public var occurrence: String?
  /// The item's fields with the app's changes: a JSON object in the API's form.
  public var draft: JSONValue?
  /// The initial calendar of a new item, by its identifier.
  public var list: String?
  /// Whether the user may edit the viewed item.
  public var allowsEditing = false
  /// The calendars that are selected at first, by identifier.
  public var selected: [String] = []
  /// Whether the user can choose several.
  public var isMultiple = false
  /// Whether to show only calendars with mutable items.
  public var onlyWritable = false
  /// Whether the chooser has the buttons Done and Cancel.
  public var hasDone = false, hasCancel = false

  /// A request with only a kind.
  public init(_ kind: Kind, app: String) {
    self.kind = kind
    self.app = app
  }

  private static let keys: Set<String> = [
    "kind", "app", "entity", "item", "occurrence", "draft", "list", "allows_editing", "selected", "multiple",
    "only_writable", "done", "cancel",
  ]

  /// Reads what ``json`` wrote.
  ///
  /// - Throws: ``ControlError/refused(_:)`` with the missing part.
  public init(_ json: JSONValue) throws(ControlError) {
    guard let kind = json["kind"]?.text.flatMap(Kind.init(rawValue:)) else {
      throw .refused("a page needs 'kind': edit, view or choose")
    }
    guard let app = json["app"]?.text, !app.isEmpty, app.utf8.count <= 200 else {
      throw .refused("a page needs 'app', a name of at most 200 bytes")
    }
    self.init(kind, app: app)
    if let unknown = json.members?.first(where: { !Self.keys.contains($0.key) }) {
      throw .refused("a page has no '\(unknown.key)'")
    }
    if let text = json["entity"]?.text {
      guard let known = Entity(rawValue: text) else { throw .refused("'entity' is event or reminder") }
      entity = known
    }
    item = json["item"]?.text
    occurrence = json["occurrence"]?.text
    draft = json["draft"].flatMap { $0.isNull ? nil : $0 }
    guard draft?.members != nil || draft == nil else { throw .refused("'draft' is an object") }
    list = json["list"]?.text
    allowsEditing = json["allows_editing"]?.flag ?? false
    selected = json["selected"]?.list?.compactMap(\.text) ?? []
    isMultiple = json["multiple"]?.flag ?? false
    onlyWritable = json["only_writable"]?.flag ?? false
    hasDone = json["done"]?.flag ?? false
    hasCancel = json["cancel"]?.flag ?? false
    if kind == .view, item == nil { throw .refused("a page of the kind 'view' needs 'item'") }
  }

  /// The request as a JSON object.
  public var json: JSONLine {
    var line = JSONLine()
    line.add("kind", kind.rawValue)
    line.add("app", app)
    line.add("entity", entity.rawValue)
    if let item { line.add("item", item) }
    if let occurrence { line.add("occurrence", occurrence) }
    if let draft { line.add("draft", json: draft.json) }
    if let list { line.add("list", list) }
    if kind == .view { line.add("allows_editing", allowsEditing) }
    if kind == .choose {
      line.add("selected", selected)
      line.add("multiple", isMultiple)
      line.add("only_writable", onlyWritable)
      line.add("done", hasDone)
      line.add("cancel", hasCancel)
    }
    return line
  }
}
