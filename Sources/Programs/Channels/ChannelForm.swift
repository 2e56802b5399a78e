package import FencepostSystem
package import FencepostWebClient

/// What an address of one kind of channel says: the channel's name, and what it takes to open it.
package protocol ChannelForm: Hashable, Sendable, CustomStringConvertible {
  /// The parameters that it knows, besides those of filters.
  static var words: [String] { get }
  /// The parts that are not in its name, for a message about two channels with the same name.
  var unnamed: String { get }
  /// Why this channel can't work, one line; `nil` if there is no known reason. It does not contact servers or
  /// brokers.
  var problem: String? { get }
  /// The server that it delivers to; `nil` if it needs none, or only knows it when it delivers.
  var destination: ServerCheck? { get }
  /// Whether the address itself has a secret.
  var holdsSecret: Bool { get }
  /// The file with its secret; `nil` for none.
  var secretFile: String? { get }
  /// A warning for its user; `nil` for none.
  var caution: String? { get }
  /// The delays after failures. They are short for desktops and networks that may come back at any time.
  var backoff: Backoff { get }
  /// A channel of this kind.
  func open(_ context: ChannelContext) throws -> any Channel
}

extension ChannelForm {
  package static var words: [String] { [] }
  package var unnamed: String { "nothing" }
  package var problem: String? { nil }
  package var destination: ServerCheck? { nil }
  package var holdsSecret: Bool { false }
  package var secretFile: String? { nil }
  package var caution: String? { nil }
  package var backoff: Backoff { Backoff() }
}

extension Backoff {
  /// The delays for servers: at most ten minutes.
  static let ofServers = Backoff(most: 600)
}
