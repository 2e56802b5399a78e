import Foundation
import Testing

@Suite("ARCHITECTURE.md and Package.swift agree")
struct ArchitectureTests {
  /// The allowed imports of each room, without modules of C libraries.
  private static func packageArrows() throws -> [String: Set<String>] {
    let package = try text("Package.swift")
    let libraries = Set(
      package.matches(of: /(?:library\(|\.systemLibrary\(name: )"(C\w+)"/).map { String($0.output.1) })
    var arrows: [String: Set<String>] = [:]
    let targets = package.matches(
      of: /(?:room\(|\.executableTarget\(\s*name:)\s*"(\w+)"(?:,\s*(?:uses|dependencies):\s*\[([^\]]*)\])?/)
    for target in targets {
      let names = (target.output.2 ?? "").matches(of: /"(\w+)"/).map { String($0.output.1) }
      arrows[String(target.output.1)] = Set(names).subtracting(libraries)
    }
    arrows["EventKitTestPeer"] = nil
    arrows["EventKitUITestPeer"] = nil
    return arrows
  }

  /// The rows of the table: a room, the rooms it uses, and whether their dependencies are included.
  private static func documentedArrows() throws -> [(room: String, uses: Set<String>, includesBelow: Bool)] {
    let document = try text("ARCHITECTURE.md")
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

  private static func text(_ name: String) throws -> String {
    let top = URL(fileURLWithPath: CommandFixture.data("")).deletingLastPathComponent()
    return try String(contentsOf: top.appendingPathComponent(name), encoding: .utf8)
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

  @Test("Each room has a row with the dependencies of its target")
  func rows() throws {
    let arrows = try Self.packageArrows()
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

  @Test("Each room has a page of its rules, and a line in the overview")
  func pages() throws {
    let document = try Self.text("ARCHITECTURE.md")
    for room in try Self.packageArrows().keys.sorted() {
      #expect(try !Self.text("Sources/\(room)/README.md").isEmpty)
      #expect(document.contains("\n \(room) "), "The house does not show \(room)")
    }
  }
}
