import FencepostPositionFeeds
import FencepostSpatiotemporal
import FencepostTestSupport
import Glibc
import Testing

@Suite("Sorting traces")
struct SortedFeedTests {
  /// A CSV of seconds since `start`, as fixes of a phone, or as `device:second`.
  private static func csv(_ times: [String], start: Int = 1_777_701_600) -> String {
    let rows = times.map { time in
      let parts = time.split(separator: ":")
      let seconds = parts.last.flatMap { Int($0) } ?? 0
      return "\(parts.count > 1 ? parts[0] : "phone"),\(start + seconds),52.5,13.4\n"
    }
    return "device,time,latitude,longitude\n" + rows.joined()
  }

  private static func feed(_ times: [String], window: Int) throws -> SortedFeed {
    SortedFeed(
      try TraceReader(bytes: Array(csv(times).utf8), name: "trace", devices: DeviceRegistry()),
      window: window)
  }

  private static func seconds(_ fixes: [Fix]) -> [Int] {
    fixes.map { Int($0.time.seconds(since: Instant(seconds: 1_777_701_600))) }
  }

  @Test(
    "A trace comes out in the order of time, with any window, and says how many points were out of order",
    arguments: [1, 2, 3, 7, 100], [1, 4, 4_096])
  func sorted(window: Int, limit: Int) throws {
    let backwards = (0..<50).reversed().map { "\($0 * 10)" }
    let feed = try Self.feed(backwards, window: window)
    let fixes = try feed.rest(limit: limit)
    #expect(fixes.count == 50)
    #expect(feed.reports.map(\.late) == [49])
    #expect(feed.reports.map(\.unsorted) == [window > 1 ? 0 : 49])
    // The first window of one fix can't be out of order.
    if window > 1 { #expect(Self.seconds(fixes) == (0..<50).map { $0 * 10 }) }
  }

  @Test("Points of one time keep their order", arguments: [5, 100])
  func stable(window: Int) throws {
    let feed = try Self.feed(["a:20", "b:10", "a:10", "c:10", "b:20"], window: window)
    let fixes = try feed.rest()
    #expect(Self.seconds(fixes) == [10, 10, 10, 20, 20])
    #expect(fixes.map(\.device.rawValue) == [2, 1, 3, 1, 2])
  }

  @Test("Devices that each come in order are not sorted")
  func devices() throws {
    let feed = try Self.feed(["a:10", "a:20", "b:5", "b:15"], window: 100)
    #expect(Self.seconds(try feed.rest()) == [10, 20, 5, 15])
    #expect(feed.reports.map(\.late) == [0])
  }

  @Test("Newest day first, each day in order", arguments: [2, 5, 100])
  func days(window: Int) throws {
    let days = [3, 2, 1, 0].flatMap { day in (0..<10).map { "\(day * 86_400 + $0 * 60)" } }
    let feed = try Self.feed(days, window: window)
    let fixes = try feed.rest(limit: 3)
    let sorted = Self.seconds(fixes).sorted()
    #expect(sorted == [0, 1, 2, 3].flatMap { day in (0..<10).map { day * 86_400 + $0 * 60 } })
    // A window that holds one day shows no disorder at first.
    if window == 100 { #expect(Self.seconds(fixes) == sorted) }
    #expect((feed.reports.first?.unsorted == 0) == (Self.seconds(fixes) == sorted))
  }

  @Test("Nothing is sorted across a clock that was set back", arguments: [2, 100])
  func clock(window: Int) throws {
    let ahead = ["1000000010", "1000000000"]
    let feed = try Self.feed(ahead + ["30", "20", "10"], window: window)
    #expect(Self.seconds(try feed.rest()) == [1_000_000_000, 1_000_000_010, 10, 20, 30])
    let lone = try Self.feed(["0", "10", "1000000000", "20", "30"], window: window)
    #expect(Self.seconds(try lone.rest()) == [0, 10, 1_000_000_000, 20, 30])
  }

  @Test("The fixes before damage are sorted too, then comes the error's report")
  func damage() throws {
    let reader = try TraceReader(
      bytes: Array((Self.csv(["30", "20"]) + "phone,10,x").utf8), name: "trace", devices: DeviceRegistry())
    let feed = SortedFeed(reader)
    #expect(Self.seconds(try feed.rest()) == [20, 30])
    #expect(feed.reports.first?.rejected == 1)
  }

  @Test("A file that is much longer than the window is sorted as a whole")
  func onDisk() throws {
    let directory = try TemporaryDirectory()
    var random = SeededRandom(seed: 3)
    let times = (0..<20_000).shuffled(using: &random)
    try directory.write(Self.csv(times.map(String.init)), to: "trace.csv")
    let feed = SortedFeed(
      try TraceReader(path: directory.path("trace.csv"), devices: DeviceRegistry()), window: 256)
    #expect(Self.seconds(try feed.rest(limit: 100)) == Array(0..<20_000))
  }

  @Test("A pipe gives what it has, and is sorted as far as it came together")
  func pipe() throws {
    var ends: [Int32] = [0, 0]
    #expect(Glibc.pipe(&ends) == 0)
    let text = Array(Self.csv(["30", "20", "10"]).utf8)
    #expect(write(ends[1], text, text.count) == text.count)
    let feed = SortedFeed(
      try TraceReader(
        fileDescriptor: ends[0], closesDescriptor: true, name: "pipe", devices: DeviceRegistry(), device: "a")
    )
    var fixes: [Fix] = []
    // The pipe stays open.
    #expect(try feed.read(into: &fixes))
    #expect(Self.seconds(fixes) == [10, 20, 30])
    close(ends[1])
    #expect(try !feed.read(into: &fixes))
  }

  @Test("The positions of one message are in the order of time")
  func message() throws {
    let positions = [30, 10, 20].map {
      #"{"_type":"location","lat":52.5,"lon":13.4,"tst":\#(1_777_701_600 + $0)}"#
    }
    let message = try MessageReader(devices: DeviceRegistry()).read(
      Array("[\(positions.joined(separator: ","))]".utf8), of: .given("phone"))
    #expect(Self.seconds(message.fixes) == [10, 20, 30])
  }
}
