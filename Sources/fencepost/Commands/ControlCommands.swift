import CalendarModel
import CommandLineTable
import CalendarStore
import FencepostDaemon

extension CommandContext {
  /// `pause`, `resume` and `reload`.
  func askDaemon(_ request: ControlRequest) throws {
    _ = try ControlSocket.ask(request, at: controlSocket())
  }

  /// `forget [--device NAME] [--log] [--yes]`.
  func forget() throws {
    let device = parsed.value("device")
    let alsoLog = parsed.flag("log")
    let store = try openExistingStore()
    let known = try store.read { try $0.devices() }.map(\.name)
    if let device, !known.contains(device) {
      throw CommandError(
        "there is no device '\(device)'"
          + (known.isEmpty
            ? "" : "; there \(known.count == 1 ? "is" : "are") \(known.joined(separator: ", "))"))
    }
    let what = device ?? "\(known.count) device\(known.count == 1 ? "" : "s")"
    if !parsed.flag("yes") {
      guard console.canAsk else {
        throw CommandError("this erases for good what is known of \(what); say --yes to do it")
      }
      guard console.confirms("Erase what is known of \(what)?") else { return }
    }
    func erase() throws {
      try store.write { writer in
        try writer.forgetDevices(named: device)
        if alsoLog { try writer.removeFirings(before: .distantFuture) }
      }
    }
    try erase()
    // A daemon knows what the store knew, and may have kept some of it again meanwhile.
    do {
      _ = try ControlSocket.ask(.reload, at: controlSocket())
      try erase()
    } catch DaemonError.notRunning {}
    guard try store.emptyLog() else {
      throw CommandError(
        "it is erased, but another program reads the store and keeps a copy in its log; end it, and say this again"
      )
    }
  }
}
