import FencepostAlarmEngine
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostCartography
import FencepostCommandLineTable
import FencepostGeofencing
import FencepostJSON
import FencepostPositionFeeds
import FencepostRecurrence

extension FencepostTable {
  static let replay = Command(
    "replay", summary: "Play a trace and print the alarms that it sets off",
    discussion: [
      """
      Each `TRACE` is a recording: GPX, KML, TCX, Garmin FIT, IGC, NMEA 0183, CSV, GeoJSON, or an export of OwnTracks, \
      Overland, Traccar, gpsd or Google. Files may be compressed with gzip or ZIP; the format is detected from the \
      content. `-` is standard input. Several traces are merged by time; each is one device unless it names its \
      devices. The clock follows the traces: a week of alarms plays in a second.
      """,
      """
      With `--reminders`, the alarms come from that file, and no store is needed. Otherwise they come from the store. \
      The store does not change unless you use `--record`.
      """,
    ],
    examples: [
      Example(
        "fencepost replay --reminders Data/errands.ics Data/errands-walk.gpx",
        "The alarms of a walk"),
      Example(
        "fencepost replay --reminders Data/errands.ics --map walk.html Data/errands-walk.gpx",
        "Draw the walk on a map"),
      Example("gunzip -c walk.gpx.gz | fencepost replay --json -", "The store's alarms as JSON"),
    ],
    options: [
      .value(
        .reminders, "FILE.ics", repeatable: true, completion: .file(extensions: ["ics"]),
        "Use the reminders and events of this file instead of the store's"),
      .flag(.transitions, "Also print each fence that a device entered or left"),
      .value(
        .map, "FILE.html", completion: .file(extensions: ["html"]), category: "Pictures",
        "Draw a map for a browser, with a time slider"),
      .flag(
        .tiles, category: "Pictures",
        "Show OpenStreetMap tiles, which the browser downloads; the tile server may refuse a page opened as a file"
      ),
      .value(
        .svg, "FILE.svg", completion: .file(extensions: ["svg"]), category: "Pictures",
        "Draw a picture for a document"),
      .flag(.force, category: "Pictures", "Replace the files also if fencepost did not make them"),
      .flag(
        .record,
        "Save firings and last known positions in the store, so that a later trace continues from there"),
      traceFormat,
    ] + policyOptions,
    positionals: [traces],
    action: .run(isUndoable: false) { try $0.replay() })
}

extension CommandContext {
  /// `replay [--reminders FILE]… TRACE…`.
  func replay() throws {
    let picture = try ReplayPicture(self)
    let devices = DeviceRegistry()
    let interruption = try Interruption()
    let feed = try openTraces(devices: devices, interruption)
    let (store, records) = try storeToReplay()

    var progress = Progress(self)
    var fixes: [Fix] = []
    var isMore = try feed.read(into: &fixes, limit: ReplayRun.batch)
    var run = try ReplayRun(
      context: self, store: store, devices: devices, records: records, policy: policy(),
      start: ReplayRun.start(of: fixes), recorder: picture == nil ? nil : MapRecorder())
    // Before the first fix, an interruption has nothing to summarize.
    interruption.listen()
    try run.play(fixes)
    while isMore && !interruption.wasAsked {
      fixes.removeAll(keepingCapacity: true)
      do throws(FeedError) {
        isMore = try feed.read(into: &fixes, limit: ReplayRun.batch)
      } catch {
        guard error.problem == .interrupted else { throw error }
        break
      }
      try run.play(fixes)
      progress.update(feed)
    }
    progress.end()
    let reports = feed.reports
    if let picture, let map = try run.map(title: picture.title, resolver: resolver, reports) {
      try picture.write(map)
    }
    sayAssumedZones(reports)
    saySortedTraces(reports)
    try run.summarize(reports)
  }

