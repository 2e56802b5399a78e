import FencepostAlarmEngine
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostDaemonControl
import FencepostDiagnosis
import FencepostItems
import FencepostJSON
import FencepostRecurrence
import FencepostWebServer
import Glibc

extension WebApp {
  static let diagnosisRoutes: [Route] = [
    Route(
      "GET", "/items/{id}/why", .read, needsAllLists: true, query: ["days"],
      "Why an item's alarms rang in the last days, or did not, as it was recorded then",
      answer: .named("Explanation")
    ) { app, call in
      let days = try call.integer("days", in: 1...3_650, otherwise: 7)
      let now = app.clock()
      let span = now.adding(seconds: -Double(days) * 86_400)..<now.adding(seconds: 1)
      return try app.store.read { reader in
        let (item, _) = try app.found(call, in: reader)
        let schedule = try AlarmSchedule(resolver: app.resolver, defaults: app.surroundings.alarms)
          .current(in: reader)
        let answer = try AlarmExplanation(of: item, in: reader, over: span, schedule: schedule)
        return .json(answer.json(app.firingLines).line)
      }
    },
    Route(
      "GET", "/doctor", .read, needsAllLists: true,
      "Whether alarms will ring and be heard: what is well, what is not, and what to do",
      answer: .object([
        "worst": .words("ok", "warning", "wrong"),
        "findings": .list(.named("Finding")),
      ])
    ) { app, _ in
      let facts = app.surroundings.doctorFacts()
      let findings = try app.store.read {
        try Doctor.examine($0, at: app.store.path, facts, now: app.clock(), resolver: app.resolver)
      }
      var line = JSONLine()
      line.add("worst", (findings.map(\.level).max() ?? .ok).rawValue)
      line.add("findings", findings.map(\.json))
      return .json(line.line)
    },
    Route(
      "POST", "/try", .write, isOwners: true, isSlow: true,
      "Let a pretended phone walk to a place, so that an alarm goes off; then nothing of it is left",
      body: .object(["place?": JSONSchema.text.orNull]), answer: .named("Trial")
    ) { app, call in
      let name = try call.json()["place"]?.text
      return try app.tryAlarm(at: name)
    },
  ]

  /// Tries an alarm as `fencepost try` does.
  private func tryAlarm(at name: String?) throws -> HTTPResponse {
    let status = surroundings.doctorFacts().daemon
    if status?.isPaused == true { throw APIError.conflict("alarms are paused; resume them first") }
    if let failure = status?.storeFailure { throw APIError.conflict("alarms can't ring: \(failure)") }
    let place = try name.map { name in
      guard let place = try store.read({ try $0.namedPlace(name) }) else {
        throw APIError.notFound("no place '\(name)'")
      }
      return place
    }
    do {
      let trial = try AlarmTrial(at: place, in: store, resolver: resolver, now: clock())
      defer {
        // Once more after the engine has forgotten the phone, because it may have stored it again.
        try? trial.remove(from: store)
        try? surroundings.changeSettings([])
        try? trial.remove(from: store)
      }
      let outcome = try trial.walk(
        in: store, from: clock(),
        send: { fix in
          guard takePosition(fix, trial.device) else {
            throw APIError.conflict("the position can't be kept now; try again later")
          }
        }, pause: { usleep(UInt32($0 * 1_000_000)) })
      return .json(outcome.json(trial).line)
    } catch let error as TrialError {
      throw APIError.conflict(error.description)
    }
  }

  /// What was recorded about a device on a day, in the form of ``DayReasons``.
  func records(
    of device: String, day: (day: CivilDay, from: Instant, until: Instant),
    lists: [Identifier<ItemCalendar>: ItemCalendar]
  ) throws -> JSONLine {
    try store.read { reader in
      let records = try DeviceDay(of: device, in: reader, over: day.from..<day.until, resolver: resolver)
      var fixes = 0
      try reader.forEachPosition(of: device, from: day.from, until: day.until) { _, _ in
        fixes += 1
        return true
      }
      var line = JSONLine()
      line.add("day", "\(day.day)")
      line.add("device", device)
      line.add("fixes", fixes)
      line.add("recorded", records.isRecorded)
      line.add(
        "notes",
        records.notes.map { note in
          var line = JSONLine()
          line.add("time", firingLines.text(max(note.from, day.from)))
          line.add("place", note.place)
          line.add("text", ([note.text] + note.details).joined(separator: "; "))
          line.add("kind", note.dayKind)
          line.add("latitude", nil as Double?)
          line.add("longitude", nil as Double?)
          return line
        })
      return line
    }
  }
}

extension RecordNote {
  /// Its kind among those of a day.
  fileprivate var dayKind: String {
    switch kind {
    case .rang: "alarm"
    case .silent, .crossing: "crossing"
    case .near, .inside: "doubt"
    case .missed, .silence, .ignored, .down, .paused, .completed: "fix"
    }
  }
}
