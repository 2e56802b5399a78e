public import FencepostCalendarModel
import FencepostICalendar
import FencepostJSON
public import FencepostSystem

/// A program that creates rooms for conferences.
public struct ConferenceProvider: Hashable, Sendable {
  /// Its identifier: the name of its file without `.json`.
  public var id: String
  /// The name that people know.
  public var name: String
  /// Its program.
  public var program: ChildProgram
  /// The program is killed after so many seconds.
  public var timeout = 10.0

  /// A provider.
  public init(id: String, name: String, program: ChildProgram) {
    self.id = id
    self.name = name
    self.program = program
  }

  /// The providers in the folders `fencepost/conferences` of these data directories. If several have the same
  /// identifier, the first wins. Skips unreadable files.
  public static func installed(in directories: [String]) -> [ConferenceProvider] {
    var found: [String: ConferenceProvider] = [:]
    for directory in directories {
      let folder = "\(directory)/fencepost/conferences"
      for entry in FolderEntry.all(in: folder) where !entry.isFolder && entry.name.hasSuffix(".json") {
        let id = String(entry.name.dropLast(".json".count))
        guard found[id] == nil else { continue }
        found[id] = ConferenceProvider(id: id, file: "\(folder)/\(entry.name)")
      }
    }
    return found.values.sorted { $0.id < $1.id }
  }

  private init?(id: String, file: String) {
    guard !id.isEmpty, let bytes = try? WholeFile.read(file), bytes.count <= 65_536,
      let json = try? JSONValue(readingCommented: bytes, maxDepth: 4),
      let command = json["command"]?.list?.compactMap(\.text), let path = command.first, !path.isEmpty
    else { return nil }
    self.init(
      id: id, name: json["name"]?.text ?? id,
      program: ChildProgram(path: path, arguments: Array(command.dropFirst())))
  }
}

extension ConferenceProvider {
  /// A kind of room of a provider.
  public struct RoomType: Hashable, Sendable {
    /// The provider's identifier for it.
    public var id: String
    /// The name that people know.
    public var title: String
  }

  /// A room.
  public struct Room: Hashable, Sendable {
    /// Its addresses to join.
    public var conferences: [Conference]
    /// More text for people, for example a code.
    public var details: String?

    /// Adds the room to an event: the addresses as CONFERENCE, the details in the notes.
    public func add(to item: inout CalendarItem) {
      for conference in conferences { item.add(conference) }
      if let details { item.notes = [item.notes, details].compactMap { $0 }.joined(separator: "\n\n") }
    }
  }

  /// The kinds of rooms, at most 50.
  ///
  /// - Throws: ``ConferenceError`` if the program fails, or takes too long.
  public func roomTypes() throws(ConferenceError) -> [RoomType] {
    let answer = try ask(JSONLine(type: "room-types"))
    return (answer["room_types"]?.list ?? []).prefix(50).compactMap { json in
      guard let id = json["id"]?.text, !id.isEmpty else { return nil }
      return RoomType(id: id, title: Self.text(json["title"]) ?? id)
    }
  }

  /// A new room.
  ///
  /// - Throws: ``ConferenceError`` if the program fails, takes too long, or returns no address.
  public func room(_ type: String) throws(ConferenceError) -> Room {
    var request = JSONLine(type: "conference")
    request.add("room_type", type)
    let answer = try ask(request)
    let title = Self.text(answer["title"])
    let conferences = (answer["urls"]?.list ?? []).prefix(20).compactMap { json -> Conference? in
      guard let address = json["url"]?.text, Conference.isAddress(address) else { return nil }
      let label = [title, Self.text(json["title"])].compactMap { $0 }.joined(separator: ": ")
      return Conference(address: address, label: label.isEmpty ? name : label, features: ["AUDIO", "VIDEO"])
    }
    guard !conferences.isEmpty else { throw ConferenceError(provider: name, "gave no address to join") }
    return Room(conferences: conferences, details: Self.text(answer["details"], lines: true))
  }

  /// A bounded text without control characters; on one line unless `lines`.
  private static func text(_ json: JSONValue?, lines: Bool = false) -> String? {
    guard let text = json?.text?.prefix(lines ? 4_000 : 300) else { return nil }
    let clean = String(
      String.UnicodeScalarView(
        text.unicodeScalars.filter { scalar in
          (lines && scalar == "\n") || !(scalar.value < 0x20 || scalar.properties.generalCategory == .format)
        }))
    return clean.contains { !$0.isWhitespace } ? clean : nil
  }

  /// The most bytes that a program may write.
  private static let maximumOutput = 1 << 20

  private func ask(_ request: JSONLine) throws(ConferenceError) -> JSONValue {
    let result: (ending: ChildProgram.Ending, output: [UInt8])
    do {
      result = try program.ask(
        input: Array((request.line + "\n").utf8), timeout: timeout, most: Self.maximumOutput)
    } catch {
      throw ConferenceError(provider: name, "\(error)")
    }
    var answer: JSONValue?
    // The program may also print other lines.
    for line in result.output.split(separator: 0x0A).reversed() where line.first == 0x7B {
      guard let json = try? JSONValue(readingCommented: Array(line), maxDepth: 6) else { continue }
      answer = json
      break
    }
    if answer?["type"]?.text == "error" {
      throw ConferenceError(provider: name, Self.text(answer?["message"]) ?? "refused")
    }
    switch result.ending {
    case .timedOut where result.output.count > Self.maximumOutput:
      throw ConferenceError(provider: name, "wrote more than \(Self.maximumOutput >> 20) MB")
    case .timedOut: throw ConferenceError(provider: name, "took longer than \(Int(timeout)) s")
    case .killed(let signal): throw ConferenceError(provider: name, "was killed by signal \(signal)")
    case .exited(let status) where status != 0: throw ConferenceError(provider: name, "exit status \(status)")
    case .exited: break
    }
    guard let answer else { throw ConferenceError(provider: name, "gave no answer") }
    return answer
  }
}

/// A conference program failed. Its description is one line.
public struct ConferenceError: Error, Hashable, Sendable, CustomStringConvertible {
  /// One line with the provider and the reason.
  public var description: String

  init(provider: String, _ reason: String) { description = "\(provider): \(reason)" }
}
