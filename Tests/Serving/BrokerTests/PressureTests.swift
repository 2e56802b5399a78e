import FencepostCalendarModel
import FencepostCalendarStore
import FencepostRecurrence
import FencepostSystem
import FencepostTestSupport
import Synchronization
import Testing

@testable import FencepostBroker
@testable import FencepostStoreAccess

@Suite("A broker under pressure")
struct PressureTests {
  @Test(
    "A revocation ends an answer that is on its way, and what was not sent stays unsent",
    .timeLimit(.minutes(2)))
  func revocationInAnAnswer() throws {
    let fixture = try BrokerFixture()
    try fixture.decide(events: .full)
    // Far more than the buffers of a socket take.
    let pages = 12
    try fixture.store.write { writer in
      let calendar = try writer.defaultCalendar(for: .events).id
      for _ in 0..<pages * Wire.seriesPerPage {
        var event = BrokerFixture.event("Lunch", in: calendar)
        event.notes = String(repeating: "x", count: 2_000)
        try writer.save(event)
      }
    }
    let channel = try fixture.greeted()
    let window = Instant(seconds: 1_790_000_000)..<Instant(seconds: 1_810_000_000)
    try channel.send(StoreRequest.window(window, nil, floating: TimeZoneID(rawValue: "UTC")).bytes)
    var count = 0
    func receive() throws {
      if try channel.receive(maximum: Wire.maximumAnswer).count > 100_000 { count += 1 }
    }
    try receive()
    // The broker waits for the app to read on. The owner does not wait for either.
    try fixture.decide(events: .denied)
    #expect(throws: FrameChannel.Ending.self) { for _ in 0...pages { try receive() } }
    #expect((1..<pages).contains(count))
    #expect(try fixture.app().level(of: .events) == .denied)
  }

  @Test(
    "Of ten thousand connections those beyond the limits are refused, and who is there is served meanwhile",
    .enabled(if: Counterpart.isInstalled("python3"), "no python3 here"), .timeLimit(.minutes(2)))
  func tenThousand() throws {
    let fixture = try BrokerFixture()
    let app = try fixture.greeted()
    // As many as one program may have, if that is less.
    let script = """
      import resource, select, socket, sys
      hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
      count = 10000 if hard < 0 else min(10000, hard - 64)
      resource.setrlimit(resource.RLIMIT_NOFILE, (count + 64, hard))
      poll, sockets = select.poll(), []
      for _ in range(count):
        one = socket.socket(socket.AF_UNIX)
        one.connect(sys.argv[1])
        sockets.append(one)
        poll.register(one, select.POLLIN)
      closed = 0
      while ready := poll.poll(3000):
        for number, _ in ready:
          closed += 1
          poll.unregister(number)
      print(count, closed)
      """
    let program = ChildProgram(
      path: try #require(Counterpart.path(of: "python3")), arguments: ["-c", script, fixture.path])
    let shared = Shared<Result<String, any Error>>()
    try SystemThread.start("flood") {
      let answer = Result {
        String(decoding: try program.ask(input: [], timeout: 100, most: 100).output, as: UTF8.self)
      }
      shared.set(answer)
    }
    var served = 0
    while shared.value == nil {
      #expect(try !app.ask(.sources).isEmpty)
      served += 1
    }
    let numbers = try #require(try shared.value?.get()).split(whereSeparator: \.isWhitespace).compactMap {
      Int($0)
    }
    try #require(numbers.count == 2)
    #expect(numbers[1] >= numbers[0] - BrokerServer.maximumStrangers, "\(numbers)")
    #expect(served > 0)
    // Then all is as before.
    #expect(eventually { (try? fixture.greeted("other").ask(.sources).isEmpty) == false })
  }

  /// A value that another thread sets.
  private final class Shared<Value: Sendable>: Sendable {
    private let state = Mutex<Value?>(nil)
    var value: Value? { state.withLock { $0 } }
    func set(_ value: Value) { state.withLock { $0 = value } }
  }
}