  /// The store with the alarms of the replay, and whether firings are recorded in it.
  private func storeToReplay() throws -> (CalendarStore, records: Bool) {
    let files = parsed.values(.reminders)
    let records = parsed.flag(.record)
    if files.isEmpty {
      guard records else { return (try openStoreToRead(), false) }
      return (try open(CalendarStore(path: storePath(), access: .existing)), true)
    }
    // The environment's store is only a default.
    let namesStore = if case .option = parsed.argument(.store)?.origin { true } else { false }
    guard records || !namesStore else {
      throw CommandError(
        "--reminders and --store can't be used together without --record, which imports the file into the store"
      )
    }
    guard records else { return (try storeToPlay(files), false) }
    let store = try openStore()
    for file in files { _ = try importFile(file, into: store) }
    return (store, true)
  }
}

/// A running replay.
struct ReplayRun {
  /// The number of fixes in a step.
  static let batch = 4096

  private let console: Console
  private let lines: FiringJSON
  private let json: Bool
  private let showsTransitions: Bool
  private let engine: AlarmEngine
  private let store: CalendarStore
  /// The lock of the store, if firings are recorded.
  private let lock: StoreLock?
  private let devices: DeviceRegistry
  private let began: Int64
  private let log: ReplayLog
  private let start: Instant
  private var table: FiringTable
  /// The items that were read; `nil` for one that is no longer in the store.
  private var items: [Identifier<CalendarItem>: KnownItem?] = [:]
  /// The store's last change when they were read.
  private var change: Int64?

  init(
    context: CommandContext, store: CalendarStore, devices: DeviceRegistry, records: Bool, policy: Policy,
    start: Instant, recorder: MapRecorder? = nil
  ) throws {
    console = context.console
    json = context.json
    showsTransitions = context.parsed.flag(.transitions)
    lines = FiringJSON(resolver: context.resolver, joinHosts: try context.joinHosts())
    table = FiringTable(context: context)
    self.store = store
    self.devices = devices
    began = console.now()
    self.start = start
    let schedule = try context.alarmSchedule()
    let journal: any EngineJournal
    if records {
      lock = try StoreLock(of: store)
      journal = try RecordingJournal(store: store, schedule: schedule, start: start)
    } else {
      lock = nil
      journal = try DryRunJournal(store: store, schedule: schedule, start: start)
    }
    engine = try AlarmEngine(
      store: store, journal: journal, policy: policy, schedule: schedule, devices: devices, start: start,
      clock: .trace)
    engine.recordsDecisions = records
    engine.onDamagedState = { [console] device, damage in
      console.say("fencepost: \(device): \(damage); continuing from the device's last position")
    }
    log = ReplayLog(recorder: recorder)
    log.listen(to: engine, keepsTransitions: showsTransitions)
  }

  /// The start of a trace's clock: the first fix with another fix within a week before or after it.
  ///
  /// A receiver that does not know the time yet may date its first fix 1970. This must not trigger the alarms
  /// of half a century.
  static func start(of fixes: [Fix]) -> Instant {
    let week = 7.0 * 86_400
    let pairs = zip(fixes, fixes.dropFirst())
    let first = pairs.first { abs($1.time.seconds(since: $0.time)) < week }?.0 ?? fixes.first
    return first?.time ?? .epoch
  }

  mutating func play(_ fixes: [Fix]) throws {
    table.namesDevices = devices.names.count > 1
    let firings = try engine.process(fixes)
    var transitions = log.transitions[...]
    log.transitions.removeAll(keepingCapacity: true)
    try readItems(of: firings)
    for index in firings.indices {
      while let next = transitions.first, next.transition.settledAt <= firings[index].wentOffAt {
        try print(next.transition, of: next.alarm)
        transitions.removeFirst()
      }
      try print(firings[index])
    }
    for (transition, alarm) in transitions { try print(transition, of: alarm) }
    // On a live pipe, alarms should appear at once.
    try console.flush()
  }

  private mutating func print(_ firing: Firing) throws {
    let item = needsItem(of: firing) ? items[firing.item]??.summary : nil
    guard let heading = firing.subject.heading ?? item?.heading else { return }
    log.recorder?.note(firing, of: heading)
    if !json { return try console.print(table.row(firing, of: heading)) }
    if let item { try console.print(lines.line(firing, of: item)) }
  }

