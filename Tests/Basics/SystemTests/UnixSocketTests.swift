import FencepostSystem
import FencepostTestSupport
import Foundation
import Testing

@Suite("Sockets with a path")
struct UnixSocketTests {
  @Test("Many that are made at once are private, and leave the mask of new files alone")
  func simultaneous() async throws {
    let directory = try TemporaryDirectory()
    let before = FileModeMask.current
    let modes = try await withThrowingTaskGroup(of: Int?.self) { group in
      for number in 0..<200 {
        group.addTask {
          let listener = try UnixListener(path: directory.path("\(number)"))
          let attributes = try FileManager.default.attributesOfItem(atPath: listener.path)
          return attributes[.posixPermissions] as? Int
        }
      }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(modes == [0o600])
    #expect(FileModeMask.current == before)
  }

  @Test("The mask of new files is that of the process")
  func mask() throws {
    let shell = ChildProgram(path: "/bin/sh", arguments: ["-c", "umask"])
    let said = String(decoding: try shell.ask(input: [], timeout: 60, most: 100).output, as: UTF8.self)
    #expect(mode_t(said.trimmingCharacters(in: .whitespacesAndNewlines), radix: 8) == FileModeMask.current)
  }
}
