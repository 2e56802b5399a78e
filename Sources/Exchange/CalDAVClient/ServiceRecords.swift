internal import CFencepostResolver

/// The DNS records of a domain's CalDAV server: SRV and TXT (RFC 6764, sections 3 and 4).
public struct ServiceRecords: Hashable, Sendable {
  /// The name of the server; `nil` without a record.
  public var host: String?
  /// The port.
  public var port: Int?
  /// The path, from the TXT record.
  public var path: String?

  /// Records.
  public init(host: String? = nil, port: Int? = nil, path: String? = nil) {
    self.host = host
    self.port = port
    self.path = path
  }

  /// Asks the system's resolver for the server with TLS (`_caldavs._tcp`). Blocks until it answers.
  public static func look(_ domain: String) -> ServiceRecords {
    let name = "_caldavs._tcp.\(domain)"
    var records = ServiceRecords()
    if let answer = query(name, type: 33) { records.readService(answer) }
    if records.host != nil, let answer = query(name, type: 16) { records.readPath(answer) }
    return records
  }

  private static func query(_ name: String, type: Int32) -> [UInt8]? {
    var answer = [UInt8](repeating: 0, count: 8_192)
    let count = cresolver_query(name, type, &answer, Int32(answer.count))
    return count > 0 ? Array(answer.prefix(Int(count))) : nil
  }

  /// Reads an answer with SRV records (RFC 2782). Takes the lowest priority, and within it the greatest
  /// weight.
  mutating func readService(_ bytes: [UInt8]) {
    var best: (priority: Int, weight: Int)?
    DNSMessage(bytes)?.forEachAnswer { message, data in
      guard data.count > 6, let priority = message.number(data.lowerBound),
        let weight = message.number(data.lowerBound + 2), let port = message.number(data.lowerBound + 4),
        let host = message.name(at: data.lowerBound + 6), !host.isEmpty
      else { return }
      if let best, (priority, -weight) >= (best.priority, -best.weight) { return }
      best = (priority, weight)
      self.host = host.lowercased()
      self.port = port
    }
  }

  /// Reads an answer with TXT records: `path=/dav/`.
  mutating func readPath(_ bytes: [UInt8]) {
    DNSMessage(bytes)?.forEachAnswer { message, data in
      for text in message.texts(in: data) where text.lowercased().hasPrefix("path=/") {
        path = String(text.dropFirst(5))
      }
    }
  }
}

/// An answer of the DNS (RFC 1035, section 4).
private struct DNSMessage {
  private let bytes: [UInt8]
  private var firstAnswer = 12
  private let answers: Int

  init?(_ bytes: [UInt8]) {
    guard bytes.count > 12 else { return nil }
    self.bytes = bytes
    answers = Int(bytes[6]) << 8 | Int(bytes[7])
    for _ in 0..<(Int(bytes[4]) << 8 | Int(bytes[5])) {
      guard let end = end(ofNameAt: firstAnswer) else { return nil }
      firstAnswer = end + 4
    }
  }

  /// Calls `body` with the data of each readable answer.
  func forEachAnswer(_ body: (DNSMessage, Range<Int>) -> Void) {
    var place = firstAnswer
    for _ in 0..<answers {
      guard let end = end(ofNameAt: place), let length = number(end + 8), end + 10 + length <= bytes.count
      else {
        return
      }
      body(self, end + 10..<end + 10 + length)
      place = end + 10 + length
    }
  }

  /// The number in two bytes.
  func number(_ place: Int) -> Int? {
    place >= 0 && place + 1 < bytes.count ? Int(bytes[place]) << 8 | Int(bytes[place + 1]) : nil
  }

  /// The name at a position. Its parts may be elsewhere in the message.
  func name(at place: Int) -> String? {
    var (place, labels) = (place, [String]())
    for _ in 0..<128 {
      guard place < bytes.count else { return nil }
      let length = Int(bytes[place])
      if length == 0 { return labels.joined(separator: ".") }
      if length >= 0xC0 {
        guard let target = number(place) else { return nil }
        place = target & 0x3FFF
        continue
      }
      guard length < 64, place + 1 + length <= bytes.count else { return nil }
      labels.append(String(decoding: bytes[place + 1..<place + 1 + length], as: UTF8.self))
      place += 1 + length
    }
    return nil
  }

  /// The texts of a TXT record.
  func texts(in data: Range<Int>) -> [String] {
    var (place, texts) = (data.lowerBound, [String]())
    while place < data.upperBound, place + 1 + Int(bytes[place]) <= data.upperBound {
      let end = place + 1 + Int(bytes[place])
      texts.append(String(decoding: bytes[place + 1..<end], as: UTF8.self))
      place = end
    }
    return texts
  }

  private func end(ofNameAt place: Int) -> Int? {
    var place = place
    while place < bytes.count {
      let length = Int(bytes[place])
      if length == 0 { return place + 1 }
      if length >= 0xC0 { return place + 2 }
      place += 1 + length
    }
    return nil
  }
}
