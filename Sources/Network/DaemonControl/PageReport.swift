public import FencepostJSON

/// The daemon's report to an app about its page.
public enum PageReport: Hashable, Sendable {
  /// The selection of calendars has changed. More reports follow.
  case selection([String])
  /// The user saved the item with this identifier.
  case saved(item: String)
  /// The user deleted the item.
  case deleted
  /// The user closed the viewer or finished the choice.
  case done
  /// The user canceled or closed the page, the key expired, or the daemon ended.
  case canceled

  /// Whether this is the last report.
  public var isEnd: Bool { if case .selection = self { false } else { true } }

  /// Whether the page changed the store.
  public var isChange: Bool {
    switch self {
    case .saved, .deleted: true
    case .selection, .done, .canceled: false
    }
  }

  /// The report as an object.
  public var json: JSONLine {
    var line = JSONLine()
    switch self {
    case .selection(let calendars): line.add("selection", calendars)
    case .saved(let item):
      line.add("outcome", "saved")
      line.add("item", item)
    case .deleted: line.add("outcome", "deleted")
    case .done: line.add("outcome", "done")
    case .canceled: line.add("outcome", "canceled")
    }
    return line
  }

  /// Reads what ``json`` wrote. Everything else is `canceled`.
  public init(_ json: JSONValue) {
    if let calendars = json["selection"]?.list {
      self = .selection(calendars.compactMap(\.text))
      return
    }
    self =
      switch json["outcome"]?.text {
      case "saved": json["item"]?.text.map { .saved(item: $0) } ?? .canceled
      case "deleted": .deleted
      case "done": .done
      default: .canceled
      }
  }
}
