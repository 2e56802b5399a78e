import FencepostAddresses
import FencepostAlarmEngine
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostClients
import FencepostChannels
import FencepostCommandLineTable
import FencepostDaemonControl
import FencepostGeodesy
import FencepostGeofencing
import FencepostItems
import FencepostJSON
import FencepostPhrases
import FencepostSpatiotemporal
import FencepostWebClient
import FencepostWebServer

extension FencepostTable {
  static let `try` = Command(
    "try", summary: "Let a pretended phone walk to a place, to see the alarm",
    discussion: [
      """
      The phone sends positions to the running daemon as a real one does, and the alarm goes out over all channels. It \
      says that it is a trial. Then the phone, its positions and the alarm in the log are removed.
      """,
      """
      The reminders that wait for an arrival at `PLACE` ring. Without `PLACE`, or if none waits there now, it makes a \
      reminder and removes it again.
      """,
    ],
    examples: [
      Example("fencepost try", "See that alarms reach you"),
      Example("fencepost try Bakery", "Ring what waits at the bakery"),
    ],
    options: [socket],
    positionals: [Positional(.place, .optional, "A named place", completion: .program("places"))],
    action: .run(isUndoable: false) { try $0.tryAlarm() })
}

extension CommandContext {
  /// `try [PLACE]`.
  func tryAlarm() throws {
    let status = try runningDaemon()
    let receivers = try receivers()
    let store = try openExistingStore()
    let place = try parsed.positionals(.place).first.map { name in
      try store.read { try $0.place(called: name) }
    }
    let interruption = try Interruption()
    interruption.listen()
    let trial = try AlarmTrial(at: place, in: store, resolver: resolver, now: now)
    let outcome: TrialOutcome
    do {
      outcome = try walk(
        trial, in: store, status, to: door(receivers, for: trial, store), until: interruption)
    } catch {
      try? clean(trial, store)
      throw error
    }
    try clean(trial, store)
    if json { try console.print(outcome.json(trial).line) }
    if interruption.wasAsked { throw CommandError("interrupted; nothing of the trial is left") }
    guard outcome.isSuccess else { throw ExitCode.failure }
  }

  /// The daemon's status; it must be able to ring.
  private func runningDaemon() throws -> DaemonStatus {
    let socket = try controlSocket()
    // One that was started just before needs a moment.
    var status = try ControlSocket.status(at: socket)
    for _ in 0..<15 where status == nil {
      console.pause(0.2)
      status = try ControlSocket.status(at: socket)
    }
    guard let status else {
      throw CommandError(
        texts(
          """
          no daemon is running (nothing listens at {socket}). Start one, and try again in another terminal:
            fencepost daemon --deliver {channel}
          or, if it is installed as a service:
            systemctl --user start fencepost
          """,
          ["socket": socket, "channel": DesktopAddress.isThere(in: console.environment) ? "desktop" : "-"]))
    }
    if status.isPaused { throw CommandError(texts("alarms are paused; run 'fencepost resume' first")) }
    if let failure = status.storeFailure {
      throw CommandError(texts("the daemon can't ring: {failure}", ["failure": failure]))
    }
    return status
  }

  /// Walks, and waits for the alarm and for what the channels say.
  private func walk(
    _ trial: AlarmTrial, in store: CalendarStore, _ status: DaemonStatus, to door: TrialDoor,
    until interruption: Interruption
  ) throws -> TrialOutcome {
    let names = status.channels.map(\.address)
    let texts = printedTexts
    try tell(
      texts("The daemon runs (process {n}). Its channels: ", ["n": "\(status.process)"])
        + (names.isEmpty ? texts("none") : names.joined(separator: ", ")))
    let titles = trial.waiting.map { "'\($0.withoutControls)'" }.joined(separator: ", ")
    let place = trial.place.title.withoutControls
    try tell(
      texts(
        trial.madeReminder == nil
          ? "Waiting for an arrival at {place}: {titles}"
          : "Made the reminder {titles}, which waits for an arrival at {place}",
        ["place": place, "titles": titles]))
    try tell(
      texts("A pretended phone walks there, and sends its positions to {door}", ["door": door.name]))
    let outcome = try trial.walk(
      in: store, from: now, send: { try door.send($0, trial.device) }, pause: console.pause,
      shouldEnd: { interruption.wasAsked }
    ) { distance in
      let metres = Int(distance.rounded())
      if !json, console.showsProgress {
        let progress = texts(
          metres > 0 ? "{n} m to go" : "inside, {n} m from the boundary", ["n": "\(abs(metres))"])
        console.showProgress(progress)
      }
    }
    console.showProgress(nil)
    guard !interruption.wasAsked else { return outcome }
    guard !outcome.firings.isEmpty else {
      console.say(texts("The phone arrived, but no alarm went off. See what the daemon logged."))
      return outcome
    }
    let times = TimeText(context: self)
    let advice = texts("'fencepost doctor' says what to do.")
    for entry in outcome.firings {
      try tell(
        texts(
          "'{title}' rang: arrived at {place}, {time}",
          [
            "time": times.text(entry.firing.time),
            "place": (entry.firing.place?.title ?? place).withoutControls,
            "title": ItemSummary(of: entry).title.withoutControls,
          ]))
      let answers = outcome.answers[entry.firing.key] ?? []
      for answer in answers { try tell("  " + answer.words) }
      if answers.isEmpty { try tell("  " + texts("no channel takes this alarm") + "; " + advice) }
    }
    return outcome
  }

