public import FencepostAddresses
package import FencepostCalendarModel
package import FencepostCalendarStore
package import FencepostRecurrence
package import FencepostSystem
public import FencepostWebClient

/// The address of a channel, as in `--deliver`.
public enum ChannelAddress: Hashable, Sendable {
  /// `-`: standard output, a JSON line for each.
  case standardOutput(StandardOutputAddress)
  /// `exec:PATH`: a program that runs for each.
  case command(CommandAddress)
  /// `https://HOST/PATH`: a POST request for each.
  case webhook(WebhookAddress)
  /// `mailto:ADDRESS`: a message for each.
  case mail(MailAddress)
  /// `desktop`: a notification for each.
  case desktop(DesktopAddress)
  /// `webpush`: a push message to each browser and app that asked for alarms.
  case webPush(WebPushAddress)
  /// `mqtts://HOST/TOPIC`: published to a broker.
  case mqtt(MQTTChannelAddress)
  /// `ntfy://HOST/TOPIC`: a notification of an ntfy server.
  case ntfy(NtfyAddress)
  /// `gotify://HOST`: a notification of a Gotify server.
  case gotify(GotifyAddress)
  /// `matrix://HOST/ROOM`: a message in a room of Matrix.
  case matrix(MatrixAddress)
  /// `telegram:CHAT`: a message of a bot.
  case telegram(TelegramAddress)
  /// `apprise:URL`: a message of one of Apprise's services.
  case apprise(AppriseAddress)

  /// Parses an address.
  public init(_ text: String) throws(AddressError) {
    var words = try AddressParameters(text)
    switch words.base.prefix(while: { $0 != ":" }) {
    case "-" where words.base == "-": self = .standardOutput(StandardOutputAddress())
    case "exec": self = .command(try CommandAddress(&words))
    case "mailto": self = .mail(try MailAddress(&words))
    case "desktop" where ["desktop", "desktop:"].contains(words.base):
      self = .desktop(try DesktopAddress(&words))
    case "webpush" where words.base == WebPushAddress.name: self = .webPush(try WebPushAddress(&words))
    case "http", "https":
      // Other parameters are for the server.
      self = .webhook(try WebhookAddress(words))
      return
    case "mqtt", "mqtts": self = .mqtt(try MQTTChannelAddress(&words))
    case "ntfy": self = .ntfy(try NtfyAddress(&words))
    case "gotify": self = .gotify(try GotifyAddress(&words))
    case "matrix": self = .matrix(try MatrixAddress(&words))
    case "telegram": self = .telegram(try TelegramAddress(&words))
    case "apprise":
      // Other parameters are for the service.
      self = .apprise(try AppriseAddress(words))
      return
    default:
      throw AddressError(
        text,
        "unknown channel; use -, exec:/PATH, desktop, webpush, ntfy://HOST/TOPIC, gotify://HOST,"
          + " matrix://HOST/ROOM, telegram:CHAT, apprise:URL, https://HOST/PATH, mqtts://HOST/TOPIC"
          + " and mailto:ADDRESS")
    }
    try words.finish(NoticeFilter.words + type(of: form).words)
  }

  /// What the address says.
  private var form: any ChannelForm {
    switch self {
    case .standardOutput(let address): address
    case .command(let address): address
    case .webhook(let address): address
    case .mail(let address): address
    case .desktop(let address): address
    case .webPush(let address): address
    case .mqtt(let address): address
    case .ntfy(let address): address
    case .gotify(let address): address
    case .matrix(let address): address
    case .telegram(let address): address
    case .apprise(let address): address
    }
  }
}

extension ChannelAddress: CustomStringConvertible {
  /// The address without secrets. It is the channel's name in the ledger, with its backlog.
  public var description: String { form.description }

  /// The parts that are not in its name.
  package var unnamed: String { form.unnamed }

  /// Why this channel can't work, one line; `nil` if there is no known reason. It does not contact servers or
  /// brokers.
  package var problem: String? { form.problem }

  /// The server that it delivers to; `nil` if it needs none, or only knows it when it delivers.
  public var destination: ServerCheck? { form.destination }

  /// Whether the address has a secret.
  public var holdsSecret: Bool { form.holdsSecret }

  /// The file with its secret; `nil` for none.
  public var secretFile: String? { form.secretFile }

  /// Whether it pushes to browsers and apps.
  public var isWebPush: Bool { if case .webPush = self { true } else { false } }

  /// A warning for its user; `nil` for none.
  package var caution: String? { form.caution }

  /// The delays after failures.
  package var backoff: Backoff { form.backoff }

  /// A channel of this kind.
  package func open(_ context: ChannelContext) throws -> any Channel { try form.open(context) }
}

/// The daemon's context for channels.
package struct ChannelContext: Sendable {
  /// The store for responses.
  package var store: CalendarStore
  /// The store with the push subscriptions.
  package var subscribers: CalendarStore
  /// The time zone of texts.
  package var resolver: TimeResolver
  /// Hosts whose links are all to meetings.
  package var joinHosts: JoinHosts
  /// The log for other errors.
  package var log: Log
  /// How receivers can answer alarms; `nil` if they can't reach this machine.
  package var answers: AnswerLinks?
  /// Answers suggestions; `nil` for notifications without such buttons.
  package var answerSuggestion: SuggestionAnswer.Handler?

  /// A context. Without `subscribers`, the push subscriptions are in `store`.
  package init(
    store: CalendarStore, resolver: TimeResolver, joinHosts: JoinHosts = JoinHosts(), log: Log,
    subscribers: CalendarStore? = nil, answers: AnswerLinks? = nil,
    answerSuggestion: SuggestionAnswer.Handler? = nil
  ) {
    self.answerSuggestion = answerSuggestion
    self.store = store
    self.subscribers = subscribers ?? store
    self.resolver = resolver
    self.joinHosts = joinHosts
    self.log = log
    self.answers = answers
  }
}
