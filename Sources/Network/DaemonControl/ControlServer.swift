import CFencepostLinux
import FencepostJSON
public import FencepostSystem
import FoundationEssentials
import Glibc

/// The server of the control socket: one thread that accepts, and one for each response.
///
/// Only the daemon's user and root get a response: by the mode of the socket, and by the peer's credentials.
public final class ControlServer: Sendable {
  private let listener: UnixListener
  private let answer: @Sendable (ControlRequest) -> String
  private let openPage: @Sendable (PageRequest, ControlPeer) -> Void
  private let receive: @Sendable (ControlPosition) -> String

  /// Listens at `path`.
  ///
  /// - Parameters:
  ///   - path: The path of the socket.
  ///   - answer: Answers a request with a line of JSON. Runs on its own thread.
  ///   - openPage: Answers a request for a page and serves the page until its end. Runs on its own thread.
  ///   - receive: Stores a position, and answers with a line of JSON. Runs on its own thread.
  /// - Throws: ``ControlError`` if another daemon listens there, or there is a file that is not a socket.
  public init(
    path: String, answer: @escaping @Sendable (ControlRequest) -> String,
    openPage: @escaping @Sendable (PageRequest, ControlPeer) -> Void = { $1.refuse("no pages here") },
    receive: @escaping @Sendable (ControlPosition) -> String = { _ in #"{"error":"no positions here"}"# }
  ) throws {
    self.answer = answer
    self.openPage = openPage
    self.receive = receive
    do throws(UnixSocket.Failure) {
      listener = try UnixListener(path: path)
    } catch {
      throw ControlError.of(error, at: path)
    }
  }

  /// Starts to answer.
  public func start() throws(SystemFailure) { try SystemThread.start("control") { self.run() } }

  /// Removes the socket, unless another one has replaced it.
  public func stop() { listener.remove() }

  private func run() {
    while let peer = listener.accept() {
      // A slow answer, for example while the store is locked, must not delay others.
      do {
        try SystemThread.start("answer") { self.serve(peer) }
      } catch {
        serve(peer)
      }
    }
  }

  private func serve(_ peer: Int32) {
    defer { close(peer) }
    var user = uid_t()
    var process = pid_t()
    guard clinux_peer(peer, &user, &process) == 0, user == geteuid() || user == 0 else { return }
    UnixSocket.setTimeout(of: peer, seconds: 2)
    var reader = LineReader(peer, limit: Self.maximumRequest)
    let asker = ControlPeer(descriptor: peer)
    guard let line = reader.next() else {
      if reader.isOverLimit { asker.refuse("a request has at most \(Self.maximumRequest) bytes") }
      return
    }
    let words = String(decoding: line, as: UTF8.self)
    if let json = words.wholeMatch(of: /page (.*)/)?.1 {
      do {
        let value = try JSONValue(readingCommented: Array(json.utf8), maxDepth: 32)
        openPage(try PageRequest(value), asker)
      } catch let failure as JSONFailure {
        asker.refuse("the request is not JSON: \(failure.complaint)")
      } catch {
        asker.refuse("\(error)")
      }
      return
    }
    if let json = words.wholeMatch(of: /position (.*)/)?.1 {
      guard let position = try? JSONDecoder().decode(ControlPosition.self, from: Data(json.utf8)) else {
        return asker.refuse("the request is not a position")
      }
      asker.send(receive(position))
      return
    }
    asker.send(ControlRequest(rawValue: words).map(answer) ?? #"{"error":"no such request"}"#)
  }

  /// The most bytes of a request: an event with long notes fits.
  private static let maximumRequest = 1 << 20
}
