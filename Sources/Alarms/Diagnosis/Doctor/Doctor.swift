import FencepostAlarmEngine
public import FencepostCalendarModel
public import FencepostCalendarStore
import FencepostDaemonControl
import FencepostGeofencing
import FencepostICalendar
import FencepostPhrases
public import FencepostRecurrence
import Glibc

/// Examines whether alarms will ring and be heard: the daemon, feeds, devices, channels, lists, alarms, files
/// and backups.
public struct Doctor {
  private let facts: DoctorFacts
  private let now: Instant
  private let words: RecordWords
  private let resolver: TimeResolver
  private let storePath: String
  private var findings: [Finding] = []

  private static let day = 86_400.0
  /// Seconds beyond the grace: so long may many alarms at once take.
  private static let patience = 240.0
  /// The most devices, lists and alarms that are named.
  private static let maximumNamed = 20
  /// The setting with the time of the last backup, in microseconds since 1970.
  public static let backupSetting = "backed-up"

  /// Records that a backup was made, for its finding.
  public static func recordBackup(at time: Instant, in store: CalendarStore) throws {
    try store.write { try $0.set("\(time.microseconds)", for: backupSetting) }
  }

  /// Examines a store.
  ///
  /// - Parameters:
  ///   - reader: The store.
  ///   - path: Its path; `:memory:` for none.
  ///   - facts: What the caller knows.
  ///   - now: The current time.
  ///   - resolver: The time zones.
  /// - Returns: The findings, by subject.
  public static func examine(
    _ reader: borrowing StoreReader, at path: String, _ facts: DoctorFacts, now: Instant,
    resolver: TimeResolver
  ) throws -> [Finding] {
    var doctor = Doctor(facts, now: now, resolver: resolver, storePath: path)
    let fences = try count(fencesIn: reader)
    try doctor.examineDaemon(reader, fences: fences)
    doctor.examineFeeds(fences: fences)
    try doctor.examineDevices(reader)
    try doctor.examineChannels(reader)
    try doctor.examineLists(reader)
    try doctor.examineAlarms(reader)
    doctor.examineClock()
    doctor.examineFiles()
    try doctor.examineBackups(reader)
    return doctor.findings
  }

  private init(_ facts: DoctorFacts, now: Instant, resolver: TimeResolver, storePath: String) {
    self.facts = facts
    self.now = now
    self.resolver = resolver
    self.storePath = storePath
    words = RecordWords(resolver: resolver)
  }

  private static func count(fencesIn reader: borrowing StoreReader) throws -> Int {
    var count = 0
    try reader.forEachFence { _ in count += 1 }
    return count
  }

  private mutating func add(
    _ level: Finding.Level, _ subject: String, _ name: String? = nil, _ text: String, advice: String? = nil
  ) {
    findings.append(Finding(level, subject, name, text, advice: advice))
  }

  private func moment(_ microseconds: Int64) -> String { words.day(Instant(microseconds: microseconds)) }

  // MARK: The daemon and its feeds

  private mutating func examineDaemon(_ reader: borrowing StoreReader, fences: Int) throws {
    if let failure = facts.settingsFailure {
      add(.wrong, "daemon", nil, "the settings can't be used: \(failure)", advice: "fencepost config")
    }
    guard let daemon = facts.daemon else {
      let isNeeded = try fences > 0 || !reader.dueTimes(until: .distantFuture, limit: 1).isEmpty
      return add(
        isNeeded ? .wrong : .warning, "daemon", nil,
        isNeeded ? "no daemon runs, so no alarm rings" : "no daemon runs",
        advice: "start it: fencepost daemon; or install it: fencepost daemon --install")
    }
    add(.ok, "daemon", nil, "runs since \(moment(daemon.started))")
    if daemon.isPaused {
      add(.warning, "daemon", nil, "deliveries are paused", advice: "fencepost resume")
    }
    if let failure = daemon.storeFailure {
      add(.wrong, "store", nil, failure, advice: "check the disk; restore a backup if it is damaged")
    }
    let limit = now.adding(seconds: -facts.grace - Self.patience)
    let overdue = try reader.dueTimes(until: limit, limit: 100).filter {
      $0.kind != .dwell
    }
    if let first = overdue.first {
      add(
        .wrong, "alarm", nil,
        "\(overdue.count) alarms are overdue and did not go off, since \(words.day(first.time))",
        advice: "fencepost reload; if that does not help, restart the daemon")
    }
  }

