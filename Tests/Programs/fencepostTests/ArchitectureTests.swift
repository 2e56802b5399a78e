import FencepostTestSupport
import Foundation
import Testing

@Suite("ARCHITECTURE.md and Package.swift agree")
struct ArchitectureTests {
  /// A room as Package.swift declares it.
  struct Room: Sendable, CustomTestStringConvertible {
    var name: String
    var floor: String
    /// The rooms that it may import, without C libraries.
    var uses: [String]
    var testDescription: String { name }
  }

  /// The rooms, from the lowest floor to the highest, in the order of Package.swift.
  private static func rooms() throws -> [Room] {
    let package = try Repository.text("Package.swift")
    return package.matches(of: /\n  floor\(\s*"(\w+)",\s*rooms: \[(.*?)\],\s*tests: \[/.dotMatchesNewlines())
      .flatMap {
        floor in
        floor.output.2.matches(of: /(?:room|program)\(\s*"(\w+)"(?:,\s*uses: \[([^\]]*)\])?/).map { room in
          let names = (room.output.2 ?? "").matches(of: /"(\w+)"/).map { String($0.output.1) }
          return Room(
            name: String(room.output.1), floor: String(floor.output.1),
            uses: names.filter { !isLibrary($0) && !$0.hasPrefix("_Testing_") })
        }
      }
  }

  /// Each C library has a folder.
  private static func isLibrary(_ name: String) -> Bool {
    FileManager.default.fileExists(
      atPath: Repository.root.appendingPathComponent("Sources/Libraries/\(name)").path)
  }

  private static func overview() throws -> Substring {
    let document = try Repository.text("ARCHITECTURE.md")
    let end = try #require(document.range(of: "## The arrows, and why")).lowerBound
    return document[..<end]
  }

  /// The rows of the table: a room, the rooms it uses, and whether their dependencies are included.
  private static func documentedArrows() throws -> [(room: String, uses: Set<String>, includesBelow: Bool)] {
    let document = try Repository.text("ARCHITECTURE.md")
    let section = try #require(document.components(separatedBy: "## The arrows, and why").last)
    return section.split(separator: "\n").filter { $0.hasPrefix("| ") && !$0.hasPrefix("| room ") }.flatMap {
      row in
      let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      let includesBelow = cells[1].hasSuffix(" and what they stand on")
      let words = includesBelow ? String(cells[1].dropLast(" and what they stand on".count)) : cells[1]
      let uses = cells[1] == "no other" ? [] : Set(words.components(separatedBy: ", "))
      return cells[0].components(separatedBy: ", ").map { ($0, uses, includesBelow) }
    }
  }

  /// All rooms that `rooms` can reach, including themselves.
  private static func below(_ rooms: Set<String>, _ arrows: [String: Set<String>]) -> Set<String> {
    var found = rooms
    var waiting = Array(rooms)
    while let room = waiting.popLast() {
      for next in arrows[room] ?? [] where found.insert(next).inserted { waiting.append(next) }
    }
    return found
  }

  private static func arrows() throws -> [String: Set<String>] {
    Dictionary(uniqueKeysWithValues: try rooms().map { ($0.name, Set($0.uses)) })
  }

  @Test("Each room has a row with the dependencies of its target")
  func rows() throws {
    let arrows = try Self.arrows()
    let rows = try Self.documentedArrows()
    #expect(rows.map(\.room).sorted() == arrows.keys.sorted())
    for row in rows {
      let drawn = try #require(
        arrows[row.room], "ARCHITECTURE.md has a row for \(row.room), Package.swift has no room")
      if row.includesBelow {
        let missing = drawn.subtracting(Self.below(row.uses, arrows))
        #expect(missing.isEmpty, "The row of \(row.room) lacks \(missing.sorted())")
        #expect(
          row.uses.isSubset(of: drawn), "\(row.room) does not use \(row.uses.subtracting(drawn).sorted())")
      } else {
        #expect(row.uses == drawn, "The row of \(row.room)")
      }
    }
  }

  @Test("A room uses rooms of lower floors, and rooms before it on its own floor")
  func downwards() throws {
    var before: Set<String> = []
    for room in try Self.rooms() {
      #expect(Set(room.uses).isSubset(of: before), "\(room.name) uses what stands after it in Package.swift")
      before.insert(room.name)
    }
  }

  @Test(
    "Floors that must not know each other don't",
    arguments: [
      ("Calendar", "Positions"), ("Apple", "Serving"), ("Basics", "Network"), ("Positions", "Calendar"),
    ])
  func strangers(floor: String, other: String) throws {
    let rooms = try Self.rooms()
    let arrows = try Self.arrows()
    let reached = Self.below(Set(rooms.filter { $0.floor == floor }.map(\.name)), arrows)
    let forbidden = Set(rooms.filter { $0.floor == other }.map(\.name))
    #expect(!forbidden.isEmpty)
    #expect(reached.intersection(forbidden).isEmpty)
  }

