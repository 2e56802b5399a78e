/// Where firings go, as `--deliver` says it.
public enum ChannelAddress: Hashable, Sendable {
  /// `-`: standard output, a JSON line for each.
  case standardOutput
  /// `exec:PATH`: a program that is started for each.
  case command(String)

  /// The channel that `text` says.
  public init(_ text: String) throws(AddressError) {
    if text == "-" {
      self = .standardOutput
    } else if text.hasPrefix("exec:") {
      let path = String(text.dropFirst("exec:".count))
      guard path.hasPrefix("/") else {
        throw AddressError(text, "say the whole path of the program, as in exec:/usr/local/bin/ring")
      }
      self = .command(path)
    } else {
      throw AddressError(text, "this is no kind of channel; there are - and exec:/PATH")
    }
  }
}

extension ChannelAddress: CustomStringConvertible {
  /// As it is said, without secrets: the channel's name in the ledger, by which its backlog is found again.
  public var description: String {
    switch self {
    case .standardOutput: "-"
    case .command(let path): "exec:\(path)"
    }
  }

  /// A channel of this kind.
  func open() throws -> any Channel {
    switch self {
    case .standardOutput: DescriptorChannel(descriptor: 1)
    case .command(let path): CommandChannel(path: path)
    }
  }
}
