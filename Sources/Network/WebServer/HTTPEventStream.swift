import CFencepostMicroHTTPD
import Glibc
import Synchronization

/// Server-sent events for one page (HTML Living Standard, section 9.2). An idle stream costs no work.
public final class HTTPEventStream: Sendable {
  private struct State {
    var bytes: [UInt8] = []
    var isClosed = false
    /// The connection while it is suspended, because there is nothing to send.
    var sleeper: ConnectionID?
    /// Called once at the end.
    var onClose: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())
  /// A page that is this far behind no longer reads.
  private static let maximumBytes = 1 << 20

  /// An empty stream. Its first output is a comment, so that the page knows that it is open.
  ///
  /// - Parameter onClose: Called once when the stream has ended, on any thread.
  public init(onClose: (@Sendable () -> Void)? = nil) {
    state.withLock { state in
      state.bytes = Array(":\n\n".utf8)
      state.onClose = onClose
    }
  }

  /// Whether the connection has ended.
  public var isClosed: Bool { state.withLock { $0.isClosed } }

  /// Sends an event.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - data: Its content, on one line.
  ///   - id: The identifier that a page sends when it reconnects; `nil` for none.
  public func send(_ name: String, data: String, id: String? = nil) {
    var text = id.map { "id: \($0)\n" } ?? ""
    text += "event: \(name)\ndata: \(data)\n\n"
    append(Array(text.utf8))
  }

  /// Sends a comment, which detects whether the page is gone.
  func beat() { append(Array(":\n\n".utf8)) }

  private func append(_ bytes: [UInt8]) {
    let onClose: (@Sendable () -> Void)? = state.withLock { state in
      guard !state.isClosed else { return nil }
      guard state.bytes.count + bytes.count <= Self.maximumBytes else { return end(&state) }
      state.bytes += bytes
      wake(&state)
      return nil
    }
    onClose?()
  }

  /// Ends the stream; the page will reconnect.
  public func close() {
    let onClose = state.withLock { end(&$0) }
    onClose?()
  }

  /// - Returns: What is to be called, without the lock.
  private func end(_ state: inout State) -> (@Sendable () -> Void)? {
    state.isClosed = true
    wake(&state)
    return state.onClose.take()
  }

  private func wake(_ state: inout State) {
    guard let sleeper = state.sleeper else { return }
    state.sleeper = nil
    MHD_resume_connection(sleeper.pointer)
  }

  /// Copies available bytes to `buffer`. Suspends the connection if there are none.
  ///
  /// - Returns: The number of bytes; `nil` if the stream has ended.
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
