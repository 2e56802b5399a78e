import FencepostJSON
import FoundationEssentials
import Glibc

/// The log of a NATS server, JetStream: streams of messages that outlive the server.
///
/// It asks by JetStream's own API, JSON on subjects (ADR-1 and ADR-31 of NATS), which is the same in all
/// versions.
package struct JetStream {
  package let connection: NATSConnection

  /// The API over a connection.
  package init(_ connection: NATSConnection) { self.connection = connection }

  /// An error that the server answered.
  package struct Refusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// JetStream's number of the error.
    package var code: Int
    package var description: String

    /// Another message of the subject came first (`wrong last sequence`; later servers have two numbers for it).
    package var isConflict: Bool { code == 10_071 || code == 10_164 }
    /// There is no such stream.
    package var isMissing: Bool { code == 10_059 }
    /// There is a stream of that name, with other settings.
    var isInUse: Bool { code == 10_058 }
    /// There is no such message.
    var hasNoMessage: Bool { code == 10_037 }
  }

  // MARK: Streams

  /// What a stream is like.
  package struct Stream {
    package var name: String
    package var subjects: [String]
    /// The seconds after which messages go; `nil` for never.
    package var maximumAge: Double?
    /// The latest messages of each subject that stay; `nil` for all.
    package var perSubject: Int?
    /// The seconds in which a message with the same identifier counts once.
    package var duplicateWindow: Double?
    /// The number of servers that have a copy.
    package var replicas = 1
    /// Whether it ends with its server.
    var isInMemory = false

    /// A stream.
    package init(_ name: String, _ subjects: [String], perSubject: Int? = nil) {
      self.name = name
      self.subjects = subjects
      self.perSubject = perSubject
    }

    fileprivate var json: String {
      var line = JSONLine()
      line.add("name", name)
      line.add("subjects", subjects)
      line.add("retention", "limits")
      line.add("storage", isInMemory ? "memory" : "file")
      line.add("num_replicas", replicas)
      line.add("discard", perSubject == nil ? "old" : "new")
      line.add("max_age", nanoseconds(maximumAge ?? 0))
      if let perSubject { line.add("max_msgs_per_subject", perSubject) }
      if let duplicateWindow { line.add("duplicate_window", nanoseconds(duplicateWindow)) }
      line.add("allow_direct", true)
      line.add("allow_rollup_hdrs", true)
      return line.line
    }
  }

  /// What a stream has.
  package struct State {
    /// The number of its first message, or of the next one if it has none.
    package var first: Int
    /// The number of its last message; 0 for none yet.
    package var last: Int
    /// The number of its messages.
    package var messages: Int
    /// Its subjects, as far as they were asked for.
    package var subjects: Set<String>
  }

  /// Creates streams that are not there. One that somebody made with other limits stays as it is.
  ///
  /// A server of a cluster that has just become its leader may not know all streams yet. It says that one is
  /// missing, takes a second one with its name, and the first one answers no more (seen with 2.9.10). So a
  /// stream is only missing if the leader knows a later one, made for that.
  package func create(_ streams: [Stream]) throws {
    let missing = try streams.filter { stream in
      do {
        _ = try state(of: stream.name)
        return false
      } catch let refusal as Refusal where refusal.isMissing {
        return true
      }
    }
    guard !missing.isEmpty else { return }
    let name = "FENCEPOST_PROBE_\(UInt64.random(in: .min ... .max))"
    var probe = Stream(name, ["fencepost.probe.\(name)"])
    probe.isInMemory = true
    _ = try ask("STREAM.CREATE.\(name)", probe.json)
    // What is left of it after an error is empty.
    defer { _ = try? ask("STREAM.DELETE.\(name)", "") }
    let known = try names(including: name)
    for stream in missing where !known.contains(stream.name) {
      do {
        _ = try ask("STREAM.CREATE.\(stream.name)", stream.json)
      } catch let refusal as Refusal where refusal.isInUse {
        // Another program was faster.
      }
    }
  }

  /// The names of all streams, as soon as the leader knows one of them.
  private func names(including name: String) throws -> Set<String> {
    for _ in 0..<50 {
      var names: Set<String> = []
      var (offset, total) = (0, 1)
      while offset < total {
        var line = JSONLine()
        line.add("offset", offset)
        let answer = try ask("STREAM.NAMES", line.line)
        let found = answer["streams"]?.list ?? []
        names.formUnion(found.compactMap(\.text))
        (offset, total) = (offset + max(1, found.count), answer["total"]?.integer ?? 0)
      }
      if names.contains(name) { return names }
      usleep(100_000)
    }
    throw NATSFailure("the leader of the servers does not know all streams yet")
  }

  /// What a stream has.
  ///
  /// - Parameter filter: The subjects to list; `nil` for none.
  package func state(of stream: String, subjects filter: String? = nil) throws -> State {
    var line = JSONLine()
    if let filter { line.add("subjects_filter", filter) }
    let state = try ask("STREAM.INFO.\(stream)", line.line)["state"]
    return State(
      first: state?["first_seq"]?.integer ?? 0, last: state?["last_seq"]?.integer ?? 0,
      messages: state?["messages"]?.integer ?? 0,
      subjects: Set((state?["subjects"]?.members ?? []).map(\.key)))
  }

  /// Removes the messages of a subject.
  package func purge(_ subject: String, of stream: String) throws {
    var line = JSONLine()
    line.add("filter", subject)
    _ = try ask("STREAM.PURGE.\(stream)", line.line)
  }

  /// The latest message of a subject with its number; `nil` if there is none.
  package func last(of subject: String, in stream: String) throws -> (payload: [UInt8], sequence: Int)? {
    let answer = try connection.request(
      NATSOutgoing("$JS.API.DIRECT.GET.\(stream).\(subject)"), wanting: ["Nats-Sequence"])
    guard let sequence = answer.headers["Nats-Sequence"].flatMap({ Int($0) }) else {
      guard answer.status == "404" else {
        throw NATSFailure("can't read \(subject): status \(answer.status ?? "missing")")
      }
      return nil
    }
    return (answer.payload, sequence)
  }

  /// A message of a stream.
  package struct StoredMessage: Hashable, Sendable {
    package var payload: [UInt8]
    /// Its number in the stream.
    package var sequence: Int
  }

  /// The latest messages of subjects, as the leader of the stream has them; `nil` for a subject that has none.
  ///
  /// ``last(of:in:)`` is quicker, but there any server answers with what it has so far.
  package func latest(of subjects: [String], in stream: String) throws -> [StoredMessage?] {
    let questions = subjects.map { subject in
      var line = JSONLine()
      line.add("last_by_subj", subject)
      return NATSOutgoing("$JS.API.STREAM.MSG.GET.\(stream)", Array(line.line.utf8))
    }
    return try answers(to: questions).map { answer in
      let json = try Self.json(answer.payload)
      if let refusal = Self.refusal(json) {
        guard refusal.hasNoMessage else { throw refusal }
        return nil
      }
      guard let sequence = json["message"]?["seq"]?.integer,
        let payload = Data(base64Encoded: json["message"]?["data"]?.text ?? "")
      else { throw NATSFailure("the server's answer is not a message") }
      return StoredMessage(payload: Array(payload), sequence: sequence)
    }
  }

  /// The latest message of a subject, as the leader of the stream has it; `nil` if there is none.
  package func latest(of subject: String, in stream: String) throws -> StoredMessage? {
    try latest(of: [subject], in: stream)[0]
  }

  // MARK: Publishing

  /// What became of a message.
  package enum Publication: Hashable, Sendable {
    /// It is in the stream with this number; or it was there before.
    case stored(Int, isDuplicate: Bool)
    /// The server refused it.
    case refused(Refusal)
  }

  /// Publishes messages in their order, and waits until the stream has them.
  ///
  /// - Throws: If an answer is missing. Then any of them may be there or not.
  package func publish(_ messages: [NATSOutgoing]) throws -> [Publication] {
    try answers(to: messages).map { answer in
      let json = try Self.json(answer.payload)
      if let refusal = Self.refusal(json) { return .refused(refusal) }
      return .stored(json["seq"]?.integer ?? 0, isDuplicate: json["duplicate"]?.flag ?? false)
    }
  }

  /// Publishes one message.
  ///
  /// - Returns: Its number in the stream.
  @discardableResult
  package func publish(_ message: NATSOutgoing) throws -> Int {
    switch try publish([message])[0] {
    case .stored(let sequence, _): return sequence
    case .refused(let refusal): throw refusal
    }
  }

  /// The header by which a message counts once (`Nats-Msg-Id`).
  package static let messageID = "Nats-Msg-Id"
  /// The header by which a message is refused unless the last one of its subject has this number; 0 for none.
  package static let expectedLast = "Nats-Expected-Last-Subject-Sequence"

  // MARK: Implementation

  /// The most messages that wait for the server's answer.
  private static let window = 4_096

  /// Sends messages in their order, and waits for the answer to each.
  ///
  /// - Throws: If an answer is missing. Then any of them may have had an effect or not.
  private func answers(to messages: [NATSOutgoing]) throws -> [NATSMessage] {
    guard !messages.isEmpty else { return [] }
    let inbox = NATSConnection.inbox()
    let subscription = try connection.subscribe(to: inbox + ".*")
    var results = [NATSMessage?](repeating: nil, count: messages.count)
    var (sent, answered) = (0, 0)
    while answered < messages.count {
      while sent < messages.count, sent - answered < Self.window {
        try connection.publish(messages[sent], reply: "\(inbox).\(sent)")
        sent += 1
      }
      guard let answer = try subscription.next(within: 5_000) else {
        throw NATSFailure("the log did not answer in 5 seconds")
      }
      if answer.status == "503" { throw NATSFailure("the server has no stream for these messages") }
      guard let index = answer.subject.split(separator: ".").last.flatMap({ Int($0) }),
        results.indices.contains(index), results[index] == nil
      else { continue }
      results[index] = answer
      answered += 1
    }
    return results.compactMap(\.self)
  }

  func ask(_ operation: String, _ body: String) throws -> JSONValue {
    let answer = try connection.request(NATSOutgoing("$JS.API.\(operation)", Array(body.utf8)))
    if answer.status == "503" {
      throw NATSFailure("the server has no JetStream; start it with `nats-server --jetstream`")
    }
    let json = try Self.json(answer.payload)
    if let refusal = Self.refusal(json) { throw refusal }
    return json
  }

  private static func json(_ bytes: [UInt8]) throws(NATSFailure) -> JSONValue {
    do throws(JSONFailure) {
      return try JSONValue(reading: bytes, maxDepth: 32)
    } catch {
      throw NATSFailure("the server's answer is not JSON: \(error.complaint)")
    }
  }

  private static func refusal(_ answer: JSONValue) -> Refusal? {
    guard let error = answer["error"] else { return nil }
    return Refusal(
      code: error["err_code"]?.integer ?? 0,
      description: "the server refused: \(error["description"]?.text ?? "unknown error")")
  }
}

func nanoseconds(_ seconds: Double) -> Int { Int(seconds * 1e9) }
