import FencepostApps
import FencepostTestSupport
import Foundation
import Synchronization
import Testing

@Suite("Writes of other processes")
struct FileWatcherTests {
  @Test(
    "A check that found a change is repeated: a later one may not be visible yet",
    .timeLimit(.minutes(1)))
  func repeated() async throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("calendar.sqlite")
    try Data("1".utf8).write(to: URL(fileURLWithPath: path))
    let (checks, continuation) = AsyncStream<Int>.makeStream()
    // The second transaction becomes visible after the first check, without another write.
    let visible = Mutex(1)
    let watcher = FileWatcher(path: path) {
      continuation.yield(
        visible.withLock { visible in
          defer { visible = 2 }
          return visible
        })
    }
    try #require(watcher != nil)
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try file.write(contentsOf: Data("2".utf8))
    try file.close()
    var iterator = checks.makeAsyncIterator()
    #expect(await iterator.next() == 1)
    #expect(await iterator.next() == 2)
    withExtendedLifetime(watcher) {}
  }
}
