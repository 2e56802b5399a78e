public import CalendarModel
import CalendarStore
public import Geofencing
public import WebApp

/// The configuration of a daemon.
public struct DaemonConfiguration: Hashable, Sendable {
  /// A channel with its filter.
  public struct Delivery: Hashable, Sendable, CustomStringConvertible {
    /// The channel.
    public var channel: ChannelAddress
    /// Which firings.
    public var filter: FiringFilter

    /// A channel for some firings, or all.
    public init(_ channel: ChannelAddress, filter: FiringFilter = .all) {
      self.channel = channel
      self.filter = filter
    }

    /// What `text` says: a channel, and after `?` among others `list=NAME` and `kind=KIND`, each as often as is
    /// wanted.
    public init(_ text: String) throws(AddressError) {
      var words = try AddressWords(text)
      filter = try FiringFilter(taking: &words)
      channel = try ChannelAddress(words.rest)
    }

    /// As it is said, without secrets.
    public var description: String {
      let words = filter.words
      guard !words.isEmpty else { return channel.description }
      let name = channel.description
      return name + (name.contains("?") ? "&" : "?") + words.joined(separator: "&")
    }
  }

  /// Where positions come from.
  public var feeds: [FeedAddress] = []
  /// Where firings go.
  public var deliveries: [Delivery] = []
  /// Where the web app is served; `nil` for nowhere.
  public var server: ServerAddress?
  /// The version of the program, which pages show.
  public var version = ""
  /// The settings as pages show them.
  public var shownSettings: [ShownSetting] = []
  /// The policy that detects crossings.
  public var policy: Policy = .robust(RobustParameters())
  /// The seconds until an alarm counts as late.
  public var grace = 60.0
  /// The greatest age in seconds of a crossing that late positions report. An older one triggers no alarm.
  public var latestAge = 7.0 * 86_400
  /// The default alarms of reminders.
  public var alarms = AlarmDefaults()
  /// The days to keep positions; 0 keeps only the last one of each device.
  public var historyDays = 0
  /// The lowest logged level.
  public var logLevel = Log.Level.info
  /// The time zone; `nil` for the system's.
  public var zone: TimeZoneID?
  /// Where the system's zones stand.
  public var zones = SystemZones()
  /// The control socket.
  public var socket: String

  /// A daemon with no feeds and channels yet.
  public init(socket: String) { self.socket = socket }

  /// The channels for a firing. A repeated channel gets a firing once if any of its filters accepts it.
  func channels(for entry: LedgerEntry) -> [String] {
    var names: [String] = []
    for delivery in deliveries where delivery.filter.admits(entry) {
      let name = delivery.channel.description
      if !names.contains(name) { names.append(name) }
    }
    return names
  }

  /// The channels, each once.
  ///
  /// - Throws: Where two that are not the same go by one name, by which the ledger knows them.
  public func channels() throws(AddressError) -> [ChannelAddress] {
    var channels: [ChannelAddress] = []
    for channel in deliveries.map(\.channel) where !channels.contains(channel) {
      let name = channel.description
      guard !channels.contains(where: { $0.description == name }) else {
        throw AddressError(
          name,
          "two channels with this name differ only in \(channel.unnamed); keep one of them"
        )
      }
      channels.append(channel)
    }
    return channels
  }

  /// False if an address has a password, a token or a secret.
  public var isWithoutSecrets: Bool {
    !feeds.contains(where: \.holdsSecret) && !deliveries.contains(where: \.channel.holdsSecret)
  }
}
