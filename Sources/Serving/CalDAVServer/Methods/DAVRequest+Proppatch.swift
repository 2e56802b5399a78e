import FencepostCalDAV
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostICalendar
import FencepostWebServer
import FencepostXML

/// PROPPATCH, MKCALENDAR and the extended MKCOL.
extension DAVRequest {
  /// The most bytes of a property without a meaning here.
  static let maximumPropertyBytes = 64 << 10
  /// The most such properties of a resource.
  static let maximumProperties = 100

  func proppatch() throws -> HTTPResponse {
    let update = try PropertyUpdate(parsing: request.body)
    let resource = try store.read { try self.resource(in: $0) }
    let holder: PropertyHolder
    let title: String
    guard mayChangeProperties(of: resource) else { throw DAVRefusal.needPrivileges }
    switch resource {
    case .list(let list): (holder, title) = (.list(list.id), list.title)
    case .object(let list, let name): (holder, title) = (.object(name, in: list.id), list.title)
    case .principal: (holder, title) = (.account(.principal), "the account")
    case .home: (holder, title) = (.account(.home), "the account")
    default: throw DAVRefusal.needPrivileges
    }
    let href = href(of: resource)
    do {
      let propstats = try change(.editProperties, title) { writer in
        if case .object(let name, let list) = holder,
          try writer.reader.storedObject(named: name, in: list) == nil
        {
          throw DAVRefusal.notFound
        }
        let failures = try apply(update.changes, to: holder, in: writer)
        // All or nothing (RFC 4918, section 9.2).
        guard failures.isEmpty else { throw PropertyFailures(all: failures) }
        return [Multistatus.Propstat(status: 200, properties: update.changes.map { XMLElement($0.name) })]
      }
      // RFC 8144, section 2.3: a client that wants little hears only of failures.
      if prefersMinimal {
        return HTTPResponse(status: 204, headers: ["Preference-Applied": "return=minimal"])
      }
      return .multistatus(Multistatus([.init(href: href, propstats: propstats)]))
    } catch let failures as PropertyFailures {
      return .multistatus(
        Multistatus([.init(href: href, propstats: failures.propstats(of: update.changes.map(\.name)))]))
    }
  }

  /// Whether the client may change properties of a resource.
  func mayChangeProperties(of resource: Resource) -> Bool {
    switch resource {
    // Its name and colour are the owner's.
    case .list(let list): canWrite(list) && !list.isImmutable && isOfWholeAccount
    case .object(let list, _): canWrite(list)
    // What is set there is for all devices of the person.
    case .principal, .home: canWrite && isOfWholeAccount
    default: false
    }
  }

  /// Whether the client asks for short answers (RFC 7240, section 4.2).
  private var prefersMinimal: Bool {
    request.head.headers["prefer"]?.lowercased().split(whereSeparator: { ",;".contains($0) }).contains {
      $0.filter { $0 != " " && $0 != "\t" && $0 != "\"" } == "return=minimal"
    } ?? false
  }

  /// Applies changes of properties.
  ///
  /// - Returns: The changes that failed.
  private func apply(
    _ changes: [PropertyUpdate.Change], to holder: PropertyHolder, in writer: borrowing StoreWriter
  ) throws -> [PropertyFailures.One] {
    var failures: [PropertyFailures.One] = []
    let old: ItemCalendar? =
      if case .list(let id) = holder { try writer.reader.calendar(id) } else { nil }
    var list = old
    for change in changes {
      let name = change.name
      if PropertyNames.protected.contains(name) || list == nil && name == .dav("displayname") {
        failures.append(.init(name: name, status: 403, condition: .dav("cannot-modify-protected-property")))
        continue
      }
      if var changed = list, PropertyNames.settable.contains(name) {
        if !set(change, of: &changed) { failures.append(.init(name: name, status: 409, condition: nil)) }
        list = changed
        if name == .dav("displayname") { continue }
      }
      // Keep the client's property with its attributes, in addition to its effect here.
      switch change {
      case .remove: try holder.remove(name, writer)
      case .set(let property):
        if let condition = unmetCondition(of: property) {
          failures.append(.init(name: name, status: 403, condition: condition))
          continue
        }
        let value = String(decoding: property.document, as: UTF8.self)
        let others = try holder.properties(writer.reader).filter { !$0.isNamed(name) }
        guard value.utf8.count <= Self.maximumPropertyBytes, others.count < Self.maximumProperties else {
          failures.append(.init(name: name, status: 507, condition: nil))
          continue
        }
        try holder.set(CalendarProperty(namespace: name.namespace, name: name.local, value: value), writer)
      }
      // A zone and its name are two forms of one value (RFC 7809, section 5.2).
      if name == .caldav("calendar-timezone") { try holder.remove(.caldav("calendar-timezone-id"), writer) }
      if name == .caldav("calendar-timezone-id") { try holder.remove(.caldav("calendar-timezone"), writer) }
    }
    if let list, list != old { try writer.save(list) }
    return failures
  }

  /// The condition that a value of a property does not meet.
  private func unmetCondition(of property: XMLElement) -> XMLName? {
    switch property.name {
    case .caldav("calendar-timezone") where ObjectFilter.zoneName(in: property.text) == nil:
      .caldav("valid-calendar-data")
    case .caldav("calendar-timezone-id")
    where ICalendarWriter().text(ofZone: TimeZoneID(rawValue: property.trimmedText)) == nil:
      .caldav("valid-timezone")
    default: nil
    }
  }

