import CMicroHTTPD
import Glibc
import Synchronization

/// Server-sent events to one page (HTML Living Standard, section 9.2). Nothing is done for it while nothing is sent.
public final class HTTPEventStream: Sendable {
  private struct State {
    var bytes: [UInt8] = []
    var isClosed = false
    /// The connection, while it is suspended since there was nothing to send.
    var sleeper: ConnectionID?
  }

  private let state = Mutex(State())
  /// More than this means that nobody reads at the other end.
  private static let mostBytes = 1 << 20

  /// A stream with no events yet. A comment goes first, so that the page knows that it is open.
  public init() { state.withLock { $0.bytes = Array(":\n\n".utf8) } }

  /// Whether the page is gone.
  public var isClosed: Bool { state.withLock { $0.isClosed } }

  /// Sends an event.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - data: What it says, on one line.
  ///   - id: What a page that connects again says it had last; `nil` for nothing.
  public func send(_ name: String, data: String, id: String? = nil) {
    var text = id.map { "id: \($0)\n" } ?? ""
    text += "event: \(name)\ndata: \(data)\n\n"
    append(Array(text.utf8))
  }

  /// Sends a comment, by which it is noticed that a page is gone.
  func beat() { append(Array(":\n\n".utf8)) }

  private func append(_ bytes: [UInt8]) {
    state.withLock { state in
      guard !state.isClosed else { return }
      guard state.bytes.count + bytes.count <= Self.mostBytes else {
        end(&state)
        return
      }
      state.bytes += bytes
      wake(&state)
    }
  }

  /// Ends the stream; the page will connect again.
  public func close() { state.withLock { end(&$0) } }

  private func end(_ state: inout State) {
    state.isClosed = true
    wake(&state)
  }

  private func wake(_ state: inout State) {
    guard let sleeper = state.sleeper else { return }
    state.sleeper = nil
    MHD_resume_connection(sleeper.pointer)
  }

  /// Writes what there is to `buffer`. Suspends the connection where there is nothing.
  ///
  /// - Returns: How many bytes; `nil` where the stream has ended.
  func take(_ buffer: UnsafeMutableBufferPointer<CChar>, of connection: ConnectionID) -> Int? {
    state.withLock { state in
      let count = min(buffer.count, state.bytes.count)
      if count > 0 {
        state.bytes.withUnsafeBytes {
          UnsafeMutableRawBufferPointer(buffer).copyMemory(from: .init(rebasing: $0[..<count]))
        }
        state.bytes.removeFirst(count)
        return count
      }
      if state.isClosed { return nil }
      MHD_suspend_connection(connection.pointer)
      state.sleeper = connection
      return 0
    }
  }
}
