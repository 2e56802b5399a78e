// The cost of `fencepost replay` with a long trace and 1,000 fences, in each of three formats, compared with
// a bare pass of libxml2 over the GPX: processor time of all threads, and peak memory. Then a trace of 1,000
// devices, on one core and on two. It generates the traces.
//
//     swift build -c release --product fencepost
//     swift run -c release --package-path Benchmarks ReplayBenchmark .build/release/fencepost [FIXES]

import CFenceGrid
import CSAXPass
import FenceWorkload
import Glibc

/// Seconds of processor time and of wall time, and peak megabytes.
struct Cost {
  var seconds: Double
  var wall: Double
  var megabytes: Double

  init(seconds: Double, wall: Double, megabytes: Double) {
    self.seconds = seconds
    self.wall = wall
    self.megabytes = megabytes
  }

  init(_ usage: rusage) {
    wall = 0
    func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
    self.seconds = seconds(usage.ru_utime) + seconds(usage.ru_stime)
    megabytes = Double(usage.ru_maxrss) / 1024
  }
}

/// The option with which this program runs itself to start another program.
let runOption = "--run"

func wallSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// The cost of running a program: the minimum times of several runs.
///
/// A small process starts it, because the system counts the memory of the starting process as the program's
/// peak.
func cost(of arguments: [String], runs count: Int = 3) -> Cost {
  let words = ["/proc/\(getpid())/exe", runOption] + arguments
  let command = words.map { "'\($0)'" }.joined(separator: " ")
  var runs: [Cost] = []
  for _ in 0..<count {
    guard let output = popen(command, "r") else { fatalError("cannot run \(arguments[0])") }
    var line = [UInt8](repeating: 0, count: 256)
    let length = fread(&line, 1, line.count, output)
    let values = String(decoding: line[..<length], as: UTF8.self).split(whereSeparator: \.isWhitespace)
      .compactMap { Double($0) }
    guard pclose(output) == 0, values.count == 3 else { fatalError("\(arguments[0]) failed") }
    runs.append(Cost(seconds: values[0], wall: values[1], megabytes: values[2]))
  }
  var least = runs.min { $0.seconds < $1.seconds } ?? runs[0]
  least.wall = runs.map(\.wall).min() ?? .infinity
  return least
}

/// Runs a program and prints its cost, for ``cost(of:runs:)``.
func run(_ arguments: [String]) -> Never {
  let start = wallSeconds()
  let process = fork(arguments)
  var status: Int32 = 0
  var usage = rusage()
  guard wait4(process, &status, 0, &usage) == process, status == 0 else { exit(1) }
  let cost = Cost(usage)
  print(cost.seconds, wallSeconds() - start, cost.megabytes)
  exit(0)
}

/// Starts a program and discards its output.
func fork(_ arguments: [String]) -> pid_t {
  var actions = posix_spawn_file_actions_t()
  posix_spawn_file_actions_init(&actions)
  defer { posix_spawn_file_actions_destroy(&actions) }
  for descriptor: Int32 in [1, 2] {
    posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_WRONLY, 0)
  }
  let copies = arguments.map { strdup($0) } + [nil]
  defer { for copy in copies { free(copy) } }
  var process: pid_t = 0
  let status = posix_spawn(&process, arguments[0], &actions, nil, copies, environ)
  guard status == 0 else { fatalError("cannot run \(arguments[0])") }
  return process
}

/// The minimum processor time of three runs of `body` in this process.
func minimumSeconds(_ body: () -> Void) -> Double {
  (0..<3).map { _ in
    var before = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &before)
    body()
    var after = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &after)
    return Cost(after).seconds - Cost(before).seconds
  }.min() ?? .infinity
}

/// Writes a file line by line; returns its size in megabytes.
func write(_ path: String, _ lines: (_ write: (String) -> Void) -> Void) -> Double {
  guard let file = fopen(path, "w") else { fatalError("cannot write \(path)") }
  defer { fclose(file) }
  lines { fputs($0, file) }
  return Double(ftell(file)) / 1e6
}

