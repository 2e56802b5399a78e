import CalendarModel
import Foundation
import Glibc
import Synchronization

/// What a daemon knows of itself, for whoever asks.
final class StatusBoard: Sendable {
  private let feeds: [FeedBoard]
  private let channels: [ChannelWorker]
  private let started = Instant.wallClock()
  private struct State {
    var isPaused: Bool
    var storeFailure: String?
  }
  private let state: Mutex<State>

  init(feeds: [FeedRunner], channels: [ChannelWorker], isPaused: Bool) {
    self.feeds = feeds.map(\.board)
    self.channels = channels
    state = Mutex(State(isPaused: isPaused))
  }

  /// Holds deliveries back, or lets them go on.
  func setPaused(_ isPaused: Bool) {
    state.withLock { $0.isPaused = isPaused }
    for channel in channels { channel.setPaused(isPaused) }
  }

  /// Notes why the store can't be written to.
  func setStoreFailure(_ failure: String?) { state.withLock { $0.storeFailure = failure } }

  /// How the daemon is doing.
  var status: DaemonStatus {
    let (isPaused, storeFailure) = state.withLock { ($0.isPaused, $0.storeFailure) }
    return DaemonStatus(
      process: getpid(), started: started.microseconds, memory: StatusBoard.residentMemory(),
      isPaused: isPaused, storeFailure: storeFailure,
      feeds: feeds.map(\.status).map { feed in
        DaemonStatus.Feed(
          address: feed.address, state: feed.state.rawValue, fixes: feed.fixes, rejected: feed.rejected,
          lastArrival: feed.lastArrival?.microseconds, failure: feed.failure,
          nextAttempt: feed.nextAttempt?.microseconds)
      },
      channels: channels.map { channel in
        let status = channel.status
        return DaemonStatus.Channel(
          address: channel.name, failure: status.lastError,
          nextAttempt: status.lastError == nil ? nil : status.nextAttempt?.microseconds)
      })
  }

  /// The status as a line of JSON.
  func json() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(status), as: UTF8.self)
  }

  /// A refusal as a line of JSON.
  static func failure(_ words: String) -> String {
    let object = try? JSONSerialization.data(withJSONObject: ["error": words])
    return object.map { String(decoding: $0, as: UTF8.self) } ?? "{}"
  }

  /// Bytes of memory that this process has in use (proc(5)).
  private static func residentMemory() -> Int {
    guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return 0 }
    let words = text.split(separator: " ")
    return words.count > 1 ? (Int(words[1]) ?? 0) * sysconf(Int32(_SC_PAGESIZE)) : 0
  }
}
