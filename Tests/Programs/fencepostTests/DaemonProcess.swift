import FencepostTestSupport
import Foundation
import Glibc
import Testing

/// A daemon as a separate process, with a store, settings and a socket for the service manager in its own
/// directory.
final class DaemonProcess {
  let directory: TemporaryDirectory
  private let process = Process()
  /// The socket of the service manager.
  private let manager: Int32
  private(set) var notified: [String] = []

  /// The directory of a daemon that has not started yet.
  init() throws {
    directory = try TemporaryDirectory()
    manager = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let path = Array(directory.path("notify").utf8)
    try #require(path.count < MemoryLayout.size(ofValue: address.sun_path))
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(manager, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(result == 0)
    var limit = timeval(tv_sec: 120, tv_usec: 0)
    setsockopt(manager, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    close(manager)
  }

  var store: String { directory.path("calendar.sqlite") }
  var isRunning: Bool { process.isRunning }
  var identifier: pid_t { process.processIdentifier }

  /// The program `fencepost` beside the test program.
  static let program = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    .deletingLastPathComponent().appendingPathComponent("fencepost")

  private func environment(_ more: [String: String]) -> [String: String] {
    let inherited = ProcessInfo.processInfo.environment.filter { $0.key == "LD_LIBRARY_PATH" }
    return [
      "FENCEPOST_STORE": store, "FENCEPOST_ZONE": "Europe/Berlin", "HOME": directory.url.path,
      "FENCEPOST_CONFIG": directory.path("config.json"), "PATH": "/usr/bin:/bin",
      "NOTIFY_SOCKET": directory.path("notify"),
    ].merging(inherited) { $1 }.merging(more) { $1 }
  }

  /// Writes the settings file. `CHANNEL` and `OTHER` in it stand for programs that write their input to the
  /// files `delivered` and `other`, and `TITLES` for one that writes only the titles of items to `titles`.
  func configure(_ text: String) throws {
    var settings = text
    for (word, file, filter) in [
      ("CHANNEL", "delivered", "cat"), ("OTHER", "other", "cat"),
      ("TITLES", "titles", #"sed 's/.*"item":{[^}]*"title":"\([^"]*\)".*/\1/'"#),
    ] {
      let script = directory.path(word)
      settings = settings.replacing(word, with: "exec:" + script)
      guard !FileManager.default.fileExists(atPath: script) else { continue }
      try Data("#!/bin/sh\n\(filter) >> '\(directory.path(file))'\n".utf8)
        .write(to: URL(fileURLWithPath: script))
      chmod(script, 0o700)
    }
    try Data(settings.utf8).write(to: URL(fileURLWithPath: directory.path("config.json")))
  }

  /// Starts the daemon, and waits until it reports that it is ready.
  func start(_ words: [String] = [], environment more: [String: String] = [:], shell: String? = nil) throws {
    _ = FileManager.default.createFile(atPath: directory.path("log"), contents: nil)
    process.standardError = FileHandle(forWritingAtPath: directory.path("log"))
    process.standardInput = FileHandle.nullDevice
    var variables = environment(more)
    var status = stat()
    stat(directory.path("log"), &status)
    if more["JOURNAL_STREAM"] != nil { variables["JOURNAL_STREAM"] = "\(status.st_dev):\(status.st_ino)" }
    process.environment = variables
    process.executableURL = shell == nil ? Self.program : URL(fileURLWithPath: "/bin/sh")
    process.arguments =
      (shell.map { ["-c", $0, Self.program.path] } ?? []) + ["daemon"] + words
    try process.run()
    try wait(for: "READY=1")
  }

  /// Runs a command with the daemon's environment.
  func command(_ words: String...) throws -> (code: Int32, output: String, diagnostics: String) {
    let command = Process()
    command.executableURL = Self.program
    command.arguments = words
    command.environment = environment([:])
    command.standardInput = FileHandle.nullDevice
    let (output, diagnostics) = (Pipe(), Pipe())
    command.standardOutput = output
    command.standardError = diagnostics
    try command.run()
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    let complained = diagnostics.fileHandleForReading.readDataToEndOfFile()
    command.waitUntilExit()
    return (
      command.terminationStatus, String(decoding: bytes, as: UTF8.self),
      String(decoding: complained, as: UTF8.self)
    )
  }

  /// Waits until the service manager has received a line, and drops earlier ones.
  func wait(for line: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while true {
      if let index = notified.firstIndex(of: line) {
        notified.removeSubrange(...index)
        return
      }
      let count = recv(manager, &buffer, buffer.count, 0)
      try #require(
        count > 0, "never received: \(line); received: \(notified); \(log)", sourceLocation: sourceLocation)
      notified += String(decoding: buffer[..<count], as: UTF8.self).split(separator: "\n").map(String.init)
    }
  }

  /// Waits until a file has `count` lines, and returns them.
  func lines(of file: String, count: Int, sourceLocation: SourceLocation = #_sourceLocation) throws
    -> [String]
  {
    var lines: [String] = []
    let isThere = eventually {
      let text = (try? String(contentsOfFile: directory.path(file), encoding: .utf8)) ?? ""
      lines = text.split(separator: "\n").map(String.init)
      return lines.count >= count
    }
    if isThere { return lines }
    throw TimedOut(description: "'\(file)' never had \(count) lines: \(log)")
  }

  /// Terminates it, and returns its exit status.
  func end() -> Int32 {
    process.terminate()
    process.waitUntilExit()
    return process.terminationStatus
  }

  func signal(_ number: Int32) { kill(process.processIdentifier, number) }

  /// Its standard error.
  var log: String { (try? String(contentsOfFile: directory.path("log"), encoding: .utf8)) ?? "" }
}

struct TimedOut: Error, CustomStringConvertible {
  let description: String
}
