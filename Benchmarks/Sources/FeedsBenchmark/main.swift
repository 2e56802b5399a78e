// Megabytes and fixes per second of each reader, of gpsbabel and of a bare pass of libxml2, in one run, on
// generated traces.
//
//     swift run -c release --package-path Benchmarks FeedsBenchmark [FIXES [TRACE…]]
//
// With traces, such as a ZIP archive, it measures only those.

import CSAXPass
import FencepostCalendarModel
import FencepostGeodesy
import FencepostPositionFeeds
import Glibc

let fixes = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 100_000

/// The processor time in seconds of this process, or of its finished children.
func processorTime(_ who: __rusage_who = RUSAGE_SELF) -> Double {
  var usage = rusage()
  getrusage(__rusage_who_t(who.rawValue), &usage)
  func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
  return seconds(usage.ru_utime) + seconds(usage.ru_stime)
}

/// The minimum processor time of three runs of `work`.
func best(_ who: __rusage_who = RUSAGE_SELF, _ work: () -> Void) -> Double {
  (0..<3).map { _ in
    let start = processorTime(who)
    work()
    return processorTime(who) - start
  }.min() ?? .infinity
}

/// A deterministic walk: a fix per second, each a few metres further.
struct Walk {
  private var state: UInt64 = 0x5EED
  private var latitude = 52.5
  private var longitude = 13.4
  private var second: Int64 = 1_777_622_400

  private mutating func random() -> Double {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Double(state >> 11) / Double(1 << 53) - 0.5
  }

  mutating func next() -> Fix {
    latitude = min(max(latitude + random() * 1e-4, -80), 80)
    longitude = min(max(longitude + random() * 1e-4, -170), 170)
    second += 1
    func rounded(_ degrees: Double) -> Double { (degrees * 1e7).rounded() / 1e7 }
    return Fix(
      time: Instant(seconds: second),
      coordinate: Coordinate(latitude: rounded(latitude), longitude: rounded(longitude)),
      horizontalAccuracy: 4 + (random() * 4).rounded(), altitude: 34, speed: 1.5, course: 90)
  }
}

/// Writes a trace format.
struct Writer {
  var name: String
  /// gpsbabel's name of the format; `nil` if it can't read the format.
  var peer: String?
  var head = ""
  var tail = ""
  var row: (Fix) -> String
}

/// An angle as `ddmm.mmmm,N`.
func nautical(_ degrees: Double, digits: Int, _ letters: (String, String)) -> String {
  let whole = Int(abs(degrees))
  let minutes = Int(((abs(degrees) - Double(whole)) * 600_000).rounded(.down))
  func padded(_ value: Int, _ width: Int) -> String {
    let text = String(value)
    return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
  }
  return "\(padded(whole, digits))\(padded(minutes / 10_000, 2)).\(padded(minutes % 10_000, 4)),"
    + (degrees < 0 ? letters.1 : letters.0)
}

func sentence(_ body: String) -> String {
  let sum = String(body.utf8.reduce(0, ^), radix: 16, uppercase: true)
  return "$\(body)*\(sum.utf8.count == 1 ? "0" + sum : sum)\r\n"
}