  /// Removes the trial from the store, and from the daemon's memory.
  private func clean(_ trial: AlarmTrial, _ store: CalendarStore) throws {
    try trial.remove(from: store)
    do {
      _ = try ControlSocket.ask(.reload, at: controlSocket())
    } catch {
      // The phone has arrived and is silent, so the daemon hardly stores it again; its next start removes it.
      console.say("The daemon could not forget the pretended phone at once: \(error)")
    }
    try trial.remove(from: store)
    try tell(
      printedTexts("Removed the phone, its positions and the alarm")
        + (trial.madeReminder == nil ? "" : printedTexts("; the reminder too")))
  }

  /// Prints what happens, at once.
  private func tell(_ line: String) throws {
    guard !json else { return }
    try console.print(line)
    try console.flush()
  }

  /// Where the phone's positions go: to an HTTP feed, else to the web app's server as a client, else over the
  /// control socket.
  private func door(
    _ receivers: ControlReceivers, for trial: AlarmTrial, _ store: CalendarStore
  ) throws -> TrialDoor {
    if let feed = receivers.feeds.first {
      return try .http(HTTPClient(), url: feed, AddressText.withoutSecrets(feed))
    }
    if let server = receivers.server {
      let registry = ClientRegistry(store: store) { [now] in now }
      let (user, password) = try registry.add(trial.device, rights: [.positions])
      return try .http(
        HTTPClient(), url: "\(server)/positions", "\(server)/positions",
        .basic(user: user, password: password))
    }
    return .socket(try controlSocket())
  }

  /// Where the running daemon takes positions on this machine.
  private func receivers() throws -> ControlReceivers {
    do {
      return try ControlSocket.receivers(at: controlSocket())
    } catch ControlError.refused {
      throw CommandError("the running daemon is of an earlier version; restart it, and try again")
    }
  }
}

/// Where a pretended phone sends its positions.
private enum TrialDoor {
  case http(HTTPClient, url: String, String, HTTPClient.Authentication = .none)
  case socket(String)

  /// The name, without secrets.
  var name: String {
    switch self {
    case .http(_, _, let name, _): name
    case .socket(let path):
      "the control socket (\(path)), not over the network"
    }
  }

  /// Sends a position as OwnTracks does, and waits until it is stored.
  func send(_ fix: Fix, _ device: String) throws {
    switch self {
    case .http(let client, let url, let name, let authentication):
      var line = JSONLine()
      line.add("_type", "location")
      line.add("lat", fix.coordinate.latitude)
      line.add("lon", fix.coordinate.longitude)
      line.add("acc", fix.horizontalAccuracy)
      line.add("tst", Int(fix.time.microseconds / 1_000_000))
      var request = HTTPClient.Request(
        url: url, headers: ["Content-Type: application/json", "X-Limit-D: \(device)"],
        body: Array(line.line.utf8))
      request.authentication = authentication
      request.limit = 1 << 16
      request.timeout = 15
      let response: HTTPClient.Response
      do {
        response = try client.send(request)
      } catch {
        throw CommandError("the daemon does not take positions at \(name): \(error)")
      }
      guard response.status == 200 else {
        let reason = String(decoding: response.body.prefix(200), as: UTF8.self)
        throw CommandError("the daemon refused a position at \(name): \(response.status) \(reason)")
      }
    case .socket(let path):
      try ControlSocket.send(
        ControlPosition(
          device: device, time: fix.time.microseconds, latitude: fix.coordinate.latitude,
          longitude: fix.coordinate.longitude, accuracy: fix.horizontalAccuracy ?? 5), to: path)
    }
  }
}

extension DeliveryOutcome {
  /// `desktop: delivered`.
  fileprivate var words: String {
    let error = (lastError ?? "").withoutControls
    return switch (state, attempts) {
    case (.delivered, _): "\(channel): delivered"
    case (.failed, _): "\(channel): refused: \(error)"
    case (.pending, 0): "\(channel): no answer yet"
    case (.pending, _): "\(channel): failed: \(error)"
    }
  }
}
