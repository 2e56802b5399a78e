import FencepostGeodesy
import FencepostPositionFeeds
import FencepostSpatiotemporal

/// All results of reading a trace.
struct Reading {
  var fixes: [Fix] = []
  var report: TraceReport
  var devices: [String]

  /// Reads all of `text`.
  init(_ text: String, name: String = "trace") throws { try self.init(bytes: Array(text.utf8), name: name) }

  /// Reads all of `bytes`, at most `limit` fixes at a time.
  init(bytes: [UInt8], name: String = "trace", limit: Int = 4096) throws {
    let registry = DeviceRegistry()
    let reader = try TraceReader(bytes: bytes, name: name, devices: registry)
    fixes = try reader.rest(limit: limit)
    report = reader.report
    devices = registry.names
  }

  /// Reads all of the file at `path`.
  init(path: String) throws {
    let registry = DeviceRegistry()
    let reader = try TraceReader(path: path, devices: registry)
    fixes = try reader.rest()
    report = reader.report
    devices = registry.names
  }

  /// The fixes as short lines: time, coordinate, then the other known values, with `|` before a new segment.
  var lines: [String] { fixes.map(\.line) }

  /// The rejected records by reason, as `reason:count@line`, in alphabetical order; `@-` without a line.
  var rejections: [String] {
    report.rejections.map {
      "\($0.key.rawValue):\($0.value.count)@\($0.value.firstLine.map(String.init) ?? "-")"
    }.sorted()
  }
}

extension PositionFeed {
  /// All remaining fixes.
  func rest(limit: Int = 4096) throws(FeedError) -> [Fix] {
    var all: [Fix] = []
    var batch: [Fix] = []
    while try read(into: &batch, limit: limit) { all += batch }
    return all
  }
}

extension Fix {
  /// See ``Reading/lines``. Speeds are rounded to nanometres per second, so that the order of rounding does
  /// not matter.
  var line: String {
    var text = startsSegment ? "| " : ""
    text += "\(time.rfc3339()) \(coordinate)"
    if let horizontalAccuracy { text += " ±\(horizontalAccuracy)" }
    if let altitude { text += " alt \(altitude)" }
    if let speed { text += " v \((speed * 1e9).rounded() / 1e9)" }
    if let course { text += " to \(course)" }
    return text
  }
}

/// The error message of reading `text`; `nil` if it does not fail.
func message(_ text: String, name: String = "trace") -> String? { message(Array(text.utf8), name: name) }

/// The error message of reading `bytes`; `nil` if it does not fail.
func message(_ bytes: [UInt8], name: String = "trace") -> String? {
  do {
    _ = try Reading(bytes: bytes, name: name)
    return nil
  } catch {
    return "\(error)"
  }
}
