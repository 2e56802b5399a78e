import FencepostJetStream
import FencepostTestSupport

@testable import FencepostFleet

/// A NATS server with JetStream for one test, on loopback.
final class LogServer {
  /// Whether nats-server and libnats are installed.
  static let isInstalled = Counterpart.isInstalled("nats-server") && NATSConnection.isAvailable

  let address: NATSAddress
  let directory: TemporaryDirectory
  private let port: UInt16
  private var process: Counterpart?

  /// Starts a server, with the streams of a fleet.
  init() throws {
    directory = try TemporaryDirectory()
    port = try Counterpart.freePort()
    address = try NATSAddress("nats://127.0.0.1:\(port)")
    process = try Counterpart(
      "nats-server", ["-a", "127.0.0.1", "-p", "\(port)", "-js", "-sd", directory.path("log")])
    guard eventually({ (try? self.connect().prepareFleet(FleetLimits())) != nil }) else {
      throw Counterpart.Failure(description: "nats-server doesn't start")
    }
  }

  /// A connection of its own.
  func connect() throws -> JetStream { JetStream(try NATSConnection(address, name: "test")) }
}
