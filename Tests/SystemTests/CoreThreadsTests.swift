import Testing
import System

@Suite struct CoreThreadsTests {
  @Test(arguments: [0, 1, 2, 7])
  func eachNumberOnce(count: Int) {
    let calls = Monitor([Int: Int]())
    CoreThreads.perform(count) { number in calls.withLock { $0[number, default: 0] += 1 } }
    // The caller's own share is done even where there is none.
    let expected = Dictionary(uniqueKeysWithValues: (0..<max(count, 1)).map { ($0, 1) })
    #expect(calls.withLock { $0 } == expected)
  }
}
