import Foundation
import Testing

/// Another process that uses a store.
struct Peer {
  /// Starts the peer from the directory of the tests' program.
  static func start(_ arguments: [String], store: String) throws -> (process: Process, output: Pipe) {
    try start(arguments, variables: ["FENCEPOST_STORE": store])
  }

  /// Starts the peer with environment variables.
  static func start(
    _ arguments: [String], variables: [String: String]
  ) throws -> (process: Process, output: Pipe) {
    let tests = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    let process = Process()
    process.executableURL = tests.deletingLastPathComponent().appendingPathComponent(
      "FencepostEventKitTestPeer")
    process.arguments = arguments
    process.environment = ["PATH": "/usr/bin", "HOME": "/"].merging(variables) { $1 }
      .merging(
        ProcessInfo.processInfo.environment.filter { ["LD_LIBRARY_PATH", "TSAN_OPTIONS"].contains($0.key) }
      ) { $1 }
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    return (process, output)
  }

  /// The peer's output.
  static func output(_ arguments: [String], store: String) throws -> String {
    try output(arguments, variables: ["FENCEPOST_STORE": store])
  }

  /// The peer's output with environment variables.
  static func output(_ arguments: [String], variables: [String: String]) throws -> String {
    let (process, pipe) = try start(arguments, variables: variables)
    // A hanging peer is stopped, so that the test fails.
    let end = DispatchWorkItem { process.terminate() }
    DispatchQueue.global().asyncAfter(deadline: .now() + 60, execute: end)
    defer { end.cancel() }
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
