import EventKit
import FencepostDaemonControl
import FencepostSystem
import Foundation
import Synchronization

/// A page in the user's browser while a controller is visible. The page ends with this object.
final class PageSession: Sendable {
  /// The state that the session shares with the thread that waits for the daemon.
  private final class Link: Sendable {
    private struct State {
      var connection: PageConnection?
      var isOver = false
    }
    private let state = Mutex(State())

    var isOver: Bool { state.withLock { $0.isOver } }

    /// Stores a connection. False if the session has ended in the meantime.
    func keep(_ connection: PageConnection) -> Bool {
      state.withLock { state in
        if !state.isOver { state.connection = connection }
        return !state.isOver
      }
    }

    func end() {
      state.withLock { state in
        state.isOver = true
        state.connection?.cancel()
        state.connection = nil
      }
    }
  }

  private let link = Link()

  /// Asks the daemon for a page and opens it in the browser, on its own thread.
  ///
  /// - Parameters:
  ///   - socket: The daemon's control socket; `nil` if the store's location rules out a daemon.
  ///   - report: Called on the main queue for each report, and with `canceled` if there is no page. Not
  ///     called after ``end()``.
  init(_ request: PageRequest, at socket: String?, report: @escaping @MainActor (PageReport) -> Void) {
    let link = link
    let tell: @Sendable (PageReport) -> Void = { word in
      DispatchQueue.main.async {
        MainActor.assumeIsolated { if !link.isOver { report(word) } }
      }
    }
    do {
      try SystemThread.start("page") { Self.run(request, at: socket, link: link, tell: tell) }
    } catch {
      tell(.canceled)
    }
  }

  deinit { link.end() }

  /// Ends the page, without further reports.
  func end() { link.end() }

  private static func run(
    _ request: PageRequest, at socket: String?, link: Link, tell: (PageReport) -> Void
  ) {
    do {
      guard let socket else { throw ControlError.refused("a store in memory has no pages") }
      let connection = try PageConnection(request, at: socket)
      guard link.keep(connection) else { return }
      open(connection.url)
      while true {
        let report = connection.next()
        tell(report)
        if report.isEnd { return }
      }
    } catch {
      // The app only learns that its user saw no page.
      say("\(error)")
      tell(.canceled)
    }
  }

  private static func open(_ address: String) {
    let browser = BrowserProgram(environment: ProcessInfo.processInfo.environment)
    do {
      try browser.open(address, isSecret: true)
    } catch {
      say("\(error); open this address in a browser within a minute: \(address)")
    }
  }

  private static func say(_ text: String) {
    FileHandle.standardError.write(Data("EventKitUI: \(text)\n".utf8))
  }
}
