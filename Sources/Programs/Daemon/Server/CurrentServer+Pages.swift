import FencepostCalendarModel
import FencepostClients
import FencepostDaemonControl
import FencepostJSON
import FencepostSystem
import FencepostWebApp

/// Pages that apps ask for over the socket.
extension CurrentServer {
  /// The error if the daemon serves no pages.
  static let noServer = "the daemon serves no web app; start it with --serve http://127.0.0.1:8787"

  /// Opens a page for an app, and stays with it until either is over: on the thread of the app's connection.
  func attend(_ request: PageRequest, of app: ControlPeer) {
    guard let service else { return app.refuse(Self.noServer) }
    do {
      let (page, address) = try service.open(request)
      // The server may be another one by then.
      defer { (self.service ?? service).app.close(page) }
      guard app.send(address) else { return }
      Self.tell(app, of: page)
    } catch {
      app.refuse("\(error)")
    }
  }

  private static func tell(_ app: ControlPeer, of page: OpenPages.Page) {
    while true {
      for report in page.takeReports() {
        guard app.send(report.json.line), !report.isEnd else { return }
      }
      let left = page.deadline.map { $0.seconds(since: .wallClock()) }
      if let left, left <= 0 {
        page.report(.canceled)
        continue
      }
      let deadline = left.map { ContinuousClock.now + .seconds($0) }
      if case .ready = app.wait(until: deadline, interruptedBy: page.wakeUp.descriptor) { return }
    }
  }
}