  private mutating func examineFeeds(fences: Int) {
    guard let daemon = facts.daemon else { return }
    if daemon.feeds.isEmpty, fences > 0 {
      add(
        .warning, "feed", nil, "no feed: alarms at places need positions",
        advice: "add one: fencepost daemon --feed URI, or 'feeds' in the settings; fencepost phone helps")
    }
    for feed in daemon.feeds {
      let counts =
        "\(feed.fixes) positions" + (feed.rejected > 0 ? ", \(feed.rejected) unreadable" : "")
      let last = feed.lastArrival.map { ", last \(moment($0))" } ?? ", none yet"
      if let failure = feed.failure, feed.state != "open" {
        add(
          .wrong, "feed", feed.address, "\(feed.state): \(failure)",
          advice: "check its address and the network")
      } else if let arrival = feed.lastArrival,
        now.seconds(since: Instant(microseconds: arrival)) > Doctor.day
      {
        add(
          .warning, "feed", feed.address, counts + last + ", more than a day ago",
          advice: "check that the phone's app runs and may use its location in the background")
      } else {
        add(.ok, "feed", feed.address, "\(feed.state), \(counts)\(last)")
      }
      if let ahead = feed.datedAhead, ahead > 0 {
        add(
          .warning, "clock", feed.address,
          "\(ahead) positions are dated ahead of this machine's clock, and were ignored",
          advice: "set the clock of this machine and of the phone")
      }
    }
  }

  // MARK: Devices

  private mutating func examineDevices(_ reader: borrowing StoreReader) throws {
    let devices = try reader.devices().filter { $0.lastFix != nil }
      .sorted { ($0.lastFix?.time ?? .distantPast) > ($1.lastFix?.time ?? .distantPast) }
    for device in devices.prefix(Doctor.maximumNamed) {
      guard let last = device.lastFix?.time else { continue }
      var texts = ["last position \(words.day(last))"]
      let observations = try reader.observations(
        of: device.name, in: now.adding(seconds: -Doctor.day)..<now.adding(seconds: 1)
      ).filter { $0.device != nil }
      let gap = observations.filter { $0.kind == .silence }
        .max { $0.until.seconds(since: $0.from) < $1.until.seconds(since: $1.from) }
      if let gap { texts.append("longest silence \(words.clock(gap.from))–\(words.clock(gap.until))") }
      var ignored: [String: Int] = [:]
      for one in observations where one.kind == .ignored && one.ending != "confirmed" {
        ignored[one.reason ?? "", default: 0] += one.count
      }
      for (reason, count) in ignored.sorted(by: { $0.key < $1.key }) {
        texts.append("\(count) ignored: \(Rejection(rawValue: reason)?.words ?? reason)")
      }
      let state = try reader.fenceState(of: device.name).flatMap { try? DeviceState(decoding: $0) }
      if let (fix, reason) = state?.heldPosition {
        texts.append("one of \(words.clock(fix.time)) waits to be confirmed: \(reason.words)")
      }
      let isSilent = now.seconds(since: last) > Doctor.day
      add(
        isSilent ? .warning : .ok, "device", device.name, texts.joined(separator: "; "),
        advice: isSilent ? "if it should send: check its app, its battery saving, and the feed" : nil)
    }
  }

  // MARK: Channels, lists and alarms

  private mutating func examineChannels(_ reader: borrowing StoreReader) throws {
    let histories = try reader.channelHistories()
    if facts.channels.isEmpty, facts.settingsFailure == nil {
      add(
        facts.servesPages ? .warning : .wrong, "channel", nil,
        facts.servesPages
          ? "no channel: alarms show in the web app only" : "no channel: nobody hears of alarms",
        advice: "add one: fencepost daemon --deliver desktop, or 'channels' in the settings")
    }
    let heard = try channels(heardIn: reader)
    for channel in facts.channels {
      guard heard.contains(channel) else {
        add(
          heard.isEmpty ? .wrong : .warning, "channel", channel.name,
          "no browser has asked for alarms yet" + (heard.isEmpty ? ", so nobody hears of them" : ""),
          advice: "open the web app with 'fencepost web', and turn alarms on in its settings")
        continue
      }
      let history = histories.first { $0.channel == channel.name }
      let success = history?.lastSuccess.map { "last delivered \(words.day($0))" } ?? "nothing delivered yet"
      let failure = history?.lastFailure.map { ", last failed \(words.day($0.0)): \($0.1)" } ?? ""
      let pending = history.map { $0.pending > 0 ? ", \($0.pending) wait" : "" } ?? ""
      if let error = facts.daemon?.channels.first(where: { $0.address == channel.name })?.failure {
        add(
          .wrong, "channel", channel.name, "fails: \(error); \(success)\(pending)",
          advice: "check its address, then: fencepost alarms test")
      } else if let history, let (time, _) = history.lastFailure, time > history.lastSuccess ?? .distantPast {
        add(
          .warning, "channel", channel.name, success + failure + pending, advice: "fencepost alarms test")
      } else {
        add(
          .ok, "channel", channel.name, success + failure + pending,
          advice: history?.lastSuccess == nil ? "try it: fencepost alarms test" : nil)
      }
    }
  }

