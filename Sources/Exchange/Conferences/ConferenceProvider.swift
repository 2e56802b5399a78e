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
