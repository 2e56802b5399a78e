import CFencepostLinux
import FencepostSystem
import Glibc
import Testing

@Suite("Waiting for descriptors")
struct ReadinessTests {
  @Test("A wait ends when its descriptor is ready, when it is interrupted, or at its deadline")
  func outcomes() throws {
    let (awaited, interrupter) = (try WakeUp(), try WakeUp())
    func wait(_ limit: Duration = .seconds(20)) -> Readiness.Outcome {
      Readiness.wait(for: awaited.descriptor, until: .now + limit, interruptedBy: interrupter.descriptor)
    }
    #expect(wait(.milliseconds(1)) == .timedOut)
    #expect(wait(.seconds(-1)) == .timedOut)
    awaited.signal()
    #expect(wait() == .ready(.readable))
    interrupter.signal()
    #expect(wait() == .interrupted)
    awaited.clear()
    interrupter.clear()
    #expect(wait(.zero) == .timedOut)
  }

  @Test("Without an interrupter nothing interrupts")
  func alone() throws {
    let awaited = try WakeUp()
    #expect(Readiness.now(awaited.descriptor).isEmpty)
    awaited.signal()
    #expect(Readiness.now(awaited.descriptor) == .readable)
    #expect(Readiness.wait(for: awaited.descriptor) == .ready(.readable))
    #expect(Readiness.now(-1).isEmpty)
  }

  @Test("The end of a stream counts as readable")
  func end() throws {
    let ends = try SocketPair.make(for: "test")
    defer { close(ends.ours) }
    #expect(Readiness.wait(for: ends.ours, .writable) == .ready(.writable))
    close(ends.theirs)
    #expect(Readiness.now(ends.ours).contains(.readable))
    guard case .ready(let events) = Readiness.wait(for: ends.ours) else { throw Unexpected() }
    #expect(events.contains(.readable))
    var buffer = [UInt8](repeating: 0, count: 4)
    #expect(try DescriptorIO.read(ends.ours, into: &buffer) == 0)
    let failure = #expect(throws: SystemFailure.self) {
      try DescriptorIO.send("x".utf8Span.span.bytes, to: ends.ours)
    }
    #expect(failure?.code == EPIPE)
  }

  @Test("A signal does not end a wait early")
  func signals() throws {
    let awaited = try WakeUp()
    let thread = Monitor<pthread_t?>(nil)
    let outcome = Promise<Readiness.Outcome>()
    // A handler that does nothing: poll(2) returns, and the process continues.
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { _ in }
    sigaction(SIGUSR2, &action, nil)
    defer { signal(SIGUSR2, SIG_DFL) }
    try SystemThread.start("waiter") {
      thread.update { $0 = pthread_self() }
      outcome.fulfill(Readiness.wait(for: awaited.descriptor))
    }
    let waiter = thread.wait { $0 }
    for _ in 0..<100 { pthread_kill(waiter, SIGUSR2) }
    #expect(outcome.wait(seconds: 0.05) == nil)
    awaited.signal()
    #expect(outcome.wait() == .ready(.readable))
  }

  private struct Unexpected: Error {}
}