  /// The channels that reach somebody: that of browsers only if one has asked for alarms.
  private func channels(heardIn reader: borrowing StoreReader) throws -> [DoctorFacts.Channel] {
    guard facts.channels.contains(where: \.isForBrowsers) else { return facts.channels }
    let hasBrowser = try !reader.pushSubscriptions().isEmpty
    return facts.channels.filter { hasBrowser || !$0.isForBrowsers }
  }

  private mutating func examineLists(_ reader: borrowing StoreReader) throws {
    let channels = try channels(heardIn: reader)
    guard !channels.isEmpty else { return }
    let unheard = try reader.calendars().filter { list in !channels.contains { $0.serves(list) } }
    for list in unheard.prefix(Doctor.maximumNamed) {
      add(
        .warning, "list", list.title, "no channel gets its alarms",
        advice: "let a channel of the settings have 'list=\(list.title)', or no list at all")
    }
    if unheard.isEmpty { add(.ok, "list", nil, "a channel gets the alarms of each list") }
  }

  private mutating func examineAlarms(_ reader: borrowing StoreReader) throws {
    let silent = try reader.silentAlarms(at: now, resolver: resolver)
    for (item, reason) in silent.prefix(Doctor.maximumNamed) {
      add(
        .warning, "alarm", item.title, "will not ring: \(reason)",
        advice: "fencepost edit \(item.id.rawValue.prefix(8))")
    }
    if silent.count > Doctor.maximumNamed {
      add(
        .warning, "alarm", nil, "\(silent.count - Doctor.maximumNamed) more will not ring",
        advice: "fencepost status")
    } else if silent.isEmpty {
      add(.ok, "alarm", nil, "all can ring")
    }
  }

  // MARK: The machine

  private mutating func examineClock() {
    let zone = resolver.floating.id.rawValue
    if let version = resolver.zones.version {
      add(.ok, "clock", nil, "\(words.day(now)), zone \(zone), tzdata \(version)")
    } else {
      add(
        .warning, "clock", nil, "\(words.day(now)), zone \(zone), tzdata of unknown version",
        advice: "install the package tzdata")
    }
    // systemd-timesyncd makes the file when it has set the clock.
    let folder = "/run/systemd/timesync"
    if access(folder, F_OK) == 0, access(folder + "/synchronized", F_OK) != 0 {
      add(
        .warning, "clock", nil, "this machine has not set its clock by the network since it started",
        advice: "timedatectl set-ntp true")
    }
  }

  private mutating func examineFiles() {
    if let lingers = facts.serviceLingers {
      add(
        lingers ? .ok : .warning, "service", nil,
        lingers
          ? "the user service runs also while you are not logged in"
          : "the user service ends when you log out",
        advice: lingers ? nil : "loginctl enable-linger")
    }
    for path in facts.exposedFiles {
      add(
        .wrong, "files", path, "contains a secret, and other users can read it", advice: "chmod 600 '\(path)'"
      )
    }
    var status = stat()
    guard storePath != ":memory:", stat(storePath, &status) == 0 else { return }
    let others = status.st_mode & 0o077
    add(
      others == 0 ? .ok : .wrong, "store", nil,
      "\(storePath)" + (others == 0 ? "" : ": other users can read it"),
      advice: others == 0 ? nil : "chmod 600 '\(storePath)'")
    if access(storePath, W_OK) != 0 {
      add(.wrong, "store", nil, "it can't be written", advice: "check its owner and the file system")
    }
    var system = statvfs()
    guard statvfs(storePath, &system) == 0 else { return }
    let free = Double(system.f_bavail) * Double(system.f_frsize)
    let megabytes = Int(free / 1_048_576)
    let level: Finding.Level = megabytes < 50 ? .wrong : megabytes < 500 ? .warning : .ok
    add(
      level, "disk", nil, "\(megabytes) MB free beside the store",
      advice: level == .ok ? nil : "make room: without it no alarm can be recorded")
  }

  private mutating func examineBackups(_ reader: borrowing StoreReader) throws {
    let advice = "fencepost backup --keep 7 FILE, best by a timer"
    guard let text = try reader.setting(Doctor.backupSetting), let time = Int64(text) else {
      return add(.warning, "backup", nil, "no backup was made", advice: advice)
    }
    let made = Instant(microseconds: time)
    let days = Int(now.seconds(since: made) / Doctor.day)
    add(
      days > 14 ? .warning : .ok, "backup", nil,
      "last made \(words.day(made))" + (days > 14 ? ", \(days) days ago" : ""),
      advice: days > 14 ? advice : nil)
  }
}
