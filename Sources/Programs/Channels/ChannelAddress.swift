import FencepostDBus
package import FencepostSystem
public import FencepostMQTT
public import FencepostAddresses
import FencepostCalendarModel
package import FencepostCalendarStore
package import FencepostRecurrence

/// The address of a channel, as in `--deliver`.
public enum ChannelAddress: Hashable, Sendable {
  /// `-`: standard output, a JSON line for each.
  case standardOutput
  /// `exec:PATH`: a program that runs for each.
  case command(String)
  /// `https://HOST/PATH`: a POST request for each.
  case webhook(WebhookAddress)
  /// `mailto:ADDRESS`: a message for each.
  case mail(MailAddress)
  /// `desktop`: a notification for each.
  case desktop(DesktopAddress)
  /// `webpush`: a push message to each browser and app that asked for alarms.
  case webPush(WebPushAddress)
  /// `mqtts://HOST/TOPIC`: published to a broker.
  case mqtt(MQTTAddress, MQTTChannel.Format)

  /// Parses an address.
  public init(_ text: String) throws(AddressError) {
    var words = try AddressWords(text)
    switch words.base {
    case "-": self = .standardOutput
    case let base where base.hasPrefix("exec:"):
      let path = String(base.dropFirst("exec:".count))
      guard path.hasPrefix("/") else {
        throw AddressError(text, "the program must be an absolute path, as in exec:/usr/local/bin/ring")
      }
      self = .command(path)
    case let base where base.hasPrefix("mailto:"):
      self = .mail(try MailAddress(&words))
      try words.finish(NoticeFilter.words + MailAddress.words)
    case "desktop", "desktop:":
      self = .desktop(try DesktopAddress(&words))
      try words.finish(NoticeFilter.words + DesktopAddress.words)
    case WebPushAddress.name:
      self = .webPush(try WebPushAddress(&words))
      try words.finish(NoticeFilter.words + WebPushAddress.words)
    case let base where base.hasPrefix("http://") || base.hasPrefix("https://"):
      // Other parameters are for the server.
      self = .webhook(try WebhookAddress(words))
      return
    case let base where base.hasPrefix("mqtt://") || base.hasPrefix("mqtts://"):
      self = try ChannelAddress(mqtt: &words)
      try words.finish(NoticeFilter.words + ["format", "cafile"])
    default:
      throw AddressError(
        text,
        "unknown channel; use -, exec:/PATH, desktop, webpush, https://HOST/PATH, mqtts://HOST/TOPIC and"
          + " mailto:ADDRESS")
    }
    try words.finish(NoticeFilter.words)
  }
}

extension ChannelAddress: CustomStringConvertible {
  /// The address without secrets. It is the channel's name in the ledger, with its backlog.
  public var description: String {
    switch self {
    case .standardOutput: "-"
    case .command(let path): "exec:\(path)"
    case .webhook(let address): address.description
    case .mail(let address): address.description
    case .desktop(let address): address.description
    case .webPush(let address): address.description
    case .mqtt(let address, .json): address.description
    case .mqtt(let address, let format): "\(address)?format=\(format.rawValue)"
    }
  }

  /// The parts that are not in its name.
  package var unnamed: String {
    switch self {
    case .standardOutput, .command: "nothing"
    case .webhook: "the user, the secret or a value after '?'"
    case .mail: "'from' or 'sendmail'"
    case .desktop: "'snooze'"
    case .webPush: "'contact' or 'allow-host'"
    case .mqtt: "the password or 'cafile'"
    }
  }

  /// Why this channel can't work, one line; `nil` if there is no known reason. It does not contact servers or
  /// brokers.
  package var problem: String? {
    switch self {
    case .standardOutput, .webPush: nil
    case .command(let path): AccessCheck.problem(running: path)
    case .mail(let address): AccessCheck.problem(running: address.mailer)
    case .webhook(let address): AccessCheck.problem { _ = try address.secret?.key() }
    case .desktop: AccessCheck.problem { _ = try DBusConnection(.session) }
    case .mqtt(let address, _): address.authorities.flatMap { AccessCheck.problem(reading: $0) }
    }
  }

  /// Whether the address has a secret.
  public var holdsSecret: Bool {
    switch self {
    case .webhook(let address): address.holdsSecret
    case .mqtt(let address, _): address.password != nil
    case .standardOutput, .command, .mail, .desktop, .webPush: false
    }
  }

  /// Whether it pushes to browsers and apps.
  public var isWebPush: Bool { if case .webPush = self { true } else { false } }

  /// A warning for its user; `nil` for none.
  package var caution: String? {
    if case .webhook(let address) = self { address.caution } else { nil }
  }

  /// The backoff after failures. It is short for desktops and networks that may come back at any time.
  package var backoff: Backoff {
    switch self {
    case .desktop: Backoff(most: 30)
    case .webhook, .mqtt, .webPush: Backoff(most: 600)
    case .standardOutput, .command, .mail: Backoff()
    }
  }

  /// A channel of this kind.
  package func open(_ context: ChannelContext) throws -> any Channel {
    switch self {
    case .standardOutput: DescriptorChannel(descriptor: 1)
    case .command(let path): CommandChannel(path: path)
    case .webhook(let address): try WebhookChannel(address)
    case .mail(let address): MailChannel(address, words: NoticeWords(resolver: context.resolver))
    case .desktop(let address): DesktopChannel(address, context)
    case .webPush(let address): try WebPushChannel(address, context)
    case .mqtt(let address, let format): MQTTChannel(address, format: format)
    }
  }

  private init(mqtt words: inout AddressWords) throws(AddressError) {
    let name = try words.take("format") ?? MQTTChannel.Format.json.rawValue
    guard let format = MQTTChannel.Format(rawValue: name) else {
      let known = MQTTChannel.Format.allCases.map(\.rawValue).joined(separator: ", ")
      throw words.failure("unknown format '\(name)'; use \(known)")
    }
    let address = try MQTTAddress(URLParts(words), &words, defaultTopic: format.defaultTopic)
    guard address.topic.unicodeScalars.allSatisfy(MQTTAddress.canBePublished) else {
      throw words.failure("'\(address.topic)' is a filter; a topic to publish to can't have + or #")
    }
    self = .mqtt(address, format)
  }
}

/// The daemon's context for channels.
package struct ChannelContext: Sendable {
  /// The store for responses.
  package var store: CalendarStore
  /// The store with the push subscriptions.
  package var subscribers: CalendarStore
  /// The time zone of texts.
  package var resolver: TimeResolver
  /// The log for other errors.
  package var log: Log

  /// A context. Without `subscribers`, the push subscriptions are in `store`.
  package init(store: CalendarStore, resolver: TimeResolver, log: Log, subscribers: CalendarStore? = nil) {
    self.store = store
    self.subscribers = subscribers ?? store
    self.resolver = resolver
    self.log = log
  }
}