  /// Sets the name or colour of a list. False if the value is invalid.
  private func set(_ change: PropertyUpdate.Change, of list: inout ItemCalendar) -> Bool {
    switch change {
    case .remove(.apple("calendar-color")): list.color = nil
    case .remove: return false
    case .set(let property):
      let text = property.trimmedText
      if property.name == .apple("calendar-color") {
        guard let color = Color(hexadecimal: text) else { return false }
        list.color = color
      } else {
        guard let title = Self.title(text) else { return false }
        list.title = title
      }
    }
    return true
  }

  private static func title(_ text: String) -> String? {
    let title = String(text.withoutControls.prefix(200))
    return title.isEmpty ? nil : title
  }

  // MARK: New lists

  func makeCollection(_ method: CollectionCreation.Method) throws -> HTTPResponse {
    let creation = try CollectionCreation(method, parsing: request.body)
    guard segments.count == 4, segments.starts(with: ["dav", "calendars", user]) else {
      throw DAVRefusal(
        .caldav("calendar-collection-location-ok"), status: 403, "create new lists in \(homeHref)")
    }
    guard creation.makesCalendar else {
      throw DAVRefusal(.dav("valid-resourcetype"), "only calendars can be created here")
    }
    guard canWrite, isOfWholeAccount else { throw DAVRefusal.needPrivileges }
    let id = Identifier<ItemCalendar>(rawValue: segments[3])
    let list = try self.list(id, with: creation.properties)
    let changes = creation.properties.filter { !Self.isTaken($0.name) }.map(PropertyUpdate.Change.set)
    try change(.addList, list.title) { writer in
      guard try writer.reader.calendar(id) == nil else {
        throw DAVRefusal(.dav("resource-must-be-null"), status: 405, "there is a list at this address")
      }
      var list = list
      list.source = try writer.defaultCalendar(for: list.entities.contains(.events) ? .events : .reminders)
        .source
      try writer.save(list)
      let failures = try apply(changes, to: .list(list.id), in: writer)
      if let failure = failures.first {
        throw DAVRefusal(failure.condition ?? .dav("cannot-modify-protected-property"))
      }
    }
    return HTTPResponse(status: 201, headers: ["Cache-Control": "no-cache"])
  }

  /// Whether ``list(_:with:)`` accepts a property.
  private static func isTaken(_ name: XMLName) -> Bool {
    [.dav("resourcetype"), .caldav("supported-calendar-component-set")].contains(name)
  }

  private func list(_ id: Identifier<ItemCalendar>, with properties: [XMLElement]) throws -> ItemCalendar {
    guard id.rawValue.utf8.count <= 200 else {
      throw DAVRefusal(status: 403, "the name of the list is too long")
    }
    var entities: ItemCalendar.Entities = [.events, .reminders]
    if let set = properties.first(where: { $0.name == .caldav("supported-calendar-component-set") }) {
      let names = set.all(.caldav("comp")).compactMap { $0.attribute("name")?.uppercased() }
      entities = []
      if names.contains("VEVENT") { entities.insert(.events) }
      if names.contains("VTODO") { entities.insert(.reminders) }
      guard !entities.isEmpty else {
        throw DAVRefusal(.caldav("supported-calendar-component"), "a list takes VEVENT, VTODO or both")
      }
    }
    let name = properties.first { $0.name == .dav("displayname") }.flatMap { Self.title($0.trimmedText) }
    return ItemCalendar(
      id: id, source: Identifier(rawValue: ""), title: name ?? Self.title(id.rawValue) ?? "List",
      entities: entities)
  }
}

/// Where properties are kept that have no meaning here.
enum PropertyHolder {
  case list(Identifier<ItemCalendar>)
  case object(String, in: Identifier<ItemCalendar>)
  case account(AccountResource)

  func properties(_ reader: borrowing StoreReader) throws -> [CalendarProperty] {
    switch self {
    case .list(let list): try reader.calendarProperties(in: list)
    case .object(let name, let list): try reader.calendarProperties(of: name, in: list)
    case .account(let resource): try reader.properties(of: resource)
    }
  }

  func set(_ property: CalendarProperty, _ writer: borrowing StoreWriter) throws {
    switch self {
    case .list(let list): try writer.set(property, in: list)
    case .object(let name, let list): try writer.set(property, of: name, in: list)
    case .account(let resource): try writer.set(property, of: resource)
    }
  }

  func remove(_ name: XMLName, _ writer: borrowing StoreWriter) throws {
    let (namespace, name) = (name.namespace, name.local)
    switch self {
    case .list(let list): try writer.removeProperty(namespace: namespace, name: name, in: list)
    case .object(let object, let list):
      try writer.removeProperty(namespace: namespace, name: name, of: object, in: list)
    case .account(let resource): try writer.removeProperty(namespace: namespace, name: name, of: resource)
    }
  }
}

extension CalendarProperty {
  func isNamed(_ name: XMLName) -> Bool { namespace == name.namespace && self.name == name.local }
}

/// Properties that can't be changed.
struct PropertyFailures: Error {
  struct One {
    var name: XMLName
    var status: Int
    var condition: XMLName?
  }

  var all: [One]

  /// These properties with their status, and the others, which failed because of them.
  func propstats(of names: [XMLName]) -> [Multistatus.Propstat] {
    let failed = Set(all.map(\.name))
    let others = names.filter { !failed.contains($0) }
    return all.map {
      Multistatus.Propstat(
        status: $0.status, properties: [XMLElement($0.name)],
        conditions: $0.condition.map { [XMLElement($0)] } ?? [])
    } + (others.isEmpty ? [] : [.init(status: 424, properties: others.map { XMLElement($0) })])
  }
}
