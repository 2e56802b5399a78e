import Algorithms
import CalDAV
import CalendarModel
import ICalendar
import Recurrence

/// The condition of a calendar-query (RFC 4791, sections 7.8 and 9.7).
struct ObjectFilter {
  private let root: ComponentFilter
  private let resolver: TimeResolver

  /// A condition.
  ///
  /// - Parameter timeZone: The client's zone for floating times.
  /// - Throws: ``DAVFailure`` for an unsupported collation or an invalid zone.
  init(_ root: ComponentFilter, timeZone: String?, resolver: TimeResolver) throws {
    self.root = root
    var floating: TimeZoneID?
    if let timeZone {
      guard let zone = ICalendarComponent(Array(timeZone.utf8))?.components.first?.first("TZID") else {
        throw DAVFailure(.caldav("valid-calendar-data"), "the time zone can't be read")
      }
      floating = TimeZoneID(rawValue: zone.text)
    }
    self.resolver =
      floating.map { TimeResolver(zones: resolver.zones, floating: $0) } ?? resolver
    guard Self.matches(in: root).allSatisfy({ TextMatch.collations.contains($0.collation) }) else {
      throw DAVFailure(.caldav("supported-collation"), "use i;ascii-casemap, i;unicode-casemap or i;octet")
    }
  }

  private static func matches(in filter: ComponentFilter) -> [TextMatch] {
    filter.properties.flatMap { [$0.textMatch].compactMap(\.self) + $0.parameters.compactMap(\.textMatch) }
      + filter.components.flatMap(matches)
  }

  /// Whether objects with events, or with reminders, can match at all. Cheap.
  func mayMatch(isEvent: Bool) -> Bool {
    let name = isEvent ? "VEVENT" : "VTODO"
    return root.components.allSatisfy { filter in
      filter.name == "VEVENT" || filter.name == "VTODO"
        ? (filter.name == name) != filter.isNotDefined : true
    }
  }

  /// Whether ``mayMatch(isEvent:)`` is the whole condition.
  var isDecidedByKind: Bool {
    root.name == "VCALENDAR" && root.properties.isEmpty && !root.isNotDefined
      && root.components.allSatisfy {
        ($0.name == "VEVENT" || $0.name == "VTODO")
          && ($0.isNotDefined || $0.timeRange == nil && $0.properties.isEmpty && $0.components.isEmpty)
      }
  }

  /// Whether an object matches.
  func matches(_ object: StoredObject) -> Bool {
    guard let calendar = ICalendarComponent(object.text), root.name == calendar.name, !root.isNotDefined
    else { return false }
    return matches(calendar, root, object)
  }

  private func matches(_ component: ICalendarComponent, _ filter: ComponentFilter, _ object: StoredObject)
    -> Bool
  {
    filter.properties.allSatisfy { matches(component, $0) }
      && (filter.timeRange.map { overlaps($0, component.name, object) } ?? true)
      && filter.components.allSatisfy { inner in
        let candidates = component.components.filter { $0.name == inner.name }
        if inner.isNotDefined { return candidates.isEmpty }
        return candidates.contains { matches($0, inner, object) }
      }
  }

  // MARK: Time

  /// Whether the object has an occurrence in a range, or an alarm goes off in it (RFC 4791, section 9.9).
  private func overlaps(_ range: TimeRange, _ name: String, _ object: StoredObject) -> Bool {
    let (start, end) = (range.start ?? .distantPast, range.end ?? .distantFuture)
    switch name {
    case "VEVENT", "VTODO":
      let series = OccurrenceSeries(object.items, resolver: resolver)
      if object.items.contains(where: { $0.anchor != nil }) {
        var occurrences = series.occurrences(in: start..<end)
        return occurrences.next() != nil
      }
      // A reminder without dates matches by its creation and completion.
      guard let item = object.items.first else { return false }
      switch (item.created, item.reminder?.completed) {
      case (let created?, let completed?): return created <= end && completed >= start
      case (nil, let completed?): return start <= completed && completed <= end
      case (let created?, nil): return created < end
      case (nil, nil): return true
      }
    case "VALARM": return object.items.contains { alarms(of: $0, object.items, goOffIn: start..<end) }
    default: return false
    }
  }

  private func alarms(of item: CalendarItem, _ items: [CalendarItem], goOffIn range: Range<Instant>) -> Bool {
    item.alarms.contains { alarm in
      switch alarm.trigger {
      case .none: return false
      case .absolute(let instant): return range.contains(instant)
      case .relative(let offset, let edge):
        let seconds = Double(offset.days) * 86_400 + Double(offset.seconds)
        func moved(_ instant: Instant) -> Instant {
          [.distantPast, .distantFuture].contains(instant) ? instant : instant.adding(seconds: -seconds)
        }
        let shifted = moved(range.lowerBound)..<moved(range.upperBound)
        return OccurrenceSeries(items, resolver: resolver).occurrences(in: shifted).contains {
          shifted.contains(edge == .start ? $0.startInstant : $0.endInstant)
        }
      }
    }
  }

  // MARK: Properties

  private func matches(_ component: ICalendarComponent, _ filter: PropertyFilter) -> Bool {
    let candidates = component.properties.filter { $0.name == filter.name }
    if filter.isNotDefined { return candidates.isEmpty }
    return candidates.contains { property in
      (filter.textMatch?.matches(property.text) ?? true)
        && (filter.timeRange.map { contains($0, property) } ?? true)
        && filter.parameters.allSatisfy { parameter in
          let values = property.parameters.filter { $0.name == parameter.name }.map(\.value)
          if parameter.isNotDefined { return values.isEmpty }
          guard let match = parameter.textMatch else { return !values.isEmpty }
          return values.contains(where: match.matches)
        }
    }
  }

  private func contains(_ range: TimeRange, _ property: ICalendarComponent.Property) -> Bool {
    guard var time = CalendarTime(basicText: property.value) else { return false }
    if case .floating(let civil) = time, let zone = property.parameters.first(where: { $0.name == "TZID" }) {
      time = .zoned(civil, TimeZoneID(rawValue: zone.value))
    }
    let instant = resolver.instant(of: time)
    return instant >= range.start ?? .distantPast && instant < range.end ?? .distantFuture
  }
}

extension TextMatch {
  /// The collations that ``matches(_:)`` supports (RFC 4790).
  static let collations = ["i;ascii-casemap", "i;unicode-casemap", "i;octet"]

  /// Whether a value contains the text, or, if negated, does not.
  func matches(_ value: String) -> Bool {
    let isFound =
      switch collation {
      case "i;octet": Array(value.utf8).contains(Array(text.utf8))
      case "i;unicode-casemap": value.lowercased().contains(text.lowercased())
      default: Array(value.utf8.map(ASCII.uppercased)).contains(Array(text.utf8.map(ASCII.uppercased)))
      }
    return isFound != isNegated
  }
}
