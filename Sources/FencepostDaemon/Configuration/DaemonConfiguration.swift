public import Geofencing

/// What a daemon does.
public struct DaemonConfiguration: Hashable, Sendable {
  /// Where firings go, and which of them.
  public struct Delivery: Hashable, Sendable {
    /// The channel.
    public var channel: ChannelAddress
    /// Only firings of items in these lists or calendars, by name; of all where there is none.
    public var lists: [String]

    /// A channel for firings of some lists, or all.
    public init(_ channel: ChannelAddress, lists: [String] = []) {
      self.channel = channel
      self.lists = lists
    }
  }

  /// Where positions come from.
  public var feeds: [FeedAddress] = []
  /// Where firings go.
  public var deliveries: [Delivery] = []
  /// What counts as having crossed a boundary.
  public var policy: Policy = .robust(RobustParameters())
  /// Up to how many seconds after its time an alarm is still in time.
  public var grace = 60.0
  /// The control socket.
  public var socket: String

  /// A daemon with no feeds and channels yet.
  public init(socket: String) { self.socket = socket }

  /// The channels that are to tell of firings of a list.
  func channels(forList title: String?) -> [String] {
    deliveries.filter { $0.lists.isEmpty || $0.lists.contains(title ?? "") }.map(\.channel.description)
  }
}
