public import JSON

/// A page that an app asks for: the user edits or sees one item there, or chooses calendars.
public struct PageRequest: Hashable, Sendable {
  /// What is shown.
  public enum Kind: String, Sendable {
    /// A new item, or one that exists, to edit.
    case edit
    /// An item that exists.
    case view
    /// Calendars to choose from.
    case choose
  }

  /// The items that it is about.
  public enum Entity: String, Sendable {
    case event, reminder
  }

  /// What is shown.
  public var kind: Kind
  /// The app, by its name in the store's decisions about access.
  public var app: String
  /// The items that it is about.
  public var entity = Entity.event
  /// The item that exists; `nil` for a new one.
  public var item: String?
  /// Which occurrence of a series, as the API writes it.
  public var occurrence: String?
  /// The fields of the item as the app has them: a JSON object, as the API takes one.
  public var draft: JSONValue?
  /// The calendar in which a new item begins, by its identifier.
  public var list: String?
  /// Whether the user may edit what is viewed.
  public var allowsEditing = false
  /// The calendars that are chosen at first, by identifier.
  public var selected: [String] = []
  /// Whether several may be chosen.
  public var isMultiple = false
  /// Whether only those with items that can be changed are shown.
  public var onlyWritable = false
  /// Whether the chooser has the buttons Done and Cancel.
  public var hasDone = false, hasCancel = false

  /// A request with nothing but a kind.
  public init(_ kind: Kind, app: String) {
    self.kind = kind
    self.app = app
  }

  /// Reads what ``json`` wrote.
  ///
  /// - Throws: ``ControlError/refused(_:)`` with what is missing.
  public init(_ json: JSONValue) throws(ControlError) {
    guard let kind = json["kind"]?.text.flatMap(Kind.init(rawValue:)) else {
      throw .refused("a page needs 'kind': edit, view or choose")
    }
    guard let app = json["app"]?.text, !app.isEmpty, app.utf8.count <= 200 else {
      throw .refused("a page needs 'app', a name of at most 200 bytes")
    }
    self.init(kind, app: app)
    if let text = json["entity"]?.text {
      guard let known = Entity(rawValue: text) else { throw .refused("'entity' is event or reminder") }
      entity = known
    }
    item = json["item"]?.text
    occurrence = json["occurrence"]?.text
    draft = json["draft"].flatMap { $0.members == nil ? nil : $0 }
    list = json["list"]?.text
    allowsEditing = json["allows_editing"]?.flag ?? false
    selected = json["selected"]?.list?.compactMap(\.text) ?? []
    isMultiple = json["multiple"]?.flag ?? false
    onlyWritable = json["only_writable"]?.flag ?? false
    hasDone = json["done"]?.flag ?? false
    hasCancel = json["cancel"]?.flag ?? false
    if kind == .view, item == nil { throw .refused("a page that views needs 'item'") }
  }

  /// The request as an object.
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
