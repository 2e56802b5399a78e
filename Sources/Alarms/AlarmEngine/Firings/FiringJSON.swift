public import FencepostCalendarModel
public import FencepostCalendarStore
import FencepostGeodesy
public import FencepostGeofencing
public import FencepostJSON
public import FencepostRecurrence

/// Firings and transitions as JSON lines. Keys are never renamed, only added.
public struct FiringJSON: Sendable {
  /// The zones of the written times.
  public let resolver: TimeResolver

  private let joinHosts: JoinHosts

  /// Lines with times in `resolver`'s floating zone.
  ///
  /// - Parameter joinHosts: Hosts whose links are all to meetings.
  public init(resolver: TimeResolver, joinHosts: JoinHosts = JoinHosts()) {
    self.resolver = resolver
    self.joinHosts = joinHosts
  }

  /// `{"type":"firing",…}`.
  public func line(_ firing: Firing, of item: ItemSummary) -> String { object(firing, of: item).line }

  /// `{"type":"firing",…}` of a firing in the ledger, with its `id`, which is the same in every delivery, and
  /// with the item's details at the time of the firing.
  ///
  /// - Parameters:
  ///   - isTest: Whether it only tests a channel: then it has `"test":true`.
  ///   - hidesDevices: Whether to leave out which device it was and where, for a reader that may see some lists
  ///     only. Such a reader could find every device with alarms at places that it chooses itself.
  ///   - generation: The generation of a fleet's fences by which it was judged.
  public func line(
    _ entry: LedgerEntry, isTest: Bool = false, hidesDevices: Bool = false, generation: Int? = nil
  ) -> String {
    var line = object(entry.firing, of: ItemSummary(of: entry), hidesDevices: hidesDevices)
    line.add("id", entry.id(hidingDevices: hidesDevices))
    if let message = entry.context?.message { line.add("message", message) }
    if let snoozed = entry.context?.snoozed {
      line.add("snoozed", object(snoozed, hidesDevices: hidesDevices))
    }
    if let acknowledged = entry.acknowledged { line.add("acknowledged", text(acknowledged)) }
    if let generation { line.add("generation", generation) }
    if isTest { line.add("test", true) }
    if entry.firing.isTrial { line.add("trial", true) }
    return line.line
  }

  private func object(_ firing: Firing, of item: ItemSummary, hidesDevices: Bool = false) -> JSONLine {
    var line = JSONLine(type: "firing")
    line.add("kind", firing.kind.rawValue)
    line.add("time", text(firing.time))
    line.add("confirmed_at", text(firing.wentOffAt))
    line.add("alarm", firing.alarm.rawValue)
    line.add("item", object(item, at: firing.occurrence))
    if let address = item.details.joinAddress(at: joinHosts) { line.add("conference", address) }
    if let occurrence = firing.occurrence { line.add("occurrence", text(resolver.instant(of: occurrence))) }
    if let place = firing.place { line.add("place", place.json) }
    if !hidesDevices, let crossing = firing.crossing {
      line.add("device", crossing.device)
      line.add("position", FiringJSON.position(crossing.position, accuracy: crossing.accuracy))
      line.add("interpolated", crossing.isInterpolated)
      line.add("source", crossing.source.rawValue)
      add(crossing.gap, to: &line)
    }
    line.add("late", firing.isLate)
    if firing.folded > 0 { line.add("folded", firing.folded) }
    return line
  }

  /// The details of an item in a firing; times are those of the occurrence.
  private func object(_ item: ItemSummary, at occurrence: CalendarTime?) -> JSONLine {
    let details = item.details.taking(place: occurrence)
    var line = item.json
    if let start = details.start { line.add("start", text(start)) }
    if let end = details.end { line.add(item.isEvent ? "end" : "due", text(end)) }
    if let location = details.location { line.add("location", location) }
    if let notes = details.notes { line.add("notes", notes) }
    if let url = details.url { line.add("url", url) }
    return line
  }

  /// The original firing of a snoozed alarm.
  private func object(_ snoozed: SnoozedFiring, hidesDevices: Bool) -> JSONLine {
    var line = JSONLine()
    line.add("kind", snoozed.kind.rawValue)
    if let time = snoozed.time { line.add("time", text(time)) }
    if !hidesDevices, let key = snoozed.key { line.add("id", key) }
    if let place = snoozed.place {
      var object = JSONLine()
      object.add("title", place)
      line.add("place", object)
    }
    if !hidesDevices, let device = snoozed.device { line.add("device", device) }
    return line
  }

  /// A time as a moment; a whole day as a date.
  private func text(_ time: CalendarTime) -> String {
    time.isDate ? "\(time.day)" : text(resolver.instant(of: time))
  }

  /// `{"type":"transition",…}`: a crossing, even if no alarm waits for it.
  public func line(
    _ transition: Transition, at place: StructuredLocation, device: String, of item: ItemSummary,
    gap: ClosedRange<Instant>? = nil
  ) -> String {
    var line = JSONLine(type: "transition")
    line.add("kind", transition.kind.rawValue)
    line.add("time", text(transition.time))
    line.add("confirmed_at", text(transition.settledAt))
    line.add("item", item.json)
    line.add("place", place.json)
    line.add("device", device)
    line.add(
      "position",
      FiringJSON.position(transition.fix.coordinate, accuracy: transition.fix.horizontalAccuracy))
    line.add("interpolated", transition.isInterpolated)
    line.add("source", transition.source.rawValue)
    add(gap, to: &line)
    return line.line
  }

  /// The range of a crossing's possible times, if the device was silent for minutes around it.
  private func add(_ gap: ClosedRange<Instant>?, to line: inout JSONLine) {
    guard let gap else { return }
    line.add("earliest", text(gap.lowerBound))
    line.add("latest", text(gap.upperBound))
  }

  /// A moment as RFC 3339 with milliseconds, on the wall clock of the floating zone.
  public func text(_ instant: Instant) -> String {
    let milliseconds = Instant(microseconds: instant.microseconds / 1000 * 1000)
    return milliseconds.rfc3339(utcOffset: resolver.floating.offset(at: instant))
  }

  private static func position(_ position: Coordinate, accuracy: Double?) -> JSONLine {
    var line = JSONLine()
    line.add("latitude", position.latitude)
    line.add("longitude", position.longitude)
    line.add("accuracy", accuracy)
    return line
  }
}

extension StructuredLocation {
  /// The place as an object of a JSON line.
  public var json: JSONLine {
    var line = JSONLine()
    line.add("title", title)
    line.add("latitude", coordinate?.latitude)
    line.add("longitude", coordinate?.longitude)
    line.add("radius", effectiveRadius)
    return line
  }
}
