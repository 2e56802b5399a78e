import FencepostAlgorithms
import FencepostCalDAV
import FencepostCalendarModel
import FencepostICalendar
import FencepostRecurrence
import FencepostXML

/// The condition of a calendar-query (RFC 4791, sections 7.8 and 9.7).
struct ObjectFilter {
  private let root: ComponentFilter
  private let resolver: TimeResolver

  /// A condition.
  ///
  /// - Parameter timeZone: The client's zone for floating times.
  /// - Throws: ``DAVRefusal`` for an unsupported collation or an invalid zone.
  init(_ root: ComponentFilter, timeZone: String?, resolver: TimeResolver) throws {
    self.root = root
    self.resolver = try timeZone.map { try Self.resolver(resolver.zones, floating: $0) } ?? resolver
    guard Self.matches(in: root).allSatisfy({ TextMatch.collations.contains($0.collation) }) else {
      throw DAVRefusal(.caldav("supported-collation"), "use i;ascii-casemap, i;unicode-casemap or i;octet")
    }
  }

  /// - Parameter timeZone: A VCALENDAR with a zone. The system's rules for its name win over its own, which
  ///   often lack years.
  private static func resolver(_ zones: TimeZoneDatabase, floating timeZone: String) throws -> TimeResolver {
    let bytes = Array(timeZone.utf8)
    guard let name = zoneName(in: timeZone) else {
      throw DAVRefusal(.caldav("valid-calendar-data"), "the time zone can't be read")
    }
    let own = TimeZoneDatabase(systemOf: zones)
    let document = try? ICalendarReader(calendar: Identifier(rawValue: "")).read(bytes)
    for zone in document?.timeZones ?? [] { own.register(zone) }
    let id = TimeZoneID(rawValue: name)
    return TimeResolver(zones: zones, floating: zones.zone(id) ?? own.zone(id) ?? zones.systemZone)
  }

  /// The name of the only zone in a VCALENDAR (RFC 4791, section 5.2.2), or `nil`.
  static func zoneName(in text: String) -> String? {
    guard let components = ICalendarComponent(Array(text.utf8))?.components, components.count == 1,
      components[0].name == "VTIMEZONE"
    else { return nil }
    return components[0].first("TZID")?.text
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
    // For each time range of the condition once, because an object can have very many components.
    let ranges = TimeRanges(of: object.items, resolver: resolver)
    return matches(calendar, root, ranges)
  }

  private func matches(_ component: ICalendarComponent, _ filter: ComponentFilter, _ ranges: TimeRanges)
    -> Bool
  {
    filter.properties.allSatisfy { matches(component, $0) }
      && (filter.timeRange.map { ranges.contains($0, component.name) } ?? true)
      && filter.components.allSatisfy { inner in
        let candidates = component.components.filter { $0.name == inner.name }
        if inner.isNotDefined { return candidates.isEmpty }
        return candidates.contains { matches($0, inner, ranges) }
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
