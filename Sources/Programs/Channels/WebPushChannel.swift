package import FencepostAddresses
import FencepostCalendarModel
public import FencepostCalendarStore
import FencepostClients
import FencepostCryptography
import FencepostJSON
package import FencepostSystem
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

  package init(_ words: inout AddressParameters) throws(AddressError) {
    contact = try words.take("contact")
    if let contact, !contact.hasPrefix("mailto:"), !contact.hasPrefix("https://") {
      throw words.failure("'contact' must begin with mailto: or https://")
    }
    reach = PushReach(allowedHosts: Set(words.takeAll("allow-host")))
  }

  /// The name in the ledger.
  public var description: String { subscription.map { "\(Self.name):\($0)" } ?? Self.name }
}

extension WebPushAddress: ChannelForm {
  package var unnamed: String { "'contact' or 'allow-host'" }
  package var backoff: Backoff { .ofServers }
  package func open(_ context: ChannelContext) throws -> any Channel { try WebPushChannel(self, context) }
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

  /// Pushes the notice.
  public func deliver(_ delivery: Delivery, line: String) throws(DeliveryFailure) {
    let notice = delivery.notice
    guard !notice.isAnswered, let receiver = try receiver(of: notice) else { return }
    let stored = receiver.subscription
    var notification = PushNotification(
      notice, words: NoticeWords(resolver: context.resolver), hidesDevices: receiver.isLimited,
      isQuiet: delivery.isQuiet)
    if receiver.mayAnswer {
      let name =
        switch notice {
        case .firing(let entry): entry.id(hidingDevices: receiver.isLimited)
        case .suggestion(let suggestion): suggestion.id.rawValue
        }
      notification.token = AnswerToken.make(for: name, revision: notice.revision, stored)
    }
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

  /// Who gets a notice.
  private struct Receiver {
    var subscription: StoredPushSubscription
    /// Whether it may answer alarms.
    var mayAnswer: Bool
    /// Whether it may see some lists only, and so nothing of devices.
    var isLimited: Bool
  }

  /// Who gets a notice; `nil` if the subscription's owner may not see it.
  private func receiver(of notice: Notice) throws(DeliveryFailure) -> Receiver? {
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
    // Who may see some lists sees nothing that is in no list.
    if let lists = client?.lists {
      guard let context = notice.firing?.context, lists.contains(context.list) else { return nil }
    }
    return Receiver(subscription: subscription, mayAnswer: mayAnswer, isLimited: client?.lists != nil)
  }
}

/// A notice as the service worker of the web app reads it.
struct PushNotification {
  private let notice: Notice
  private let words: NoticeWords
  /// Whether it tells nothing of devices.
  private let hidesDevices: Bool
  /// Whether it makes no sound.
  private let isQuiet: Bool
  /// Lets the notification's buttons answer; `nil` for a notification without.
  var token: String?

  init(
    _ notice: Notice, words: NoticeWords, hidesDevices: Bool = false, isQuiet: Bool = false,
    token: String? = nil
  ) {
    self.notice = notice
    self.words = words
    self.hidesDevices = hidesDevices
    self.isQuiet = isQuiet
    self.token = token
  }

  /// A day: an alarm of yesterday is on the page, and no use as a notification.
  private static let timeToLive = 86_400

  /// The message. If it is too long for push services, it has fewer lines, or only the title.
  var message: PushMessage {
    var lines = words.lines(notice, hidesDevices: hidesDevices)
    var content = content(lines)
    while content.count > PushMessage.maximumBytes, lines.popLast() != nil { content = self.content(lines) }
    if content.count > PushMessage.maximumBytes { content = Array(head.line.utf8) }
    return PushMessage(
      content: content, timeToLive: Self.timeToLive, urgency: isQuiet ? .normal : .high, topic: topic)
  }

  private func content(_ lines: [String]) -> [UInt8] {
    var line = head
    line.add("body", lines.joined(separator: "\n"))
    switch notice {
    case .firing(let entry):
      line.add("id", entry.id(hidingDevices: hidesDevices))
      line.add("reminder", entry.context?.isReminder ?? true)
      line.add("time", Int(entry.firing.time.microseconds / 1_000))
      line.add("item", entry.firing.item.rawValue)
      if let token { line.add("token", token) }
      if let path = notice.ticketPath { line.add("open", path) }
    case .suggestion(let suggestion):
      line.add("id", notice.key)
      line.add("reminder", false)
      line.add("time", Int(suggestion.found.microseconds / 1_000))
      line.add("suggestion", suggestion.id.rawValue)
      if let token {
        line.add("token", token)
        line.add("answers", words.buttons(notice).map(\.rawValue))
      }
    }
    return Array(line.line.utf8)
  }

  private var head: JSONLine {
    var line = JSONLine()
    // A character can have any number of scalars.
    line.add("title", String(String.UnicodeScalarView(words.title(notice).unicodeScalars.prefix(200))))
    line.add("tag", topic)
    if isQuiet { line.add("silent", true) }
    return line
  }

  /// The same for an alarm and all that it is snoozed to: a later one takes the place of one that was not
  /// delivered yet.
  private var topic: String {
    let first = notice.firing?.context?.snoozed?.key ?? notice.key
    return Base64URL.encode(Array(MessageDigest.sha256(Array(first.utf8)).prefix(18)))
  }
}
