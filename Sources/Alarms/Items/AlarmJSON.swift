import FencepostAlarmEngine
import FencepostCalendarModel
import FencepostJSON
import FencepostRecurrence

extension ItemJSON {
  /// The alarm as a JSON object.
  ///
  /// - Parameters:
  ///   - alarm: The alarm.
  ///   - isWhole: Whether to write all properties, so that ``ItemPatch`` can read it.
  func object(_ alarm: Alarm, isWhole: Bool) -> JSONLine {
    var line = JSONLine()
    line.add("id", alarm.id.rawValue)
    switch alarm.trigger {
    case .none: break
    case .absolute(let instant): line.add("at", text(CalendarTime(instant)))
    case .relative(let offset, let edge):
      line.add("offset", offset.text)
      line.add("from", edge.rawValue.lowercased())
    }
    if let proximity = alarm.proximity { add(proximity, isWhole: isWhole, to: &line) }
    if alarm.repeatCount > 0, let interval = alarm.repeatInterval {
      line.add("repeats", alarm.repeatCount)
      line.add("repeat_every", interval.text)
    }
    guard isWhole else { return line }
    if let acknowledged = alarm.acknowledged { line.add("acknowledged", text(CalendarTime(acknowledged))) }
    if let original = alarm.snoozeOf { line.add("snooze_of", original.rawValue) }
    return line
  }

  /// The place of an alarm, and the crossing that it waits for, with all properties.
  func object(_ proximity: ProximityTrigger) -> JSONLine {
    var line = JSONLine()
    add(proximity, isWhole: true, to: &line)
    return line
  }

  private func add(_ proximity: ProximityTrigger, isWhole: Bool, to line: inout JSONLine) {
    switch proximity.event {
    case .enter: line.add("proximity", "enter")
    case .leave: line.add("proximity", "leave")
    case .dwell(let seconds):
      line.add("proximity", "dwell")
      line.add("seconds", seconds)
    }
    line.add("place", isWhole ? proximity.location.wholeJSON : proximity.location.json)
    guard isWhole else { return }
    line.add("if_inside", proximity.firesIfInside)
    line.add("passing", proximity.includesPassing)
    line.add("frequency", proximity.frequency.word)
    let window = proximity.window
    line.add("hours", window?.hours.map { "\(Self.clock($0.from))-\(Self.clock($0.until))" })
    line.add(
      "weekdays", (window?.weekdays ?? []).sorted { $0.rawValue < $1.rawValue }.map(\.abbreviation))
    line.add("first_day", window?.firstDay.map { "\($0)" })
    line.add("last_day", window?.lastDay.map { "\($0)" })
    line.add("devices", proximity.devices)
  }

  /// `09:00`.
  private static func clock(_ second: Int) -> String {
    func two(_ number: Int) -> String { (number < 10 ? "0" : "") + "\(number)" }
    return two(second / 3_600) + ":" + two(second / 60 % 60)
  }
}

extension ProximityTrigger.Frequency {
  fileprivate var word: String {
    switch self {
    case .always: "always"
    case .oncePerDay: "once-per-day"
    case .once: "once"
    }
  }
}

/// Reads an alarm, as a change of an existing one or as a new one.
struct AlarmPatch {
  let times: TimeReader
  let anchorZone: TimeZoneID?
  /// Whether a place may have neither a coordinate nor an outline.
  var allowsUnknownPlaces = false