let writers = [
  Writer(
    name: "GPX", peer: "gpx",
    head: "<?xml version=\"1.0\"?>\n<gpx version=\"1.1\" creator=\"benchmark\"><trk><trkseg>\n",
    tail: "</trkseg></trk></gpx>\n",
    row: { fix in
      "<trkpt lat=\"\(fix.coordinate.latitude)\" lon=\"\(fix.coordinate.longitude)\"><ele>34.0</ele>"
        + "<time>\(fix.time.rfc3339())</time><hdop>1.2</hdop></trkpt>\n"
    }),
  Writer(
    name: "NMEA", peer: "nmea",
    row: { fix in
      let civil = CivilDateTime(secondsSinceEpoch: fix.time.wholeSeconds)
      func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
      let time = two(civil.hour) + two(civil.minute) + two(civil.second)
      let (year, month, day) = civil.day.components
      let place =
        nautical(fix.coordinate.latitude, digits: 2, ("N", "S")) + ","
        + nautical(fix.coordinate.longitude, digits: 3, ("E", "W"))
      return sentence("GPRMC,\(time),A,\(place),2.9,90.0,\(two(day))\(two(month))\(two(year % 100)),,,A")
        + sentence("GPGGA,\(time),\(place),1,09,1.2,34.0,M,45.0,M,,")
    }),
  Writer(
    name: "CSV", peer: "unicsv", head: "time,latitude,longitude,accuracy,speed,course\n",
    row: { fix in
      "\(fix.time.rfc3339()),\(fix.coordinate.latitude),\(fix.coordinate.longitude),\(fix.horizontalAccuracy ?? 0),1.5,90\n"
    }),
  Writer(
    name: "NDJSON", peer: nil,
    row: { fix in
      "{\"_type\":\"location\",\"lat\":\(fix.coordinate.latitude),\"lon\":\(fix.coordinate.longitude),"
        + "\"tst\":\(fix.time.wholeSeconds),\"acc\":\(fix.horizontalAccuracy ?? 0),\"tid\":\"bm\",\"batt\":80}\n"
    }),
  Writer(
    name: "GeoJSON", peer: "geojson", head: "{\"type\":\"FeatureCollection\",\"features\":[\n",
    tail:
      "{\"type\":\"Feature\",\"properties\":{\"time\":0},\"geometry\":{\"type\":\"Point\",\"coordinates\":[0,0]}}]}\n",
    row: { fix in
      "{\"type\":\"Feature\",\"properties\":{\"time\":\"\(fix.time.rfc3339())\",\"accuracy\":\(fix.horizontalAccuracy ?? 0)},"
        + "\"geometry\":{\"type\":\"Point\",\"coordinates\":[\(fix.coordinate.longitude),\(fix.coordinate.latitude)]}},\n"
    }),
  Writer(
    name: "Google Records", peer: nil, head: "{\"locations\": [\n",
    tail: "{\"latitudeE7\": 0, \"longitudeE7\": 0, \"timestamp\": \"2026-05-01T08:00:00Z\"}]}\n",
    row: { fix in
      "{\n  \"latitudeE7\": \(Int(fix.coordinate.latitude * 1e7)),\n  \"longitudeE7\": \(Int(fix.coordinate.longitude * 1e7)),\n"
        + "  \"accuracy\": 12,\n  \"source\": \"WIFI\",\n  \"timestamp\": \"\(fix.time.rfc3339())\"\n},\n"
    }),
]

func run(_ writer: Writer, _ path: String) -> Int {
  guard let file = fopen(path, "w") else { fatalError("cannot write \(path)") }
  var walk = Walk()
  fputs(writer.head, file)
  for _ in 0..<fixes { fputs(writer.row(walk.next()), file) }
  fputs(writer.tail, file)
  let size = ftell(file)
  fclose(file)
  return size
}

func spawn(_ arguments: [String]) -> Bool {
  var process: pid_t = 0
  let copies = arguments.map { strdup($0) } + [nil]
  defer { for copy in copies { free(copy) } }
  let environment = [strdup("LC_ALL=C.UTF-8"), nil]
  defer { for copy in environment { free(copy) } }
  guard posix_spawnp(&process, arguments[0], nil, nil, copies, environment) == 0 else { return false }
  var status: Int32 = 0
  waitpid(process, &status, 0)
  return status == 0
}

func report(_ name: String, _ seconds: Double, _ bytes: Int, _ count: Int) {
  let megabytes = Int(Double(bytes) / 1e6 / seconds)
  print("  \(name): \(megabytes) MB/s, \(Int(Double(count) / seconds / 1000)) thousand fixes/s")
}

/// Reads the trace at `path` three times, and reports the best time.
func timeOurs(_ path: String, _ bytes: Int) {
  var count = 0
  let ours = best {
    count = 0
    var batch: [Fix] = []
    guard let reader = try? TraceReader(path: path, devices: DeviceRegistry()) else { return }
    while (try? reader.read(into: &batch, limit: 4096)) ?? false { count += batch.count }
  }
  report("ours", ours, bytes, count)
}

let traces = CommandLine.arguments.dropFirst(2)
print(
  traces.isEmpty
    ? "\(fixes) fixes each; processor time, the best of three" : "processor time, the best of three")
for path in traces {
  var status = stat()
  stat(path, &status)
  print("\(path), \(status.st_size / 1_000_000) MB")
  timeOurs(path, Int(status.st_size))
}
for writer in writers where traces.isEmpty {
  let path = "/dev/shm/fencepost-benchmark.\(getpid())"
  let bytes = run(writer, path)
  defer { unlink(path) }
  print("\(writer.name), \(bytes / 1_000_000) MB")
  timeOurs(path, bytes)
  if writer.name == "GPX" {
    let bare = best { precondition(sax_pass(path) > fixes) }
    report("libxml2, counting elements", bare, bytes, fixes)
  }
  guard let peer = writer.peer else { continue }
  var succeeded = true
  let theirs = best(RUSAGE_CHILDREN) {
    succeeded =
      spawn(["gpsbabel", "-t", "-i", peer, "-f", path, "-o", "unicsv", "-F", "/dev/null"]) && succeeded
  }
  if succeeded {
    report("gpsbabel, writing unicsv", theirs, bytes, fixes)
  } else {
    print("  gpsbabel: not to be had")
  }
}