  @Test("ARCHITECTURE.md shows the floors and rooms of Package.swift, from the top down")
  func overview() throws {
    let overview = try Self.overview()
    let rooms = try Self.rooms()
    var floors: [String] = []
    for room in rooms where floors.last != room.floor { floors.append(room.floor) }
    #expect(floors.count == 9)
    #expect(
      overview.matches(of: /\n ([A-Z]\w+) {2,}[A-Z].*\./).map { String($0.output.1) } == floors.reversed())
    let shown = overview.matches(of: /\n  (\w+) {2,}\S/).map { String($0.output.1) }
    #expect(shown == rooms.reversed().map(\.name))
  }

  @Test("Each floor and each room has a page of its rules, and no folder is left over")
  func pages() throws {
    let rooms = try Self.rooms()
    for room in rooms {
      #expect(try !Repository.text("Sources/\(room.floor)/\(room.name)/README.md").isEmpty)
    }
    for (floor, rooms) in Dictionary(grouping: rooms, by: \.floor) {
      let page = try Repository.text("Sources/\(floor)/README.md")
      let list = try #require(page.components(separatedBy: "Rooms, from the ground up: ").last)
      #expect(
        list.matches(of: /`(\w+)`/).map { String($0.output.1) } == rooms.map(\.name), "The page of \(floor)")
      let folders = try FileManager.default.contentsOfDirectory(
        atPath: Repository.root.appendingPathComponent("Sources/\(floor)").path)
      #expect(Set(folders).subtracting(["README.md", "TestingOverlays"]) == Set(rooms.map(\.name)))
    }
  }
  @Test("The page of a room begins with its name and lists its folders", arguments: try rooms())
  func folders(room: Room) throws {
    let path = "Sources/\(room.floor)/\(room.name)"
    let page = try Repository.text("\(path)/README.md")
    #expect(page.hasPrefix("# \(room.name)\n"))
    let folder = Repository.root.appendingPathComponent(path)
    let folders = try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: [.isDirectoryKey]
    ).filter { try $0.resourceValues(forKeys: [.isDirectoryKey]).isDirectory == true }
      .map(\.lastPathComponent).filter { !$0.hasSuffix(".docc") }
    let listed = Self.listedFolders(page)
    #expect(Set(listed.map { String($0.prefix { $0 != "/" }) }) == Set(folders))
    for name in listed {
      #expect(FileManager.default.fileExists(atPath: folder.appendingPathComponent(name).path), "\(name)")
    }
  }

  /// The first column of the table of folders, where a row may have several.
  private static func listedFolders(_ page: String) -> [String] {
    let lines = page.split(separator: "\n", omittingEmptySubsequences: false)
    guard let head = lines.firstIndex(where: { $0.hasPrefix("| folder |") }) else { return [] }
    return lines[(head + 2)...].prefix { $0.hasPrefix("|") }.flatMap { row in
      row.dropFirst().prefix { $0 != "|" }.split(separator: ",")
        .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }
  }

  /// Paths that pages for contributors name, without those that have a NAME to fill in.
  private static func paths(_ text: some StringProtocol) -> [String] {
    String(text).matches(of: /`((?:Sources|Tests|docs|Scripts)\/[\w\/.+-]+)`/).map { String($0.output.1) }
      .filter { !$0.contains("NAME") && !$0.contains("TOPIC") }
  }

  @Test("Files that pages for contributors name exist")
  func namedFiles() throws {
    let folder = Repository.root.appendingPathComponent("docs/contributing")
    for page in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      for path in try Self.paths(Repository.text("docs/contributing/\(page)")) {
        let file = Repository.root.appendingPathComponent(path)
        #expect(FileManager.default.fileExists(atPath: file.path), "\(page) names \(path)")
      }
    }
  }

  @Test("where-is.md names what its files contain")
  func whereIs() throws {
    let rows = try Repository.text("docs/contributing/where-is.md").split(separator: "\n")
      .filter { $0.hasPrefix("| ") && $0.contains("`") }
    #expect(rows.count >= 25)
    for row in rows {
      let cells = row.split(separator: "|")
      let path = try #require(Self.paths(cells[1]).first, "\(row)")
      let file = try Repository.text(path)
      for name in cells[2].matches(of: /`([^`]+)`/) {
        #expect(file.contains(name.output.1), "\(path) has no \(name.output.1)")
      }
    }
  }
}
