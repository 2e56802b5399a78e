public import FencepostSystem
import Synchronization

/// The complete requests of a site that wait for a response, for one or more threads.
public final class HTTPQueue: Sendable {
  private struct State {
    var waiting: [HTTPExchange] = []
    var isClosed = false
  }

  private let state = Mutex(State())
  private let wake: WakeUp

  /// An empty queue.
  public init() throws(SystemFailure) { wake = try WakeUp() }

  /// Waits for requests, and takes all of them. Returns none if `stop` becomes readable.
  public func next(stop: Int32 = -1) -> [HTTPExchange] {
    while true {
      let taken = state.withLock { state in
        defer { state.waiting.removeAll() }
        return state.waiting
      }
      if !taken.isEmpty { return taken }
      if Readiness.wait(for: wake.descriptor, interruptedBy: stop) == .interrupted { return [] }
      wake.clear()
    }
  }

  /// Waits for a request, and takes one. Returns `nil` if `stop` becomes readable.
  func nextOne(stop: Int32) -> HTTPExchange? {
    while true {
      let (taken, isMore) = state.withLock { state in
        let taken = state.waiting.isEmpty ? nil : state.waiting.removeFirst()
        return (taken, !state.waiting.isEmpty)
      }
      // Wake another thread for the rest.
      if isMore { wake.signal() }
      if let taken { return taken }
      if Readiness.wait(for: wake.descriptor, interruptedBy: stop) == .interrupted { return nil }
      wake.clear()
    }
  }

  func add(_ exchange: HTTPExchange) {
    state.withLock { $0.waiting.append(exchange) }
    wake.signal()
  }
}

/// Threads that answer the requests of a queue, each one at a time.
public final class HTTPWorkers: Sendable {
  private let stop: WakeUp

  /// Starts `count` threads. They end with this object, after their current request.
  public init(
    _ count: Int, for queue: HTTPQueue, answer: @escaping @Sendable (HTTPRequest) -> HTTPResponse
  ) throws(SystemFailure) {
    stop = try WakeUp()
    for _ in 0..<count {
      try SystemThread.start("web") { [stop] in
        while let exchange = queue.nextOne(stop: stop.descriptor) {
          guard let request = exchange.request else { continue }
          exchange.answer(exchange.isAbandoned ? .busy : answer(request))
        }
      }
    }
  }

  deinit { stop.signal() }
}
