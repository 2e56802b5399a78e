import FencepostJSON
import FencepostSystem
import Glibc
import Synchronization

/// An app's connection to the daemon for one page. When it ends, the page ends.
public final class PageConnection: Sendable {
  /// The address of the page. It works once.
  public let url: String
  private let descriptor: Int32
  private let reader: Mutex<LineReader>

  /// Asks the daemon at `path` for a page.
  ///
  /// - Throws: ``ControlError`` if no daemon listens, or it refuses.
  public init(_ request: PageRequest, at path: String) throws {
    let descriptor = try ControlSocket.connection(to: path)
    var reader = LineReader(descriptor, limit: 1 << 20)
    do {
      try DescriptorIO.send(("page " + request.json.line + "\n").utf8Span.span.bytes, to: descriptor)
      guard let line = reader.next() else { throw ControlError.busy(path) }
      let answer = try? JSONValue(readingCommented: line, maxDepth: 8)
      if let words = answer?["error"]?.text { throw ControlError.refused(words) }
      guard let url = answer?["url"]?.text else { throw ControlError.busy(path) }
      self.url = url
    } catch {
      close(descriptor)
      throw error
    }
    // The user may take hours.
    UnixSocket.setTimeout(of: descriptor, seconds: 0)
    self.descriptor = descriptor
    self.reader = Mutex(reader)
  }

  deinit { close(descriptor) }

  /// Waits for the daemon's next report. If the daemon has ended, that is `canceled`.
  public func next() -> PageReport {
    guard let line = reader.withLock({ $0.next() }),
      let json = try? JSONValue(readingCommented: line, maxDepth: 8)
    else { return .canceled }
    return PageReport(json)
  }

  /// Ends the page. Any thread may call it; ``next()`` then returns.
  public func cancel() { shutdown(descriptor, Int32(SHUT_RDWR)) }
}
