public import FencepostActions
public import FencepostAddresses
import FencepostCalendarModel
public import FencepostCalendarStore

/// A channel with its filter.
public struct FilteredChannel: Hashable, Sendable, CustomStringConvertible {
  /// The channel.
  public var channel: ChannelAddress
  /// The notices that it gets.
  public var filter: NoticeFilter

  /// A channel for all alarms, or for those that `filter` accepts.
  public init(_ channel: ChannelAddress, filter: NoticeFilter = .all) {
    self.channel = channel
    self.filter = filter
  }

  /// Parses `text`: a channel, and after `?` among others `list=NAME` and `kind=KIND`, which can be
  /// repeated.
  public init(_ text: String) throws(AddressError) {
    var words = try AddressParameters(text)
    filter = try NoticeFilter(taking: &words)
    channel = try ChannelAddress(words.rest)
  }

  /// The address and filter, without secrets.
  public var description: String {
    let words = filter.words
    guard !words.isEmpty else { return channel.description }
    let name = channel.description
    return name + (name.contains("?") ? "&" : "?") + words.joined(separator: "&")
  }

  /// A delivery for each subscription in place of `webpush`; others stay as they are.
  ///
  /// - Parameter contact: The contact if the address has none.
  public func addressed(
    to subscriptions: [StoredPushSubscription], contact: String? = nil
  ) -> [FilteredChannel] {
    guard case .webPush(var address) = channel else { return [self] }
    address.contact = address.contact ?? contact
    return subscriptions.map { subscription in
      address.subscription = subscription.id
      return FilteredChannel(.webPush(address), filter: filter)
    }
  }
}

/// The notices for a channel.
public struct NoticeFilter: Hashable, Sendable {
  /// The lists and calendars, by name or identifier; empty for all.
  public var lists: [String] = []
  /// The kinds; empty for all alarms. A snoozed firing has the kind of its original.
  public var kinds: [Notice.Kind] = []
  /// How often these are told again until somebody answers; `nil` for once only.
  public var nag: Nag?

  /// Accepts all alarms.
  public static let all = NoticeFilter()

  /// A filter.
  public init(lists: [String] = [], kinds: [Notice.Kind] = []) {
    self.lists = lists
    self.kinds = kinds
  }

  /// Takes `nag=SPAN`, and `list=NAME` and `kind=KIND`, both repeatable, from the parameters of an address.
  package init(taking words: inout AddressParameters) throws(AddressError) {
    nag = try Nag(taking: &words)
    lists = words.takeAll("list")
    for name in words.takeAll("kind") {
      guard let kind = Notice.Kind(rawValue: name) else {
        let known = Notice.Kind.allCases.map(\.rawValue).joined(separator: ", ")
        throw words.failure("unknown kind of alarm '\(name)'; use \(known)")
      }
      kinds.append(kind)
    }
  }

  /// Its parameters.
  package static let words = ["list", "kind"] + Nag.words

  /// The parameters of an address. It encodes only `%` and `&`, which have a meaning there.
  package var words: [String] {
    let names = lists.map { $0.replacing("%", with: "%25").replacing("&", with: "%26") }
    let nagging = nag.map { ["nag=\(Int($0.seconds))s", "nag-times=\($0.most)"] } ?? []
    return names.map { "list=\($0)" } + kinds.map { "kind=\($0.rawValue)" } + nagging
  }

  /// Whether a notice is for the channel.
  public func admits(_ notice: Notice) -> Bool {
    guard kinds.isEmpty ? notice.kind.isAlarm : kinds.contains(notice.originalKind) else { return false }
    guard !lists.isEmpty else { return true }
    // Other notices are in no list.
    guard let context = notice.firing?.context else { return false }
    return lists.contains(context.listTitle) || lists.contains(context.list.rawValue)
  }
}
