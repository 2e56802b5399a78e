import CalendarModel
import CalendarStore
import CommandLineTable
import Configuration
import Glibc
import Phrases
import Recurrence

/// What a command needs to run: its words, the console, the zones and the store.
struct CommandContext {
  let parsed: ParsedCommand
  let console: Console
  let style: Style
  /// What was set by options, environment and configuration file.
  let settings: Settings
  /// The zones, and the one in which the user reads and writes times.
  let resolver: TimeResolver
  /// True where answers are for a program.
  let json: Bool
  /// What the run is called where it can be undone; `nil` for commands that can't.
  private let undoLabel: UndoLabel?

  init(_ parsed: ParsedCommand, words: [String] = [], console: Console, style: Style) throws {
    self.parsed = parsed
    self.console = console
    self.style = style
    undoLabel =
      FencepostTable.isUndoable(parsed.name)
      ? UndoLabel(FencepostTable.commandLine(words), at: Instant(microseconds: console.now())) : nil
    json = parsed.flag("json")
    settings = try Settings(parsed, environment: console.environment)
    // A database of its own: what the files of one store say of zones is nothing to another.
    let zones = TimeZoneDatabase(environmentZone: console.environment["TZ"])
    resolver = TimeResolver(zones: zones, floating: try CommandContext.zone(settings, in: zones))
  }

  /// The zone that was set; `nil` for the system's.
  static func zone(
    _ settings: Settings, in zones: TimeZoneDatabase = .system
  ) throws -> TimeZoneID? {
    try settings.value(.zone) { text in
      let name = TimeZoneID(rawValue: text)
      guard zones.zone(name) != nil else {
        throw CommandError(
          "there is no time zone '\(text)'; zones are named like 'Europe/Berlin' (see /usr/share/zoneinfo)")
      }
      return name
    }
  }

  /// What time it is.
  var now: Instant { Instant(microseconds: console.now()) }

  /// Reads dates as the user writes them.
  var dates: DatePhrase {
    // As POSIX has it: what is set for all before what is set for times.
    let locale = ["LC_ALL", "LC_TIME", "LANG"].lazy.compactMap { console.environment[$0] }.first {
      !$0.isEmpty
    }
    return DatePhrase(at: now, resolver: resolver, order: DateOrder(locale: locale ?? ""))
  }

  // MARK: Alarms

  /// When reminders ring that say nothing of it, as the settings have it.
  func alarmDefaults() throws -> AlarmDefaults {
    var defaults = AlarmDefaults()
    // None is a value too.
    if let alarm = try settings.value(.defaultAlarm, as: DefaultAlarmPhrase.offset) { defaults.alarm = alarm }
    if let hour = try settings.value(.allDayHour, as: DefaultAlarmPhrase.hour) {
      defaults.allDaySecond = hour
    }
    return defaults
  }

  /// When alarms are due, by the settings; what lists say is theirs to add.
  func alarmSchedule() throws -> AlarmSchedule {
    AlarmSchedule(resolver: resolver, defaults: try alarmDefaults())
  }

  // MARK: The store

  /// Where the store is.
  func storePath() throws -> String {
    if let path = try settings.path(.store), !path.isEmpty { return path }
    guard let path = settings.paths.usualStore else {
      throw CommandError("where is the store? HOME is not set; say --store PATH")
    }
    return path
  }

  /// The store, made if need be.
  func openStore() throws -> CalendarStore {
    try open(CalendarStore(path: storePath(), undoLabel: undoLabel))
  }

  /// The store, to be read, which must be there.
  func openStoreToRead() throws -> CalendarStore {
    let path = try storePath()
    do {
      return try open(CalendarStore(path: path, access: .readOnly))
    } catch let error as StoreError where error.reason == .readOnly {
      // One of an earlier version is brought up to date first.
      return try open(CalendarStore(path: path, access: .existing))
    }
  }

  /// The store, to be looked into. One that is not there yet is empty, unless `--store` names it.
  func openStoreToLook() throws -> CalendarStore {
    let path = try storePath()
    let isNamed = if case .option = parsed.argument("store")?.origin { true } else { false }
    guard !isNamed, access(path, F_OK) != 0, errno == ENOENT else { return try openStoreToRead() }
    console.say("There is no store yet: \(path)")
    return try CalendarStore()
  }

  /// The store, to be changed, which must be there.
  func openExistingStore() throws -> CalendarStore {
    try open(CalendarStore(path: storePath(), access: .existing, undoLabel: undoLabel))
  }

  /// A store, whose zones that came with files are known from here on.
  func open(_ store: CalendarStore) throws -> CalendarStore {
    for zone in try store.read({ try $0.timeZoneDefinitions() }) { resolver.zones.register(zone) }
    return store
  }
}