  private mutating func print(_ transition: Transition, of alarm: AlarmSubject) throws {
    guard let place = alarm.place else { return }
    let device = devices.name(of: transition.fix.device)
    let gap = engine.gap(around: transition)
    if !json {
      guard let heading = alarm.heading else { return }
      try console.print(table.row(transition, at: place, device: device, of: heading, gap: gap))
    } else if let item = try store.read({ try item(alarm.item, in: $0) })?.summary {
      try console.print(lines.line(transition, at: place, device: device, of: item, gap: gap))
    }
  }

  /// Whether the heading that was read with the alarm is not enough for the line of a firing.
  private func needsItem(of firing: Firing) -> Bool { json || firing.subject.heading == nil }

  /// Reads the items of a step's firings, if lines need them.
  private mutating func readItems(of firings: [Firing]) throws {
    let wanted = firings.indices.filter { needsItem(of: firings[$0]) }
    guard json || !wanted.isEmpty else { return }
    try store.read { reader in
      let last = try reader.lastChange()
      if items.count > 100_000 || change != last { items.removeAll() }
      change = last
      for index in wanted { _ = try item(firings[index].item, in: reader) }
    }
  }

  private mutating func item(
    _ id: Identifier<CalendarItem>, in reader: borrowing StoreReader
  ) throws -> KnownItem? {
    if let known = items[id] { return known }
    let known = try ItemSummary(of: id, in: reader).map { KnownItem(summary: $0) }
    items[id] = .some(known)
    return known
  }

  /// The map of the replay; `nil` if not requested.
  func map(title: String, resolver: TimeResolver, _ reports: [TraceReport]) throws -> TraceMap? {
    let admissions = engine.counts.admissions
    let unread = reports.reduce(0) { $0 + $1.rejected }
    return try log.recorder?.map(
      title: title, store: store, devices: devices, resolver: resolver, fixes: admissions.fixes + unread,
      rejected: admissions.fixes - admissions.admitted + unread)
  }

  /// The last line: counts of positions, rejections and results.
  func summarize(_ reports: [TraceReport]) throws {
    let counts = engine.counts
    var rejected: [(reason: String, count: Int)] = []
    for reason in RejectionReason.allCases {
      let count = reports.reduce(0) { $0 + ($1.rejections[reason]?.count ?? 0) }
      if count > 0 { rejected.append((reason.rawValue, count)) }
    }
    for (reason, count) in counts.admissions.rejected { rejected.append((reason.rawValue, count)) }
    let unread = reports.reduce(0) { $0 + $1.rejected }
    for report in reports {
      if let interruption = report.interruption { console.say("fencepost: \(interruption)") }
    }
    if json {
      var reasons = JSONLine()
      for (reason, count) in rejected { reasons.add(reason, count) }
      var line = JSONLine(type: "summary")
      line.add("fixes", counts.admissions.fixes + unread)
      line.add("admitted", counts.admissions.admitted)
      line.add("rejected", reasons)
      line.add("crossings", counts.crossings)
      line.add("transitions", counts.transitions)
      line.add("firings", counts.firings)
      line.add("seconds", Double(console.now() - began) / 1e6)
      try console.print(line.line)
    } else {
      console.say(
        ReplaySummary(
          fixes: counts.admissions.fixes + unread, rejected: rejected, span: start...engine.now,
          crossings: counts.crossings, transitions: counts.transitions, firings: counts.firings
        ).text)
    }
  }
}

/// An item that was read once. On the heap, so that the empty places of the table stay small.
private final class KnownItem {
  let summary: ItemSummary

  init(summary: ItemSummary) { self.summary = summary }
}

/// The engine's reports during a step.
private final class ReplayLog {
  /// The transitions of the step with their alarms, in their order.
  var transitions: [(transition: Transition, alarm: AlarmSubject)] = []
  /// The data for the map, if requested.
  var recorder: MapRecorder?

  init(recorder: MapRecorder?) { self.recorder = recorder }

  func listen(to engine: AlarmEngine, keepsTransitions: Bool) {
    if keepsTransitions || recorder != nil {
      engine.onTransition = { [self] transition, fence in
        if keepsTransitions, let fence { transitions.append((transition, fence.subject)) }
        recorder?.note(transition)
      }
    }
    if recorder != nil {
      engine.onFix = { [self] fix, admission in recorder?.note(fix, admission) }
    }
  }
}
