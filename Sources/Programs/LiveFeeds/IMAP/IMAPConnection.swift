import FencepostSystem
import FencepostWebClient

/// The lines of an IMAP connection. Everything is bounded.
final class IMAPConnection {
  /// What the server said: a line, and the literals in it (RFC 3501, section 4.3).
  struct Response {
    /// The line without its literals.
    var text: String
    /// The literals, in order; a literal that is too large is empty.
    var literals: [[UInt8]] = []

    /// The number that follows the first `words`.
    func number(after words: String) -> UInt32? {
      guard let range = text.firstRange(of: words) else { return nil }
      return UInt32(text[range.upperBound...].prefix { $0.isASCII && $0.isNumber })
    }
  }

  /// The longest line, in bytes: a list of a million numbers.
  private static let maximumLineBytes = 16 << 20
  /// The largest literal that is kept, in bytes.
  private static let maximumLiteralBytes = 32 << 20
  /// The most literals of a response.
  private static let maximumLiterals = 100

  private let stream: MailServerStream
  private let interrupter: Int32
  private var buffer: [UInt8] = []
  /// The bytes of `buffer` before this were taken.
  private var taken = 0
  private var block = [UInt8](repeating: 0, count: 65_536)

  init(_ stream: MailServerStream, interruptedBy interrupter: Int32) {
    self.stream = stream
    self.interrupter = interrupter
  }

  /// Sends a line.
  func send(_ text: String) throws {
    var rest = Array(text.utf8)[...]
    let deadline = ContinuousClock.now + .seconds(30)
    while !rest.isEmpty {
      let count = try stream.send(rest)
      rest = rest.dropFirst(count)
      if count == 0 { try wait(for: .writable, until: deadline) }
    }
  }

  /// The next response; `nil` if none came by `deadline`.
  ///
  /// - Throws: If the connection is lost, the server sends too much, or the feed should end.
  func response(until deadline: ContinuousClock.Instant) throws -> Response? {
    guard var line = try line(until: deadline) else { return nil }
    var response = Response(text: "")
    while let size = Self.literalSize(line) {
      guard response.literals.count < Self.maximumLiterals else {
        throw Self.failure("the server sends too much")
      }
      response.text += Self.text(line) + " "
      response.literals.append(try literal(size))
      guard let next = try self.line(until: .now + .seconds(60)) else {
        throw Self.failure("the server did not finish its answer")
      }
      line = next
    }
    response.text += Self.text(line)
    return response
  }

  private static func text(_ line: [UInt8]) -> String { String(decoding: line, as: UTF8.self) }

  private static func failure(_ reason: String) -> SystemFailure {
    SystemFailure("read mails", reason: reason)
  }

  /// The size in `{123}` at the end of a line.
  private static func literalSize(_ line: [UInt8]) -> Int? {
    guard line.last == 0x7D, let open = line.lastIndex(of: 0x7B), line.count - open <= 12 else { return nil }
    return Int(String(decoding: line[(open + 1)...].dropLast(), as: UTF8.self)).flatMap { $0 >= 0 ? $0 : nil }
  }

  /// The next line without its end.
  private func line(until deadline: ContinuousClock.Instant) throws -> [UInt8]? {
    var looked = taken
    while true {
      if let end = buffer[looked...].firstIndex(of: 0x0A) {
        let last = end > taken && buffer[end - 1] == 0x0D ? end - 1 : end
        defer { taken = end + 1 }
        return Array(buffer[taken..<last])
      }
      looked = buffer.count
      guard buffer.count - taken <= Self.maximumLineBytes else {
        throw Self.failure("the server sends too long a line")
      }
      let kept = buffer.count - taken
      guard try fill(until: deadline) else { return nil }
      // Filling may have dropped what was taken.
      looked = taken + kept
    }
  }

  private func literal(_ size: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = size
    let isKept = size <= Self.maximumLiteralBytes
    while rest > 0 {
      if taken == buffer.count, try !fill(until: .now + .seconds(60)) {
        throw Self.failure("the server did not finish a mail")
      }
      let count = min(rest, buffer.count - taken)
      if isKept { bytes += buffer[taken..<(taken + count)] }
      taken += count
      rest -= count
    }
    return bytes
  }

  /// Receives more; false if nothing came by `deadline`.
  private func fill(until deadline: ContinuousClock.Instant) throws -> Bool {
    if taken > 0, taken == buffer.count || taken > 1 << 20 {
      buffer.removeFirst(taken)
      taken = 0
    }
    while true {
      let count = try block.withUnsafeMutableBytes { try stream.receive(into: $0) }
      if count == 0 { throw Self.failure("the connection was lost") }
      if let count {
        buffer += block.prefix(count)
        return true
      }
      // Encryption may hold bytes that the socket no longer has, so ask first and wait then.
      switch Readiness.wait(for: stream.descriptor, until: deadline, interruptedBy: interrupter) {
      case .ready: continue
      case .timedOut: return false
      case .interrupted: throw Self.failure("the feed was stopped")
      }
    }
  }

  private func wait(for events: Readiness, until deadline: ContinuousClock.Instant) throws {
    switch Readiness.wait(for: stream.descriptor, events, until: deadline, interruptedBy: interrupter) {
    case .ready: return
    case .timedOut: throw Self.failure("the server takes no requests")
    case .interrupted: throw Self.failure("the feed was stopped")
    }
  }
}
