import FencepostBroker
import FencepostCalendarStore
import FencepostSystem
import FoundationEssentials
import Glibc

extension Daemon {
  /// The socket for apps, ready to start.
  static func broker(at path: String, store: CalendarStore, log: Log) throws -> BrokerServer {
    // A sandbox gets a folder, and so the socket of each later daemon too. It may be there already.
    _ = mkdir(URL(filePath: path).deletingLastPathComponent().path, 0o700)
    do {
      return try BrokerServer(
        store: store, path: path, log: log,
        onWaiting: { app in log(.notice, "\(app); answer with 'fencepost access answer'") })
    } catch let failure as UnixSocket.Failure {
      throw DaemonError.broker(path, failure)
    }
  }

  /// A random word in the store that identifies its daemon to brokers.
  static func identity(of store: CalendarStore) throws -> String {
    let name = "identity"
    if let identity = try store.read({ try $0.setting(name) }) { return identity }
    let identity = UUID().uuidString
    try store.write { try $0.set(identity, for: name) }
    return identity
  }
}
