public import FencepostCalendarModel
public import FencepostCalendarStore

/// The firings for a channel.
public struct FiringFilter: Hashable, Sendable {
  /// The lists and calendars, by name or identifier; empty for all.
  public var lists: [String] = []
  /// The kinds of firings; empty for all alarms. A snoozed firing has the kind of its original.
  public var kinds: [Firing.Kind] = []

  /// Accepts all alarms.
  public static let all = FiringFilter()

  /// A filter.
  public init(lists: [String] = [], kinds: [Firing.Kind] = []) {
    self.lists = lists
    self.kinds = kinds
  }

  /// Takes `list=NAME` and `kind=KIND`, both repeatable, from the parameters of an address.
  init(taking words: inout AddressWords) throws(AddressError) {
    lists = words.takeAll("list")
    for name in words.takeAll("kind") {
      guard let kind = Firing.Kind(rawValue: name) else {
        let known = Firing.Kind.allCases.map(\.rawValue).joined(separator: ", ")
        throw words.failure("unknown kind of alarm '\(name)'; use \(known)")
      }
      kinds.append(kind)
    }
  }

  /// Its parameters.
  static let words = ["list", "kind"]

  /// The parameters of an address. It encodes only `%` and `&`, which have a meaning there.
  var words: [String] {
    let names = lists.map { $0.replacing("%", with: "%25").replacing("&", with: "%26") }
    return names.map { "list=\($0)" } + kinds.map { "kind=\($0.rawValue)" }
  }

  /// Whether a firing is for the channel.
  public func admits(_ entry: LedgerEntry) -> Bool {
    // A suggestion is no alarm and in no list: only those who ask for it are told.
    if entry.firing.kind == .suggestion { return kinds.contains(.suggestion) && lists.isEmpty }
    guard kinds.isEmpty || kinds.contains(entry.originalKind) else { return false }
    guard !lists.isEmpty else { return true }
    guard let context = entry.context else { return false }
    return lists.contains(context.listTitle) || lists.contains(context.list.rawValue)
  }
}
