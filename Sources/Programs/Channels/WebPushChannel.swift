package import FencepostAddresses
import FencepostCalendarModel
public import FencepostCalendarStore
import FencepostClients
import FencepostCryptography
import FencepostJSON
import FencepostSystem
public import FencepostWebPush
import FencepostWebServer

/// `webpush[?contact=ADDRESS&allow-host=HOST]`: the browsers and apps that asked for alarms in the web app.
///
/// The daemon makes a channel of each of them, `webpush:ID`, so that one that can't be reached does not delay
/// the others.
public struct WebPushAddress: Hashable, Sendable, CustomStringConvertible {
  /// The subscription of this channel; `nil` for all of them.
  public var subscription: String?
  /// A `mailto:` or `https:` address at which push services can reach the owner.
  public var contact: String?
  /// The addresses that may be pushed to.
  public var reach = PushReach()

  /// The scheme, and the name of a channel to all subscriptions.
  package static let name = "webpush"
  /// Its parameters.
  package static let words = ["contact", "allow-host"]

  /// All subscriptions at public push services.
  package init() {}

  package init(_ words: inout AddressWords) throws(AddressError) {
    contact = try words.take("contact")
    if let contact, !contact.hasPrefix("mailto:"), !contact.hasPrefix("https://") {
      throw words.failure("'contact' must begin with mailto: or https://")
    }
    reach = PushReach(allowedHosts: Set(words.takeAll("allow-host")))
  }

  /// The name in the ledger.
  public var description: String { subscription.map { "\(Self.name):\($0)" } ?? Self.name }
}

/// Pushes each firing to one browser or app, which shows it as a notification with Done and Snooze.
///
/// If the push service answers that the subscription is gone (404, 410), the channel removes it. It looks up
/// the subscription for each firing, so a revoked one gets nothing more.
public final class WebPushChannel: Channel {
  private let id: String
  private let sender: PushSender
  private let context: ChannelContext

  /// A channel to the subscription of `address`.
  init(
    _ address: WebPushAddress, _ context: ChannelContext, timeout: Double = 30,
    clock: @escaping @Sendable () -> Instant = Instant.wallClock
  ) throws {
    guard let id = address.subscription else {
      throw DeliveryFailure("no browser has asked for alarms yet; turn them on in the web app's settings")
    }
    self.id = id
    self.context = context
    let key = try ClientRegistry(store: context.subscribers, clock: clock).pushKey()
    sender = try PushSender(
      server: ApplicationServer(key: key, contact: address.contact), reach: address.reach, timeout: timeout,
      clock: clock)
  }

  /// Pushes the firing.
  public func deliver(_ delivery: Delivery, line: String) throws(DeliveryFailure) {
    let entry = delivery.entry
    // The user has already responded.
    guard entry.acknowledged == nil else { return }
    guard let receiver = try receiver(of: entry) else { return }
    let stored = receiver.subscription
    let firing = entry.id(hidingDevices: receiver.isLimited)
    let notification = PushNotification(
      entry, words: FiringWords(resolver: context.resolver), hidesDevices: receiver.isLimited,
      token: receiver.mayAnswer ? AnswerToken.make(for: firing, stored) : nil)
    do {
      let subscription = try PushSubscription(
        endpoint: stored.endpoint, publicKey: stored.publicKey, secret: stored.secret, reach: sender.reach)
      try sender.send(notification.message, to: subscription)
    } catch let refusal as PushRefusal {
      throw DeliveryFailure("the address of the subscription \(refusal)", isFinal: true)
    } catch PushFailure.gone {
      _ = try? context.subscribers.write { try $0.removePushSubscription(id) }
      throw DeliveryFailure("the push service has ended the subscription", isFinal: true)
    } catch PushFailure.refused(let reason) {
      throw DeliveryFailure(reason, isFinal: true)
    } catch PushFailure.postponed(let reason, let seconds) {
      throw DeliveryFailure(reason, retryAfter: seconds)
    } catch {
      throw DeliveryFailure("\(error)")
    }
  }

  /// Who gets a firing.
  private struct Receiver {
    var subscription: StoredPushSubscription
    /// Whether it may answer alarms.
    var mayAnswer: Bool
    /// Whether it may see some lists only, and so nothing of devices.
    var isLimited: Bool
  }

  /// Who gets a firing; `nil` if the subscription's owner may not see the item.
  private func receiver(of entry: LedgerEntry) throws(DeliveryFailure) -> Receiver? {
    let found: (subscription: StoredPushSubscription, client: StoredClient?)?
    do {
      found = try context.subscribers.read { reader in
        guard let subscription = try reader.pushSubscription(id) else { return nil }
        guard case .client(let user) = subscription.owner else { return (subscription, nil) }
        return try reader.client(user: user).map { (subscription, $0) }
      }
    } catch {
      throw DeliveryFailure("\(error)")
    }
    guard let (subscription, client) = found else {
      throw DeliveryFailure("the subscription has ended", isFinal: true)
    }
    let mayAnswer = client?.rights.contains(Right.write.rawValue) ?? true
    if let lists = client?.lists, entry.context.map({ lists.contains($0.list) }) != true { return nil }
    return Receiver(subscription: subscription, mayAnswer: mayAnswer, isLimited: client?.lists != nil)
  }
}

/// A firing as the service worker of the web app reads it.
struct PushNotification {
  private let entry: LedgerEntry
  private let words: FiringWords
  /// Whether it tells nothing of devices.
  private let hidesDevices: Bool
  /// Lets the notification's buttons answer; `nil` for a notification without.
  private let token: String?

  init(_ entry: LedgerEntry, words: FiringWords, hidesDevices: Bool = false, token: String?) {
    self.entry = entry
    self.words = words
    self.hidesDevices = hidesDevices
    self.token = token
  }

  /// A day: an alarm of yesterday is on the page, and no use as a notification.
  private static let timeToLive = 86_400

  /// The message. If it is too long for push services, it has fewer lines, or only the title.
  var message: PushMessage {
    var lines = words.lines(entry, hidesDevices: hidesDevices)
    var content = content(lines)
    while content.count > PushMessage.maximumBytes, lines.popLast() != nil { content = self.content(lines) }
    if content.count > PushMessage.maximumBytes { content = Array(head.line.utf8) }
    return PushMessage(content: content, timeToLive: Self.timeToLive, urgency: .high, topic: topic)
  }

  private func content(_ lines: [String]) -> [UInt8] {
    var line = head
    line.add("body", lines.joined(separator: "\n"))
    line.add("id", entry.id(hidingDevices: hidesDevices))
    line.add("reminder", entry.context?.isReminder ?? true)
    line.add("time", Int(entry.firing.time.microseconds / 1_000))
    if entry.firing.kind == .suggestion {
      line.add("suggestion", entry.firing.item.rawValue)
    } else {
      line.add("item", entry.firing.item.rawValue)
      if let token { line.add("token", token) }
    }
    return Array(line.line.utf8)
  }

  private var head: JSONLine {
    var line = JSONLine()
    // A character can have any number of scalars.
    line.add("title", String(String.UnicodeScalarView(words.title(entry).unicodeScalars.prefix(200))))
    line.add("tag", topic)
    return line
  }

  /// The same for an alarm and all that it is snoozed to: a later one takes the place of one that was not
  /// delivered yet.
  private var topic: String {
    let first = entry.context?.snoozed?.key ?? entry.firing.key
    return Base64URL.encode(Array(MessageDigest.sha256(Array(first.utf8)).prefix(18)))
  }
}