  func alarm(_ json: JSONValue, among known: [Alarm]) throws(ItemPatchError) -> Alarm {
    guard let members = json.members else { throw ItemPatchError("", "an alarm must be an object") }
    var alarm = json["id"]?.text.flatMap { id in known.first { $0.id.rawValue == id } } ?? Alarm()
    var offset: CalendarDuration?
    var edge: Alarm.Edge?
    for member in members {
      let reader = PatchReader(value: member.value, key: member.key)
      switch member.key {
      case "at":
        guard !member.value.isNull else { break }
        let time = try times.time(reader, zone: anchorZone)
        guard !time.isDate else { throw reader.fail("an alarm needs a time of day") }
        alarm.trigger = .absolute(times.resolver.instant(of: time))
      case "offset":
        guard let text = member.value.text, let read = CalendarDuration(text: text) else {
          throw reader.fail("must be a duration such as \"-PT15M\"")
        }
        offset = read
      case "repeats": alarm.repeatCount = try reader.integer(in: 0...100)
      case "repeat_every":
        guard let read = member.value.text.flatMap({ CalendarDuration(text: $0) }), read.nominalSeconds > 0
        else { throw reader.fail("must be a duration such as \"PT5M\"") }
        alarm.repeatInterval = read
      case "from": edge = try reader.word(["start": Alarm.Edge.start, "end": .end])
      case "id", "acknowledged", "snooze_of": break
      default: try change(&alarm, by: member, reader)
      }
    }
    if offset != nil || edge != nil {
      var old: (CalendarDuration, Alarm.Edge)?
      if case .relative(let offset, let edge) = alarm.trigger { old = (offset, edge) }
      alarm.trigger = .relative(offset ?? old?.0 ?? .zero, to: edge ?? old?.1 ?? .start)
    }
    if alarm.repeatCount > 0, alarm.repeatInterval == nil {
      throw ItemPatchError("/repeats", "needs 'repeat_every'")
    }
    guard alarm.trigger != .none || alarm.proximity != nil else {
      throw ItemPatchError("", "an alarm needs 'at', 'offset' or 'proximity'")
    }
    if let proximity = alarm.proximity, proximity.location.region == nil, !allowsUnknownPlaces {
      throw ItemPatchError("/place", "needs a coordinate or an outline")
    }
    return alarm
  }

  /// Applies a property of an alarm at a place.
  private func change(_ alarm: inout Alarm, by member: JSONMember, _ reader: PatchReader)
    throws(ItemPatchError)
  {
    var proximity = alarm.proximity ?? ProximityTrigger(.enter, at: StructuredLocation(title: ""))
    var window = proximity.window ?? TimeWindow()
    switch member.key {
    case "proximity":
      let seconds = if case .dwell(let seconds) = proximity.event { seconds } else { 600 }
      proximity.event = try reader.word([
        "enter": ProximityTrigger.Event.enter, "leave": .leave, "dwell": .dwell(seconds: seconds),
      ])
    case "seconds":
      let seconds = try reader.integer(in: 1...31_536_000)
      if case .dwell = proximity.event { proximity.event = .dwell(seconds: seconds) }
    case "place":
      do throws(ItemPatchError) { try proximity.location.change(by: member.value) } catch {
        throw error.below("/place")
      }
    case "if_inside": proximity.firesIfInside = try reader.flag()
    case "passing": proximity.includesPassing = try reader.flag()
    case "frequency":
      proximity.frequency = try reader.word([
        "always": ProximityTrigger.Frequency.always, "once-per-day": .oncePerDay, "once": .once,
      ])
    case "hours": window.hours = member.value.isNull ? nil : try hours(reader)
    case "weekdays":
      window.weekdays = []
      for word in try reader.texts() {
        guard let day = Weekday(abbreviation: word) else { throw reader.fail("must be days such as \"MO\"") }
        window.weekdays.insert(day)
      }
    case "first_day": window.firstDay = member.value.isNull ? nil : try reader.day()
    case "last_day": window.lastDay = member.value.isNull ? nil : try reader.day()
    case "devices": proximity.devices = try reader.texts()
    default: throw reader.fail("is not known")
    }
    proximity.window = window == TimeWindow() ? nil : window
    alarm.proximity = proximity
  }

  private func hours(_ reader: PatchReader) throws(ItemPatchError) -> TimeWindow.Hours {
    let parts = try reader.text().split(separator: "-").map { part -> Int? in
      let clock = part.split(separator: ":").map { Int($0) }
      guard clock.count == 2, let hour = clock[0], let minute = clock[1], (0...24).contains(hour),
        (0...59).contains(minute), hour < 24 || minute == 0
      else { return nil }
      return hour * 3_600 + minute * 60
    }
    guard parts.count == 2, let from = parts[0], let until = parts[1], from < 86_400 else {
      throw reader.fail("must be hours such as \"09:00-17:00\"")
    }
    return TimeWindow.Hours(from: from, until: until)
  }
}
