import FencepostSystem
import FencepostTestSupport
import Foundation
import Glibc
import Testing

@testable import FencepostLiveFeeds

@Suite("Growing files")
struct GrowingFileTests {
  /// Whether this process has the file at `path` open.
  private func isOpen(_ path: String) throws -> Bool {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").contains {
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == path
    }
  }

  private func read(_ descriptor: Int32) -> String {
    var buffer = [UInt8](repeating: 0, count: 100)
    let count = Glibc.read(descriptor, &buffer, buffer.count)
    return String(decoding: buffer.prefix(max(count, 0)), as: UTF8.self)
  }

  @Test("New lines are read, and a replaced file ends the feed")
  func grows() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write("one\n", to: "file")
    let descriptor = try GrowingFile.open(path)
    defer { close(descriptor) }
    #expect(read(descriptor) == "one\n")
    let file = try #require(FileHandle(forWritingAtPath: path))
    try file.seekToEnd()
    try file.write(contentsOf: Data("two\n".utf8))
    #expect(read(descriptor) == "two\n")
    try FileManager.default.removeItem(atPath: path)
    _ = try directory.write("three\n", to: "file")
    #expect(read(descriptor) == "")
  }

  @Test("A folder is an error")
  func folder() throws {
    let directory = try TemporaryDirectory()
    let failure = #expect(throws: SystemFailure.self) { try GrowingFile.open(directory.url.path) }
    #expect(failure?.description == "can't follow \(directory.url.path): Is a directory")
  }

  @Test("The thread ends when its pipe has no reader")
  func ends() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write("one\n", to: "file")
    let name = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    let descriptor = try GrowingFile.open(path)
    #expect(read(descriptor) == "one\n")
    #expect(try isOpen(name))
    close(descriptor)
    #expect(try eventually { try !isOpen(name) })
  }
}
