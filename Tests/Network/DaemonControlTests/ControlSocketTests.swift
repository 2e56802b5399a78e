import CFencepostLinux
import FencepostSystem
import FencepostTestSupport
import Foundation
import Glibc
import Testing

@testable import FencepostDaemonControl

@Suite("The daemon's control socket")
struct ControlSocketTests {
  private let directory: TemporaryDirectory
  private let path: String

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.path("socket")
  }

  private func server(_ answer: @escaping @Sendable (ControlRequest) -> String = { _ in "{}" }) throws
    -> ControlServer
  {
    try ControlServer(path: path, answer: answer)
  }

  private var isThere: Bool { FileManager.default.fileExists(atPath: path) }

  @Test("The socket answers requests, and is removed at the end")
  func answers() throws {
    let server = try server { "{\"said\":\"\($0.rawValue)\"}" }
    try server.start()
    #expect(
      String(decoding: try ControlSocket.ask(.reload, at: path), as: UTF8.self) == #"{"said":"reload"}"#)
    server.stop()
    #expect(!isThere)
    #expect(throws: ControlError.notRunning(path)) { try ControlSocket.ask(.reload, at: path) }
  }

  @Test(
    "Each request comes as it was sent",
    arguments: [.status, .pause(until: nil), .pause(until: 1_790_000_000_000_000), .resume, .reload, .web]
      as [ControlRequest])
  func requests(request: ControlRequest) throws {
    #expect(ControlRequest(rawValue: request.rawValue) == request)
    #expect(ControlRequest(rawValue: "pause soon") == nil)
  }

  @Test(
    "Only its user and root get an answer",
    .enabled(
      if: geteuid() == 0 && ["setpriv", "python3"].allSatisfy { access("/usr/bin/\($0)", X_OK) == 0 },
      "only root can become somebody else"))
  func strangers() throws {
    let server = try server()
    try server.start()
    // The mode of the socket keeps others out. Without it, the system still identifies the peer.
    chmod(path, 0o666)
    chmod(directory.url.path, 0o755)
    let ask = """
      import socket
      peer = socket.socket(socket.AF_UNIX)
      peer.connect('\(path)')
      try:
        peer.send(b'status\\n')
        print(peer.recv(9))
      except OSError: print('nothing')
      """
    func answer(user: Int) throws -> String {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/setpriv")
      process.arguments = ["--reuid", "\(user)", "--clear-groups", "/usr/bin/python3", "-c", ask]
      let output = Pipe()
      process.standardOutput = output
      try process.run()
      let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      return text
    }
    #expect(try answer(user: 0) == "b'{}\\n'\n")
    #expect(["nothing\n", "b''\n"].contains(try answer(user: 65_534)))
    server.stop()
  }

  @Test("A silent listener counts as busy, not as absent")
  func silent() throws {
    let server = try server()
    #expect(throws: ControlError.busy(path)) { try ControlSocket.ask(.status, at: path, timeout: 1) }
    #expect(throws: ControlError.busy(path)) { try ControlSocket.status(at: path, timeout: 1) }
    withExtendedLifetime(server) {}
  }

  @Test("A slow answer does not delay others")
  func slow() throws {
    let gate = Monitor(false)
    let isAsked = Monitor(false)
    let server = try server { request in
      if request == .pause(until: nil) {
        isAsked.update { $0 = true }
        gate.wait { $0 ? () : nil }
      }
      return "{}"
    }
    try server.start()
    let path = path
    let isAnswered = Monitor(false)
    try SystemThread.start("pause") {
      _ = try? ControlSocket.ask(.pause(until: nil), at: path, timeout: 60)
      isAnswered.update { $0 = true }
    }
    isAsked.wait { $0 ? () : nil }
    #expect(throws: Never.self) { try ControlSocket.ask(.resume, at: path) }
    gate.update { $0 = true }
    isAnswered.wait { $0 ? () : nil }
    server.stop()
  }

  @Test("A file that is not a socket is kept")
  func file() throws {
    _ = try directory.write("notes", to: "socket")
    #expect(throws: ControlError.noSocket(path)) { try server() }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "notes")
  }

  @Test("The socket of a running daemon is kept; a stale one is replaced")
  func taken() throws {
    do {
      let first = try server()
      #expect(throws: ControlError.inUse(path)) { try server() }
      #expect(isThere)
      withExtendedLifetime(first) {}
    }
    #expect(!isThere)
    // Like a daemon that was killed.
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    close(descriptor)
    #expect(result == 0 && isThere)
    let second = try server()
    withExtendedLifetime(second) {}
  }

  @Test("A daemon that ends keeps another daemon's socket")
  func stop() throws {
    let first = try server()
    try FileManager.default.removeItem(atPath: path)
    let second = try server()
    first.stop()
    #expect(isThere)
    second.stop()
    #expect(!isThere)
  }
}
