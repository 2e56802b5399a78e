import FencepostAlarmEngine
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostCommandLineTable
import FencepostDaemonControl
import FencepostJSON

extension CommandContext {
  /// `pause`, `resume` and `reload`.
  func askDaemon(_ request: ControlRequest) throws {
    _ = try ControlSocket.ask(request, at: controlSocket())
    let done =
      switch request {
      case .pause: "paused; alarms are held until 'fencepost resume'"
      case .resume: "resumed"
      case .reload, .status, .web: "reloaded"
      }
    try console.print(json ? JSONLine(type: parsed.name).line : done)
  }

  /// `forget [--device NAME] [--log] [--yes]`.
  func forget() throws {
    let device = parsed.value(.device)
    let alsoLog = parsed.flag(.log)
    let store = try openExistingStore()
    let known = try store.read { try $0.devices() }.map(\.name)
    if let device, !known.contains(device) {
      throw CommandError(
        "no device named '\(device)'"
          + (known.isEmpty
            ? "" : "; known: \(known.joined(separator: ", "))"))
    }
    let what = device ?? "\(known.count) device\(known.count == 1 ? "" : "s")"
    try confirm("Permanently erase all data about \(what)?")
    func erase() throws {
      try store.write { writer in
        try writer.forgetDevices(named: device)
        if alsoLog { try writer.removeFirings(before: .distantFuture) }
      }
    }
    try erase()
    // A daemon may have stored some of it again since.
    do {
      _ = try ControlSocket.ask(.reload, at: controlSocket())
      try erase()
    } catch ControlError.notRunning {}
    guard try store.emptyLog() else {
      throw CommandError(
        "erased, but another program is reading the store, so its write-ahead log still holds a copy; stop that program and run this again"
      )
    }
    var line = JSONLine(type: "forget")
    line.add("devices", device.map { [$0] } ?? known)
    line.add("log", alsoLog)
    try console.print(json ? line.line : "erased all data about \(FiringTable.plain(what))")
  }
}
