public import FencepostWebPush

/// `webpush[?contact=ADDRESS&allow-host=HOST]`: the browsers and apps that asked for alarms in the web app.
///
/// The daemon makes a channel of each of them, `webpush:ID`, so that one that can't be reached does not delay the others.
public struct WebPushAddress: Hashable, Sendable, CustomStringConvertible {
  /// The subscription of this channel; `nil` for all of them.
  public var subscription: String?
  /// A `mailto:` or `https:` address at which push services can reach the owner.
  public var contact: String?
  /// The addresses that may be pushed to.
  public var reach = PushReach()

  /// The scheme, and the name of a channel to all subscriptions.
  static let name = "webpush"
  /// Its parameters.
  static let words = ["contact", "allow-host"]

  /// All subscriptions at public push services.
  init() {}

  init(_ words: inout AddressWords) throws(AddressError) {
    contact = try words.take("contact")
    if let contact, !contact.hasPrefix("mailto:"), !contact.hasPrefix("https://") {
      throw words.failure("'contact' must begin with mailto: or https://")
    }
    reach = PushReach(allowedHosts: Set(words.takeAll("allow-host")))
  }

  /// The name in the ledger.
  public var description: String { subscription.map { "\(Self.name):\($0)" } ?? Self.name }
}