/// `number` with `digits` decimals.
func decimal(_ number: Double, _ digits: Int32) -> String {
  var text = [CChar](repeating: 0, count: 64)
  let length = withVaList([digits, number]) { vsnprintf(&text, text.count, "%.*f", $0) }
  return String(decoding: text[..<Int(length)].map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

/// The civil date and time of a position.
func date(_ position: GridPosition) -> tm {
  var seconds = time_t(position.microseconds / 1_000_000)
  var civil = tm()
  gmtime_r(&seconds, &civil)
  return civil
}

func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }

func rfc3339(_ civil: tm) -> String {
  "\(civil.tm_year + 1900)-\(two(civil.tm_mon + 1))-\(two(civil.tm_mday))"
    + "T\(two(civil.tm_hour)):\(two(civil.tm_min)):\(two(civil.tm_sec))Z"
}

/// An angle in the north-eastern quarter as `ddmm.mmmmm`, with `digits` digits before the minutes.
func nautical(_ degrees: Double, _ digits: Int) -> String {
  let whole = Int(degrees)
  let minutes = decimal((degrees - Double(whole)) * 60, 5)
  let head = String(repeating: "0", count: max(0, digits - "\(whole)".count)) + "\(whole)"
  return head + (minutes.count < 8 ? "0" : "") + minutes
}

func sentence(_ body: String) -> String {
  let sum = body.utf8.reduce(0, ^)
  return "$\(body)*\(sum < 16 ? "0" : "")\(String(sum, radix: 16, uppercase: true))\r\n"
}

/// A file of reminders, each with an arrival alarm, and with `alarms` 2 also a departure alarm.
func writeFences(_ path: String, _ count: Int, alarms: Int = 1) {
  _ = write(path) { write in
    write("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:benchmark\r\n")
    for (number, circle) in circles(count, .city).enumerated() {
      let place = "\(decimal(circle.latitude, 7)),\(decimal(circle.longitude, 7))"
      write("BEGIN:VTODO\r\nUID:\(number)\r\nSUMMARY:Place \(number)\r\n")
      for event in ["ARRIVE", "DEPART"].prefix(alarms) {
        write(
          "BEGIN:VALARM\r\nACTION:DISPLAY\r\n"
            + "TRIGGER;VALUE=DATE-TIME:19760401T005545Z\r\nX-APPLE-PROXIMITY:\(event)\r\n"
            + "X-APPLE-STRUCTURED-LOCATION;VALUE=URI;X-APPLE-RADIUS=\(decimal(circle.radius, 1));X-TITLE=P:geo:\(place)\r\n"
            + "END:VALARM\r\n")
      }
      write("END:VTODO\r\n")
    }
    write("END:VCALENDAR\r\n")
  }
}

let words = CommandLine.arguments
if words.dropFirst().first == runOption { run(Array(words.dropFirst(2))) }
guard words.count > 1 else { fatalError("usage: ReplayBenchmark FENCEPOST [FIXES]") }
let track = positions(devices: 1, steps: words.count > 2 ? Int(words[2]) ?? 1_000_000 : 1_000_000, seconds: 1)
let directory = "/dev/shm/fencepost-replay.\(getpid())"
mkdir(directory, 0o700)
let fences = "\(directory)/fences.ics"
writeFences(fences, 1_000)

let formats: [(name: String, write: ((String) -> Void) -> Void)] = [
  (
    "gpx",
    { write in
      write("<?xml version=\"1.0\"?>\n<gpx version=\"1.1\" creator=\"benchmark\"><trk><trkseg>\n")
      for position in track {
        write(
          "   <trkpt lat=\"\(decimal(position.latitude, 7))\" lon=\"\(decimal(position.longitude, 7))\">"
            + "<ele>35.1</ele><time>\(rfc3339(date(position)))</time></trkpt>\n")
      }
      write("</trkseg></trk></gpx>\n")
    }
  ),
  (
    "nmea",
    { write in
      for position in track {
        let civil = date(position)
        let time = two(civil.tm_hour) + two(civil.tm_min) + two(civil.tm_sec)
        let place = "\(nautical(position.latitude, 2)),N,\(nautical(position.longitude, 3)),E"
        let day = two(civil.tm_mday) + two(civil.tm_mon + 1) + two((civil.tm_year + 1900) % 100)
        write(sentence("GPRMC,\(time),A,\(place),2.9,90.0,\(day),,,A"))
        write(sentence("GPGGA,\(time),\(place),1,09,1.2,34.0,M,45.0,M,,"))
      }
    }
  ),
  (
    "csv",
    { write in
      write("time,latitude,longitude,accuracy\n")
      for position in track {
        write(
          "\(rfc3339(date(position))),\(decimal(position.latitude, 7)),\(decimal(position.longitude, 7)),\(position.accuracy)\n"
        )
      }
    }
  ),
]

var bare = Double.infinity
print("\(track.count) fixes against 1,000 fences; processor time, the least of three")
for format in formats {
  let path = "\(directory)/track.\(format.name)"
  let size = write(path, format.write)
  if format.name == "gpx" {
    bare = minimumSeconds { precondition(sax_pass(path) > 0) }
    print("  libxml2, counting elements: \(decimal(bare, 2)) s for \(decimal(size, 0)) MB")
  }
  let cost = cost(of: [words[1], "replay", "--reminders", fences, path])
  print(
    "  replay of \(format.name), \(decimal(size, 0)) MB: \(decimal(cost.seconds, 2)) s, \(decimal(cost.seconds / bare, 2)) bare passes; \(decimal(cost.megabytes, 0)) MB"
  )
  unlink(path)
}

let crowd = positions(devices: 1_000, steps: track.count / 1_000, seconds: 5)
let trace = "\(directory)/crowd.csv"
_ = write(trace) { write in
  write("device,time,latitude,longitude,accuracy\n")
  for position in crowd {
    write(
      "\(position.device),\(position.microseconds / 1_000_000),\(decimal(position.latitude, 7)),\(decimal(position.longitude, 7)),\(position.accuracy)\n"
    )
  }
}
print("\(crowd.count) fixes of 1,000 devices; processor time and time on the wall, the least of three")
for count in [1_000, 100_000] {
  let store = "\(directory)/store.sqlite"
  writeFences(fences, count)
  _ = cost(of: [words[1], "import", "--store", store, fences], runs: 1)
  for (name, cores) in [("one core", "0"), ("two", "0,1")] {
    let cost = cost(of: ["/usr/bin/taskset", "-c", cores, words[1], "replay", "--store", store, trace])
    print(
      "  against \(count) fences on \(name): \(decimal(cost.seconds, 2)) s, \(decimal(cost.wall, 2)) s on the wall; \(decimal(cost.megabytes, 0)) MB"
    )
  }
  for suffix in ["", "-wal", "-shm"] { unlink(store + suffix) }
}

// The cost of a crossing beyond its detection: 100,000 fences from a store, with two alarms each.
let many = circles(100_000, .city)
let grid = minimumSeconds {
  let grid = fence_grid_create(many, many.count, 1_000)
  precondition(fence_grid_run_csv(grid, trace) > 0)
  fence_grid_free(grid)
}
print("the C grid, over 100,000 circles and the same file: \(decimal(grid, 2)) s")
let store = "\(directory)/store.sqlite"
writeFences(fences, many.count, alarms: 2)
_ = cost(of: [words[1], "import", "--store", store, fences], runs: 1)
for policy in ["exact", "robust"] {
  let cost = cost(of: [words[1], "replay", "--policy", policy, "--store", store, trace])
  print(
    "  replay from a store with two alarms a fence, \(policy): \(decimal(cost.seconds, 2)) s, \(decimal(cost.seconds / grid, 1)) grids; \(decimal(cost.megabytes, 0)) MB"
  )
}
for suffix in ["", "-wal", "-shm"] { unlink(store + suffix) }
unlink(trace)
unlink(fences)
rmdir(directory)
